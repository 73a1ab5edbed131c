"""How many truths lie inside the 95 % intervals of the batch fit.

Run it with `python -m tests.integration.ratings.coverage`.

Ladders are played by bots of known strength, matched as ladders match them: who has fewest matches
meets somebody near its Elo number. Both games of a match share a deal: it suits one bot in both
(correlation above 0) or one seat (below 0). Prints a table; the status is 1 where the share of all
truths that are inside is not 95 %, give or take 1.5.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from itertools import islice, product
from statistics import NormalDist

import numpy as np

from arena.domain.ratings import elo, fit
from arena.domain.ratings.fit import ELO_PER_NAT, Fit, GameCounts, MatchCounts

BOTS = (2, 4, 8, 24, 60)
MATCHES = (4, 12, 40)  # of each bot
DRAWS = (0.0, 0.4, 2.0)  # Davidson's parameter; 2 means that every second game of equals is drawn
CORRELATIONS = (-0.5, 0.0, 0.5)
SPREADS = (100.0, 300.0)  # standard deviations of the truths, Elo
NORMAL = NormalDist()
WANTED, TOLERANCE = 0.95, 0.015  # share of truths inside, over all ladders
LOOKED_AT = 6  # of those near in number, one is met


class Played:
    """A ladder as it was played: the truths on the Elo scale, the results, and the fit of them."""

    def __init__(self, rng, *, bots, matches, draw, correlation, spread):
        self.rng, self.draw, self.correlation = rng, draw, correlation
        self.truths = rng.normal(0.0, spread, bots)
        self.numbers = np.full(bots, elo.START)
        self.played = np.zeros(bots, dtype=int)
        self.results = [self._match() for _ in range(max(1, bots * matches // 2))]

    def fit(self) -> Fit:
        return fit.fit(self.results)

    def inside(self) -> list[bool]:
        """Say of each truth whether its interval has it; both are about the mean of all."""
        estimates = self.fit().estimates
        known = sorted(estimates)
        truths = self.truths[known] - self.truths[known].mean() + elo.START
        return [
            estimates[bot].low <= truth <= estimates[bot].high
            for bot, truth in zip(known, truths, strict=True)
        ]

    def _match(self) -> MatchCounts:
        own, other = self._meeting()
        deal = self.rng.normal()
        luck = math.sqrt(abs(self.correlation)) * deal
        own_luck = math.sqrt(1 - abs(self.correlation))
        signs = (1, 1 if self.correlation > 0 else -1)
        points = [
            self._game(own, other, NORMAL.cdf(sign * luck + own_luck * self.rng.normal()))
            for sign in signs
        ]
        self._rate(own, other, sum(points) / 2)
        counts = (points.count(each) for each in (1.0, 0.5, 0.0))
        return MatchCounts((GameCounts((own,), (other,), *counts),))

    def _meeting(self) -> tuple[int, int]:
        fewest = np.flatnonzero(self.played == self.played.min())
        own = int(self.rng.choice(fewest))
        gaps = np.abs(self.numbers - self.numbers[own])
        near = [bot for bot in np.argsort(gaps, kind="stable") if bot != own][:LOOKED_AT]
        return own, int(self.rng.choice(near))

    def _game(self, own, other, luck) -> float:
        """Return a game's points; over all `luck` their chances are those of the model."""
        gap = (self.truths[own] - self.truths[other]) / ELO_PER_NAT * (2 + self.draw) / 2
        win, loss = math.exp(gap / 2), math.exp(-gap / 2)
        total = win + loss + self.draw
        if luck < win / total:
            return 1.0
        return 0.5 if luck < (win + self.draw) / total else 0.0

    def _rate(self, own, other, score) -> None:
        change = elo.k_factor(2 * int(self.played[own])) * (
            score - elo.expected(self.numbers[own], self.numbers[other])
        )
        self.numbers[own] += change
        self.numbers[other] -= change
        self.played[[own, other]] += 1


def settings() -> Iterator[dict[str, float]]:
    names = ("bots", "matches", "draw", "correlation", "spread")
    for values in product(BOTS, MATCHES, DRAWS, CORRELATIONS, SPREADS):
        yield dict(zip(names, values, strict=True))


def measure(
    *, repeats: int, rng_seed: int, every: int = 1
) -> Iterator[tuple[dict[str, float], list[bool]]]:
    """Play each `every`-th kind of ladder so many times; yield it and whose truths were inside."""
    rng = np.random.default_rng(rng_seed)
    for _repeat in range(repeats):
        for setting in islice(settings(), 0, None, every):
            yield setting, Played(rng, **setting).inside()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20, help="ladders of every kind")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    inside: dict[tuple[str, float], list[bool]] = {}
    everything, ladders = [], 0
    for setting, found in measure(repeats=chosen.repeats, rng_seed=chosen.seed):
        ladders += 1
        everything += found
        for item in setting.items():
            inside.setdefault(item, []).extend(found)
    lines = [f"{'':12} {'':>6} {'truths':>8} {'inside':>8}"]
    for (name, value), found in sorted(inside.items()):
        lines.append(f"{name:12} {value:6g} {len(found):8} {np.mean(found):8.1%}")
    lines.append(f"{'all':12} {ladders:6} {len(everything):8} {np.mean(everything):8.2%}")
    share = float(np.mean(everything))
    lines.append(f"Figures: {ladders} ladders, {len(everything)} truths, {share:.2%} inside")
    sys.stdout.write("\n".join(lines) + "\n")
    return int(abs(share - WANTED) > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
