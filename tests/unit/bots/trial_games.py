"""Trials by chance: how often each verdict comes, and after how many games.

`python -m tests.unit.bots.trial_games` prints the table of the decision about trials.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from arena.domain.bots import operating_characteristics
from botkit import sprt
from botkit.sprt import HEAD_STEPS, PANEL_EVERY, Design, PairCounts, Verdict

MAX_GAMES = 800
MARGIN = 60.0
DIFFERENCES = (-120, -60, 0, 30, 60, 120)
# How often a bot takes 0, ½, 1, 1½ or 2 points of a pair, as `drapeau bench --all -n 400 --json`
# counts them for house bots that are about as strong; and three extremes.
PAIRS = {
    "cards": (39, 7, 77, 6, 71),
    "classic": (8, 0, 64, 2, 126),
    "general": (16, 0, 85, 0, 99),
    "siege": (6, 47, 91, 49, 7),
    "nine of ten drawn": (5, 180, 1630, 180, 5),
    "the deal decides": (5, 0, 90, 0, 5),
    "chance decides": (50, 0, 100, 0, 50),
}


def shares_at(counts, nelo):
    """Return the frequencies of results, moved to a difference in normalized Elo."""
    results = [index / HEAD_STEPS for index in range(HEAD_STEPS + 1)]
    weights = [count or sprt.UNSEEN for count in counts]
    return sprt.likeliest(results, weights, sprt.head_deviations(nelo))


def trial(design, shares, level, chance, *, max_games=MAX_GAMES):
    """Play a trial of a version whose pairs come with `shares`; return its verdict and games.

    The bots of the panel are as strong as the old version, whose pairs come with `level`.
    """
    counts = PairCounts()
    pairs, verdict = 0, None
    while verdict is None and counts.games < max_games:
        pairs += 1
        if pairs % PANEL_EVERY:
            counts.add_head(pair(shares, chance))
        else:
            counts.add_panel(pair(shares, chance), pair(level, chance))
        verdict = sprt.evaluate(counts=counts, design=design).verdict
    return verdict, counts.games


def pair(shares, chance):
    """Return a share of the points of two games."""
    return chance.choices(range(HEAD_STEPS + 1), shares)[0] / HEAD_STEPS


def many(design, counts, nelo, *, trials, seed=1, max_games=MAX_GAMES):
    """Return the share of each verdict, None among them, and the mean number of games."""
    chance = Random(seed)
    shares, level = shares_at(counts, nelo), shares_at(counts, 0.0)
    ended = [trial(design, shares, level, chance, max_games=max_games) for _ in range(trials)]
    counted = Counter(verdict for verdict, _games in ended)
    found = {verdict: counted[verdict] / trials for verdict in (*Verdict, None)}
    return found, sum(games for _verdict, games in ended) / trials


def row(case, *, trials):
    """Return a line of the table, for a kind of game and a difference."""
    name, nelo = case
    design = Design(MARGIN)
    shares, games = many(design, PAIRS[name], nelo, trials=trials)
    return cells(name, nelo, [shares[verdict] for verdict in (*Verdict, None)], games)


def reckoned(nelo):
    """Return a line of the table as the product reckons it before a trial begins."""
    design = Design(MARGIN)
    told = operating_characteristics.of(design=design, nelo=nelo, max_games=MAX_GAMES)
    shares = [told.better, told.worse, told.level, told.unknown]
    return cells("reckoned", nelo, shares, told.games)


def cells(name, nelo, shares, games):
    """Return a line of a Markdown table."""
    columns = " | ".join(f"{100 * share:.1f} %" for share in shares)
    return f"| {name} | {nelo} | {columns} | {games:.0f} |"


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    given = parser.parse_args()
    lines = [
        f"{given.trials} trials each, margin {MARGIN:g}, at most {MAX_GAMES} games",
        "| games | really better by | better | worse | no difference | no answer | games, mean |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *map(reckoned, DIFFERENCES),
    ]
    cases = [(name, nelo) for name in PAIRS for nelo in DIFFERENCES]
    with ProcessPoolExecutor() as pool:
        lines += pool.map(partial(row, trials=given.trials), cases)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
