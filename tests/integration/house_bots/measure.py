"""Measure the house bots against each other.

`python -m tests.integration.house_bots.measure --pairs 20`

A pair is two games with the same `rng_seed` and the seats exchanged. Prints, for every variant, the
share of the points that the row's bot took from the column's, and what each bot costs per move.
"""

import argparse
import itertools
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.registry import find
from tests.integration.house_bots.house import LADDERS, play_game


@dataclass
class Tally:
    """What was seen in some games of one variant."""

    points: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    endings: Counter[str] = field(default_factory=Counter)
    plies: list[int] = field(default_factory=list)
    spent_s: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    asked: Counter[str] = field(default_factory=Counter)

    def add(self, slug: str, first: str, second: str, rng_seed: int) -> None:
        """Play one game and count it."""
        record, table = play_game(slug, first, second, rng_seed)
        outcome = record.result.points
        assert outcome is not None
        one, other = find(slug).sides
        self.points[first, second] += outcome[one]
        self.points[second, first] += outcome[other]
        self.endings[record.result.termination] += 1
        self.plies.append(len(record.actions))
        for seat, player in record.players.items():
            self.spent_s[player.name] += table.spent_s[seat]
            self.asked[player.name] += table.asked[seat]


def measure(slug: str, pairs: int, names: Sequence[str]) -> Tally:
    """Play every two bots against each other for so many pairs of games."""
    tally = Tally()
    for one, other in itertools.combinations(names, 2):
        for rng_seed in range(pairs):
            tally.add(slug, one, other, rng_seed)
            tally.add(slug, other, one, rng_seed)
    return tally


def table(tally: Tally, pairs: int, names: Sequence[str]) -> str:
    """Draw the shares of the points as text."""
    lines = [" " * 12 + "".join(f"{name:>12}" for name in names)]
    for one in names:
        cells = [
            "-" if one == other else f"{100 * tally.points[one, other] / (2 * pairs):.0f} %"
            for other in names
        ]
        lines.append(f"{one:12}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(lines)


def report(slug: str, pairs: int, names: Sequence[str]) -> str:
    """Play and draw one variant."""
    tally = measure(slug, pairs, names)
    mean = sum(tally.plies) / len(tally.plies)
    endings = ", ".join(f"{why} {count}" for why, count in tally.endings.most_common())
    costs = (f"{name} {1000 * tally.spent_s[name] / tally.asked[name]:.2f}" for name in names)
    return (
        f"{slug}: {2 * pairs} games per meeting\n"
        f"{table(tally, pairs, names)}\n"
        f"plies: mean {mean:.0f}, longest {max(tally.plies)}; {endings}\n"
        f"ms per move: {', '.join(costs)}\n\n"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--variants", nargs="+", default=list(LADDERS))
    parser.add_argument("--bots", nargs="+", help="all house bots that play it, if not given")
    chosen = parser.parse_args()
    for slug in chosen.variants:
        sys.stdout.write(report(slug, chosen.pairs, chosen.bots or LADDERS[slug]))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
