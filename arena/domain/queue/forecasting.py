"""Forecast when waiting jobs will begin: arithmetic over plain data."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Job:
    """A waiting job: its duration, and the time from which it may begin.

    Of the jobs with the same `turn`, only one runs at a time. None means no such limit.
    """

    takes_s: float
    ready_s: float = 0.0
    turn: int | None = None


def starts(
    jobs: Sequence[Job], *, free_s: Iterable[float], turns: Mapping[int, float]
) -> list[float]:
    """Return the seconds until each job begins, by simulating the fleet.

    `jobs` are in the order in which they are taken. `free_s` has the time at which each runner (at
    least one) becomes free, and `turns` the ends of the turns that are in use. A runner takes the
    first job that may begin. A job that had to wait for its turn goes first once it may begin.
    """
    free, turns = list(free_s), dict(turns)
    heapify(free)
    held = [(job.ready_s, place) for place, job in enumerate(jobs) if job.ready_s > 0]
    heapify(held)
    due = deque(place for place, job in enumerate(jobs) if job.ready_s <= 0)
    begins = [0.0] * len(jobs)
    while due or held:
        if held and (held[0][0] <= free[0] or not due):
            ready_s, place = heappop(held)
        else:
            ready_s, place = 0.0, due.popleft()
        job = jobs[place]
        begins_s = max(free[0], ready_s)
        turn_s = 0.0 if job.turn is None else turns.get(job.turn, 0.0)
        if turn_s > begins_s:
            heappush(held, (turn_s, place))
            continue
        begins[place] = begins_s
        heapreplace(free, begins_s + job.takes_s)
        if job.turn is not None:
            turns[job.turn] = begins_s + job.takes_s
    return begins


def remaining_s(durations_s: Sequence[float], *, elapsed_s: float) -> float:
    """Return how much longer a job will take that has run for `elapsed_s`.

    It is the mean rest of the jobs that took longer. If none took longer, it is half of the mean
    duration. At least one duration is needed.
    """
    longer = [duration_s - elapsed_s for duration_s in durations_s if duration_s > elapsed_s]
    return fmean(longer) if longer else fmean(durations_s) / 2


def most_at_once(spans: Iterable[tuple[float, float]]) -> int:
    """Return the largest number of spans (begin, end) that overlap at one moment.

    A span that begins when another ends does not overlap with it.
    """
    changes = sorted(
        change for begin, end in spans if end > begin for change in ((begin, 1), (end, -1))
    )
    now = most = 0
    for _, step in changes:
        now += step
        most = max(most, now)
    return most
