"""How long rounds take that are played one after the other: arithmetic over plain data."""

from collections.abc import Iterable, Sequence
from heapq import heapify, heapreplace
from random import Random
from statistics import fmean

MOST_DRAWN = 60_000  # times of matches that are drawn for an estimate
LEAST_TRIES, MOST_TRIES = 20, 1000


def round_s(times_s: Iterable[float], *, runners: int) -> float:
    """Return when the last match of a round ends, each taken by the first runner that is free."""
    free = [0.0] * runners
    heapify(free)
    for takes_s in times_s:
        heapreplace(free, free[0] + takes_s)
    return max(free)


def spread(
    *, rounds: Sequence[int], times_s: Sequence[float], runners: int, slow: float, rng: Random
) -> tuple[float, float]:
    """Return how long it takes on the average, and in the `slow` share of cases at most.

    `rounds` says how many matches each has, `times_s` how long matches took, at least one. It is
    played through many times in thought, each time with times drawn from those that were measured.
    As those are few themselves, which of them are drawn from is drawn first (the bootstrap of
    Efron, Annals of Statistics 7, 1979).
    """
    tries = max(LEAST_TRIES, min(MOST_TRIES, MOST_DRAWN // max(1, sum(rounds))))
    totals = []
    for _ in range(tries):
        known = rng.choices(times_s, k=len(times_s))
        totals.append(
            sum(round_s(rng.choices(known, k=matches), runners=runners) for matches in rounds)
        )
    totals.sort()
    return fmean(totals), totals[min(tries - 1, int(slow * tries))]
