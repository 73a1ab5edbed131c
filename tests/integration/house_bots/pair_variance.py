"""Measure what equal decks in both games of a pair would be worth in `cards`.

`python -m tests.integration.house_bots.pair_variance --pairs 5000 gambler-gambler`

Two bots play pairs of games, seats exchanged. Both games of a pair have the same two decks, the
bots have new dice in each. The correlation of the two results tells how much the variance of the
pair's mean would fall with equal decks, compared with decks that are drawn anew.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

from engine.registry import find
from engine.variant import Variant
from tests.integration.house_bots.house import points

MEETINGS = (
    "drunkard-drunkard",
    "gambler-gambler",
    "bookkeeper-bookkeeper",
    "gambler-drunkard",
    "bookkeeper-gambler",
    "cardsharp-cardsharp",
    "cardsharp-bookkeeper",
    "cardsharp-gambler",
)
CARDS: Variant[Any] = find("cards")


@dataclass(frozen=True)
class Measured:
    """Results of one bot in pairs of games with equal decks: first game, second game."""

    pairs: Sequence[tuple[float, float]]

    @property
    def mean(self) -> float:
        """Return the mean share of the points."""
        return fmean((one + other) / 2 for one, other in self.pairs)

    @property
    def kept(self) -> float:
        """Return the variance of the pair's mean with equal decks, over that with other decks.

        The variance is (V1 + V2 + 2 C) / 4 with equal decks and (V1 + V2) / 4 with others.
        """
        first, second = zip(*self.pairs, strict=True)
        between = _covariance(first, second)
        return 1 + 2 * between / (_covariance(first, first) + _covariance(second, second))

    @property
    def error(self) -> float:
        """Return the standard error of `kept`, about that of a correlation."""
        correlation = self.kept - 1
        return (1 - correlation**2) / math.sqrt(len(self.pairs) - 2)


def _covariance(xs: Sequence[float], ys: Sequence[float]) -> float:
    mean_x, mean_y = fmean(xs), fmean(ys)
    return math.fsum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / len(xs)


def pair(one: str, other: str, number: int) -> tuple[float, float]:
    """Return what `one` takes from each game of a pair with equal decks and independent dice."""
    begin = CARDS.begin
    equal = replace(CARDS, begin=lambda options, _dice: begin(options, number))
    first = points(equal, one, other, 2 * number)[0]
    return first, points(equal, other, one, 2 * number + 1)[1]


def measure(one: str, other: str, pairs: int, jobs: int) -> Measured:
    """Play pairs of two house bots."""
    with ProcessPoolExecutor(jobs) as pool:
        return Measured(list(pool.map(partial(pair, one, other), range(pairs), chunksize=20)))


def main() -> None:
    """Print one line for every meeting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("meetings", nargs="*", default=MEETINGS)
    given = parser.parse_args()
    sys.stdout.write("| bots | share | variance kept by equal decks | fewer pairs needed |\n")
    for meeting in given.meetings:
        one, other = meeting.split("-")
        got = measure(one, other, given.pairs, given.jobs)
        kept = f"{got.kept:.3f} ± {1.96 * got.error:.3f}"
        sys.stdout.write(f"| {one}, {other} | {got.mean:.3f} | {kept} | {1 - got.kept:.1%} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
