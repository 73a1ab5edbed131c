"""The Celery application; all its settings are the `CELERY_…` ones of `arena.settings`."""

import logging
import os
from typing import Any

from celery import Celery
from celery.apps import worker
from celery.signals import heartbeat_sent, setup_logging, worker_ready
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

from arena.logs import configure

logger = logging.getLogger(__name__)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
# The batch fit consists of small sums: more threads make it slower and take time from runners.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


HEARTBEAT = "worker-heartbeat"  # a file in the data folder, touched every two seconds

TRANSPORT_ALIASES["filesystem"] = "arena.filebroker:Transport"
app = Celery("drapeau")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["arena"])


def _log_what_it_says(message: str, _stream: object = None) -> None:
    logger.info("worker_says", extra={"said": message.strip()})


@setup_logging.connect  # type: ignore[untyped-decorator] # celery has no types
def _log_like_the_site(**_: Any) -> None:  # noqa: ANN401 - whatever Celery sends with the signal
    """Keep Celery from installing its own handlers: one log format for every process.

    What a worker says when it is told to end would be printed past the log.
    """
    configure(settings.LOGGING)
    worker.safe_say = _log_what_it_says


@heartbeat_sent.connect  # type: ignore[untyped-decorator] # celery has no types
def _touch_the_heartbeat(**_: object) -> None:
    """Show health checks that this worker consumes; `celery inspect` would load the whole site."""
    (settings.DATA_DIR / HEARTBEAT).touch()


@worker_ready.connect  # type: ignore[untyped-decorator] # celery has no types
def _release_locks_of_killed_process(sender: Any, **_: object) -> None:  # noqa: ANN401 - celery has no types
    """Free the locks of a pool of one process after it was killed, with the file broker.

    With a broker without an event loop, Celery uses billiard's plain pool. There, a process that
    waits for its next task holds the lock of the queue. If it is killed, the lock stays held, and
    its successor waits for it without a message. With several processes nobody can tell whether
    another one holds the lock, so then it is left alone: give each worker one process.
    """
    pool = getattr(sender.pool, "_pool", None)
    if pool is None or getattr(pool, "on_process_down", None) is not None:
        return  # nothing was forked, or the processes of the pool share no lock

    def free(_killed: object) -> None:
        if sender.pool.limit == 1:  # no other process can hold them
            for lock in (pool._inqueue._rlock, pool._outqueue._wlock):  # noqa: SLF001 - billiard has no other way
                lock.acquire(block=False)
                lock.release()

    pool.on_process_down = free
