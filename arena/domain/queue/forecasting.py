"""Forecast when waiting jobs will begin: arithmetic over plain data."""

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from itertools import islice

LOOKS_AT = 20  # jobs at the head of a queue of which a runner takes one


@dataclass(frozen=True, slots=True)
class Job:
    """A waiting job: its duration, and the time from which it may begin.

    Of the jobs with the same `turn`, only one runs at a time. None means no such limit. A job with
    a party that is in another job lets others pass, as long as there are any.
    """

    takes_s: float
    ready_s: float = 0.0
    turn: int | None = None
    parties: frozenset[Hashable] = frozenset()


def starts(
    jobs: Sequence[Job],
    *,
    free_s: Iterable[float],
    turns: Mapping[int, float],
    busy_s: Mapping[Hashable, float] | None = None,
) -> list[float]:
    """Return the seconds until each job begins, by simulating the fleet.

    `jobs` are in the order in which they are taken. `free_s` has the time at which each runner (at
    least one) becomes free, `turns` the ends of the turns that are in use, and `busy_s` the times
    until which parties are in jobs. A runner takes the first job that may begin. A job that had to
    wait for its turn goes first once it may begin.
    """
    free, turns, ends = list(free_s), dict(turns), dict(busy_s or {})
    heapify(free)
    held = [(job.ready_s, place) for place, job in enumerate(jobs) if job.ready_s > 0]
    heapify(held)
    due = deque(place for place, job in enumerate(jobs) if job.ready_s <= 0)
    begins = [0.0] * len(jobs)
    while due or held:
        if held and (held[0][0] <= free[0] or not due):
            ready_s, place = heappop(held)
        else:
            ready_s, place = 0.0, _first_free(due, jobs, ends, free[0])
            due.remove(place)
        job = jobs[place]
        begins_s = max(free[0], ready_s)
        turn_s = 0.0 if job.turn is None else turns.get(job.turn, 0.0)
        if turn_s > begins_s:
            heappush(held, (turn_s, place))
            continue
        begins[place] = begins_s
        heapreplace(free, begins_s + job.takes_s)
        for party in job.parties:
            ends[party] = max(ends.get(party, 0.0), begins_s + job.takes_s)
        if job.turn is not None:
            turns[job.turn] = begins_s + job.takes_s
    return begins


def _first_free(
    due: Sequence[int], jobs: Sequence[Job], ends: Mapping[Hashable, float], at_s: float
) -> int:
    """Return the first job whose parties are free then, or else the first job.

    Nothing passes a job with one of its parties. Only the first `LOOKS_AT` jobs are considered.
    """
    held = set[Hashable]()
    for place in islice(due, LOOKS_AT):
        parties = jobs[place].parties
        if held.isdisjoint(parties) and all(ends.get(each, 0.0) <= at_s for each in parties):
            return place
        held |= parties
    return due[0]


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
