"""How many truths lie inside the 95 % intervals of the ratings, in worlds of many kinds.

Run it with `python -m tests.integration.ratings.coverage`.

A ladder of bots of known strength is played with the site's own choice of opponents, and its
ratings are compared with the truth when each bot that is looked at has played 3, 10 and 30 matches.
In most worlds these are all bots; in others one that is new, or has a new version, on a ladder that
has been played for a while. Where strengths are not all that decides, the truth is the rating that
foretells the expected score against all others. The status is 1 if fewer truths are inside than
chance explains where a kind of world has the wanted share, or if ranges of ranks place too many
pairs of bots the wrong way round.
"""

import argparse
import math
import sys
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from arena.domain.ratings import elo
from arena.domain.ratings.fit import Fit
from tests.integration.ratings.simulated import Ladder, World

BOTS = 16
LOOKS = (3, 10, 30)  # matches of a bot that is looked at
BEFORE = 15  # matches of every bot, on average, before a new one comes
WANTED, WANTED_OVERALL = 0.90, 0.94  # shares of truths inside
MOST_WRONG = 0.01  # of the pairs of bots that their ranges of ranks tell apart
IMPROVEMENT = 100.0, 100.0  # mean and standard deviation, while a bot is away
SURELY = 0.001  # probability of what is too few


class Found(NamedTuple):
    """Whether a truth was inside its interval, half of the width, and what its ranks tell.

    `apart` counts the bots that its range of ranks places above or below it, and `wrong` those of
    them that stand on the other side.
    """

    inside: bool
    half_width: float
    apart: int
    wrong: int


def _normal(random: np.random.Generator) -> np.ndarray:
    return random.normal(0, 250, BOTS)


def _newcomer(by: float) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda random: np.append(random.normal(0, 250, BOTS), by)


def _clusters(random: np.random.Generator) -> np.ndarray:
    return np.repeat([-250.0, 250.0], BOTS // 2) + random.normal(0, 100, BOTS)


class Kind(NamedTuple):
    """A kind of world.

    `joins` is whether the last bot comes late, `jumps` what a version gains, and `returns` whether
    a bot comes back after the others have had new versions.
    """

    strengths: Callable[[np.random.Generator], np.ndarray] = _normal
    options: dict[str, Any] = {}
    joins: bool = False
    jumps: float | None = None
    returns: bool = False

    @property
    def looks_at_one(self) -> bool:
        """Whether one bot is looked at, and not all."""
        return self.joins or self.returns or self.jumps is not None


KINDS = {
    "normal": Kind(),
    "clusters": Kind(_clusters),
    "newcomer +500": Kind(_newcomer(500.0), joins=True),
    "newcomer -500": Kind(_newcomer(-500.0), joins=True),
    "new version +400": Kind(jumps=400.0),
    "new version -800": Kind(jumps=-800.0),
    "new version as before": Kind(jumps=0.0),
    "bot that comes back": Kind(returns=True),
    "not transitive": Kind(options={"circle": 150.0}),
    "both games alike": Kind(options={"alike": 1.0, "nu": 0.01}),
    "drawish": Kind(options={"nu": 3.0}),
    "three seats": Kind(options={"entrants": 3, "by_seat": 100.0}),
}


def run(kind: Kind, rng_seed: int) -> Iterator[tuple[int, Found]]:
    """Play one ladder; yield for each look and each bot that is looked at what was found."""
    random = np.random.default_rng(rng_seed)
    world = World(kind.strengths(random), random, **kind.options)
    ladder = Ladder(world, Random(rng_seed))
    seen = range(len(world.strengths))
    if kind.joins:
        newcomer = len(seen) - 1
        strengths, world.strengths = world.strengths, world.strengths[:-1]
        ladder = Ladder(world, Random(rng_seed))
        _play_until(ladder, range(newcomer), BEFORE)
        world.strengths = strengths
        _join(ladder)
        seen = range(newcomer, newcomer + 1)
    if kind.jumps is not None:
        _play_until(ladder, seen, BEFORE)
        bot = int(random.integers(len(seen)))
        world.strengths[bot] += kind.jumps
        ladder.renew(bot)
        seen = range(bot, bot + 1)
    if kind.returns:
        ladder = _Absence(world, Random(rng_seed))
        seen = _leave_and_return(ladder, random)
    truths = world.truths()
    for look in LOOKS:
        _play_until(ladder, seen, look)
        fitted = ladder.fit()
        for bot in seen:
            found = fitted.estimates[ladder.version[bot]]
            inside = found.low <= elo.START + truths[bot] <= found.high
            gaps = _told_apart(fitted, ladder.version, bot, truths)
            half_width = (found.high - found.low) / 2
            yield look, Found(inside, half_width, len(gaps), sum(gap < 0 for gap in gaps))


def _told_apart(fitted: Fit, versions: Sequence[int], bot: int, truths: np.ndarray) -> list[float]:
    """Return the true gaps, from whoever the ranges place above to whoever they place below."""
    ranges = fitted.rank_ranges(versions)
    best, worst = ranges[versions[bot]]
    others = [
        (*ranges[version], truths[bot] - truth)
        for version, truth in zip(versions, truths, strict=True)
        if version in ranges
    ]
    below = [gap for other_best, _, gap in others if worst < other_best]
    above = [-gap for _, other_worst, gap in others if other_worst < best]
    return [*below, *above]


class _Absence(Ladder):
    """A ladder on which a bot may be away."""

    away = -1

    def choose(self, *, random: Random | None = None, away: Container[int] = ()) -> tuple[int, ...]:
        return super().choose(random=random, away=(self.away,))


def _leave_and_return(ladder: _Absence, random: np.random.Generator) -> range:
    """Return a bot that was away while the others got better."""
    everybody = range(len(ladder.version))
    _play_until(ladder, everybody, BEFORE)
    ladder.away = bot = int(random.integers(len(everybody)))
    others = [other for other in everybody if other != bot]
    for other in others:
        ladder.world.strengths[other] += random.normal(*IMPROVEMENT)
        ladder.renew(other)
    _play_until(ladder, others, BEFORE)
    ladder.away = -1
    games = ladder.games[bot]
    ladder.renew(bot)  # for the fit; the online Elo goes on
    ladder.games[bot] = games
    return range(bot, bot + 1)


def _play_until(ladder: Ladder, bots: Collection[int], matches: int) -> None:
    versions = [ladder.version[bot] for bot in bots]
    while sum(ladder.matches[version] for version in versions) < matches * len(versions):
        ladder.play()


def _join(ladder: Ladder) -> None:
    ladder.version.append(len(ladder.version))
    ladder.newest.append(len(ladder.newest))
    ladder.elo.append(elo.START)
    ladder.games.append(0)
    ladder.waits_since.append(len(ladder.made))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20, help="ladders with one bot to look at")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=KINDS)
    chosen = parser.parse_args()
    everything: list[bool] = []
    low: list[str] = []
    apart = wrong = 0
    _show(f"{'':22} {'truths':>7}" + "".join(f"{look:>14}" for look in LOOKS))
    for name in chosen.kind or KINDS:
        kind = KINDS[name]
        found: dict[int, list[Found]] = {look: [] for look in LOOKS}
        for number in range(chosen.repeats if kind.looks_at_one else math.ceil(chosen.repeats / 5)):
            for look, one in run(kind, 1000 * chosen.seed + number):
                found[look].append(one)
        cells = []
        for look in LOOKS:
            inside = [one.inside for one in found[look]]
            everything += inside
            apart += sum(one.apart for one in found[look])
            wrong += sum(one.wrong for one in found[look])
            half = float(np.median([one.half_width for one in found[look]]))
            cells.append(f"{np.mean(inside):7.0%} ±{half:5.0f}")
            low += [name] if _are_too_few(inside, WANTED) else []
        _show(f"{name:22} {len(found[LOOKS[0]]):7} " + " ".join(cells))
    share = float(np.mean(everything))
    _show(f"Figures: {len(everything)} truths, {share:.2%} inside")
    _show(f"Figures: {apart} pairs told apart, {wrong / apart:.2%} wrongly")
    return int(_are_too_few(everything, WANTED_OVERALL) or bool(low) or wrong > MOST_WRONG * apart)


def _are_too_few(inside: list[bool], wanted: float) -> bool:
    return bool(stats.binom.cdf(sum(inside), len(inside), wanted) < SURELY)


def _show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
