"""The engine against the naive games: `python -m tests.independent --games 2000`.

Random games of every variant are played by both and compared ply by ply. The status is 1 where they
disagree, or where an ending that the rules have was never reached.
"""

import argparse
import secrets
import sys
from collections import Counter

from engine.registry import variants
from tests.independent.comparison import Disagreement, compare
from tests.independent.naive import naive


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.independent", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="of every variant")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9), help="of the first")
    given = parser.parse_args()
    failures = 0
    for slug, variant in variants().items():
        reached: Counter[str] = Counter()
        try:
            for rng_seed in range(given.seed, given.seed + given.games):
                reached += compare(variant, naive(slug), [rng_seed])
        except Disagreement as found:
            say(f"{slug}: {found}")
            failures += 1
        missing = sorted(naive(slug).endings - reached.keys())
        failures += bool(missing)
        say(f"{slug}: {dict(sorted(reached.items()))}, never reached: {missing}")
    say(f"Figures: {given.games} games of each of {len(variants())} variants, {failures} failures")
    return int(failures > 0)


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
