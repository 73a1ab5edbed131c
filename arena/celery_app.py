"""The Celery application; all its settings are the `CELERY_…` ones of `arena.settings`."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_ready
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

from arena.logs import configure

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
# The batch fit consists of small sums: more threads make it slower and take time from runners.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


TRANSPORT_ALIASES["filesystem"] = "arena.filebroker:Transport"
app = Celery("drapeau")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["arena"])


@setup_logging.connect  # type: ignore[untyped-decorator] # celery has no types
def _log_like_the_site(**_: Any) -> None:  # noqa: ANN401 - whatever Celery sends with the signal
    """Keep Celery from installing its own handlers: one log format for every process."""
    configure(settings.LOGGING)


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
