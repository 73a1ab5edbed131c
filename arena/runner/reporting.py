"""A thread of a runner's main process reports its figures, also while no job comes."""

import logging
import threading
import time
from functools import cache
from typing import Protocol

from celery.worker import state
from django.db import DatabaseError, connection

from arena.domain.queue import runner_figures
from arena.runner import host_trouble, programs

logger = logging.getLogger(__name__)


class Worker(Protocol):
    """What is read of a worker of Celery."""

    hostname: str
    concurrency: int


@cache  # a worker that lost its broker is ready once more
def start(worker: Worker) -> None:
    """Report the figures of a worker for as long as this process lives."""
    threading.Thread(target=_report_again_and_again, args=(worker,), daemon=True).start()


def report(worker: Worker) -> None:
    """Report the figures once. Without a database, or before its migrations, only log."""
    try:
        if trouble := host_trouble.present():
            logger.warning("host_in_trouble", extra={"why": trouble})
        runner_figures.report(
            runner=worker.hostname,
            slots=worker.concurrency,
            busy=len(state.active_requests),
            launcher=programs.launcher_figures(),
            in_trouble=bool(trouble),
        )
    except DatabaseError as why:
        logger.warning("figures_not_reported", extra={"why": str(why)})


def _report_again_and_again(worker: Worker) -> None:
    while True:
        report(worker)
        connection.close()  # a fork must find none that is open
        time.sleep(runner_figures.EVERY_S)
