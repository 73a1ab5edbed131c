"""Work in several processes, which end with the one that started them."""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection, wait
from typing import NoReturn, TypeVar

FORK = multiprocessing.get_context("fork")  # the referee and the rules are loaded already
T = TypeVar("T")
R = TypeVar("R")


class Killed(Exception):
    """A process was killed amid its work; `place` is that of its order."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def work_through(
    orders: Sequence[T],
    work: Callable[[T], R],
    *,
    jobs: int,
    failures: tuple[type[Exception], ...],
) -> Generator[tuple[T, R]]:
    """Do all orders in up to `jobs` processes; yield each with its result when it is done.

    Results are pickled, orders are not. Close the iterator to stop: all processes end. Raise those
    `failures` that `work` raises, and Killed.
    """
    waiting = list(reversed(range(len(orders))))
    with ExitStack() as ending:
        idle = _start(min(jobs, len(orders)), lambda place: work(orders[place]), failures, ending)
        busy: dict[Connection, int] = {}
        while waiting or busy:
            while idle and waiting:
                worker, place = idle.pop(), waiting.pop()
                worker.send(place)
                busy[worker] = place
            for worker in [ready for ready in wait(list(busy)) if isinstance(ready, Connection)]:
                place = busy.pop(worker)
                try:
                    has_failed, result = worker.recv()
                except EOFError:
                    raise Killed(place) from None
                if has_failed:
                    raise result
                yield orders[place], result
                idle.append(worker)


def _start(
    count: int,
    work: Callable[[int], object],
    failures: tuple[type[Exception], ...],
    ending: ExitStack,
) -> list[Connection]:
    """Start processes; `ending` ends them and what they started."""
    workers: list[Connection] = []
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process alone
    try:
        for _ in range(count):
            ours, theirs = FORK.Pipe()
            inherited = (ours, *workers)
            process = FORK.Process(target=_serve, args=(theirs, work, failures, inherited))
            process.start()
            theirs.close()
            ending.callback(process.join)
            ending.callback(process.terminate)
            ending.callback(ours.close)
            workers.append(ours)
    finally:
        signal.signal(signal.SIGINT, before)
    return workers


def _serve(
    places: Connection,
    work: Callable[[int], object],
    failures: tuple[type[Exception], ...],
    inherited: Sequence[Connection],
) -> None:
    """Do the orders whose places come, until there are no more or the parent has ended."""
    signal.signal(signal.SIGTERM, _leave)
    for connection in inherited:
        connection.close()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            place = places.recv()
            try:
                places.send((False, work(place)))
            except failures as problem:
                places.send((True, problem))


def _leave(_number: int, _frame: object) -> NoReturn:
    """Leave by an exception, which ends the bots on its way."""
    raise SystemExit(0)
