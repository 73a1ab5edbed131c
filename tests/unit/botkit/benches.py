"""Benches of two copies of a bot: how often they are told apart, through the command itself.

`python -m tests.unit.botkit.benches --runs 200 --seed 1` fails if "better" or "worse" comes
significantly more often than the 5 % that a bench promises for each.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from scipy.stats import binomtest

GAME = "general"
PROMISED = 0.05
SIGNIFICANT = 0.01
MARGIN = 200  # the largest: it takes the fewest games


def drapeau(*words):
    """Run a command and return what it prints; 1 and 3 are verdicts too."""
    command = (sys.executable, "-m", "botkit.cli", *map(str, words))
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.returncode)
    return done.stdout


def one_bench(bot, seed, folder):
    """Bench a bot against itself; return the verdict and the number of games."""
    words = ("--margin", MARGIN, "-j", 2, "--seed", seed, "--record-dir", folder, "--json")
    told = json.loads(drapeau("bench", bot, bot, *words))
    return told["sprt"]["verdict"] or "not yet known", told["games"]


def main():
    """Run the benches and print the share of each verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seeds = Random(given.seed)
    verdicts: Counter[str] = Counter()
    games = 0
    with tempfile.TemporaryDirectory() as place:
        bot = Path(place) / "copy"
        drapeau("init", GAME, bot, "--lang", "c")
        for run in range(given.runs):
            verdict, played = one_bench(bot, seeds.getrandbits(48), Path(place) / f"run-{run}")
            verdicts[verdict] += 1
            games += played
    counts = ", ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items()))
    sys.stdout.write(f"Figures: {given.runs} benches of copies, {games} games: {counts}\n")
    wrong = [
        verdict
        for verdict in ("better", "worse")
        if binomtest(verdicts[verdict], given.runs, PROMISED, "greater").pvalue < SIGNIFICANT
    ]
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
