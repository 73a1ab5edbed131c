"""Count the results of pairs of games between house bots that are about as strong.

`python -m tests.integration.house_bots.pair_results --pairs 200`

`tests.unit.bots.trial_games` plays trials with these frequencies.
"""

import argparse
import sys
from collections.abc import Sequence

from tests.integration.house_bots.house import points

RESULTS = 5  # 0, ½, 1, 1½ or 2 points
MEETINGS = {
    "cards": ("cardsharp", "bookkeeper"),
    "classic": ("marshal", "sleuth"),
    "general": ("marshal", "sleuth"),
    "siege": ("castellan", "castellan"),
}


def count(slug: str, one: str, other: str, pairs: int) -> Sequence[int]:
    """Return how often `one` took 0, ½, 1, 1½ and 2 points of a pair.

    As on the site, each game of a pair has its own chance.
    """
    counts = [0] * RESULTS
    for rng_seed in range(pairs):
        again = rng_seed + pairs
        taken = points(slug, one, other, rng_seed)[0] + points(slug, other, one, again)[1]
        counts[round(2 * taken)] += 1
    return counts


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("variants", nargs="*", default=list(MEETINGS))
    given = parser.parse_args()
    for slug in given.variants:
        one, other = MEETINGS[slug]
        counts = count(slug, one, other, given.pairs)
        sys.stdout.write(f"{slug}: {one} against {other}: {counts}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
