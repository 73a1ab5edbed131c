"""What a worker does for a process of its pool that was killed."""

from typing import Any

from celery.signals import worker_ready


@worker_ready.connect  # type: ignore[untyped-decorator] # celery has no types
def free_what_the_killed_held(sender: Any, **_: object) -> None:  # noqa: ANN401 - celery has no types
    """Keep a pool of one process going when that one is killed, where a file carries messages.

    A broker without an event loop is served by billiard's plain pool. There a process that waits
    for its next task holds the lock of the queue; killed then, it would keep it for ever, and its
    successor would wait for it in silence. With several processes nobody can tell whether another
    one holds the lock, so it is left alone: have one process in each worker.
    """
    pool = getattr(sender.pool, "_pool", None)
    if pool is None or getattr(pool, "on_process_down", None) is not None:
        return  # nothing was forked, or the pool has no lock that its processes share

    def free(_killed: object) -> None:
        if sender.pool.limit == 1:  # nobody else is there to hold them
            for lock in (pool._inqueue._rlock, pool._outqueue._wlock):  # noqa: SLF001 - billiard has no other door
                lock.acquire(block=False)
                lock.release()

    pool.on_process_down = free
