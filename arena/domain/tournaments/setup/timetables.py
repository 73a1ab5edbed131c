"""How long consecutive rounds take: arithmetic on plain data."""

from collections.abc import Iterable, Sequence
from heapq import heapify, heapreplace
from random import Random
from statistics import fmean

MOST_DRAWN = 60_000  # durations of matches drawn for an estimate
LEAST_TRIES, MOST_TRIES = 20, 1000


def round_s(times_s: Iterable[float], *, runners: int) -> float:
    """Return when the last match of a round ends. The first free runner takes each match."""
    free = [0.0] * runners
    heapify(free)
    for takes_s in times_s:
        heapreplace(free, free[0] + takes_s)
    return max(free)


def spread(
    *, rounds: Sequence[int], times_s: Sequence[float], runners: int, slow: float, rng: Random
) -> tuple[float, float]:
    """Return the average duration, and the duration that the share `slow` of cases does not exceed.

    `rounds` has the number of matches of each round. `times_s` has the measured durations of
    matches, at least one. The function simulates the rounds many times with durations drawn from
    the measured ones. Because there are few of those, each simulation first resamples them (the
    bootstrap of Efron, Annals of Statistics 7, 1979).
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
