"""Trials by chance: how often each verdict comes, and after how many games.

`python -m tests.unit.bots.trial_games` prints the table of the decision about trials.
"""

import sys
from collections import Counter
from random import Random

from arena.domain.bots import sprt
from arena.domain.bots.sprt import GAMES_IN_A_PAIR, PANEL_EVERY, Design, PairCounts, Verdict
from arena.domain.ratings import elo

MAX_GAMES = 600
TRIALS = 1000
DIFFERENCES = (-100, -50, 0, 25, 50, 100, 200)


def trial(design, difference, chance, *, max_games=MAX_GAMES, draws=0.1):
    """Play a trial of a version that is better by `difference`; return its verdict and games.

    The bots of the panel are as strong as the old version.
    """
    evidence = PairCounts()
    expected = elo.expected(difference, 0.0)
    pairs, verdict = 0, None
    while verdict is None and evidence.games < max_games:
        pairs += 1
        if pairs % PANEL_EVERY:
            evidence.add_head(pair(expected, draws, chance))
        else:
            evidence.add_panel(pair(expected, draws, chance), pair(0.5, draws, chance))
        verdict = sprt.judge(evidence=evidence, design=design).verdict
    return verdict, evidence.games


def pair(expected, draws, chance):
    """Return a share of the points of two games."""
    return sum(game(expected, draws, chance) for _ in range(GAMES_IN_A_PAIR)) / GAMES_IN_A_PAIR


def game(expected, draws, chance):
    """Return the points of a game: a draw with the chance of one, else as expected."""
    if chance.random() < draws:
        return 0.5
    return float(chance.random() < (expected - draws / 2) / (1 - draws))


def many(design, difference, *, trials, seed=1, max_games=MAX_GAMES):
    """Return the share of each verdict, None among them, and the mean number of games."""
    chance = Random(seed)
    ended = [trial(design, difference, chance, max_games=max_games) for _ in range(trials)]
    counted = Counter(verdict for verdict, _games in ended)
    shares = {verdict: counted[verdict] / trials for verdict in (*Verdict, None)}
    return shares, sum(games for _verdict, games in ended) / trials


def table():
    """Yield the lines of the table."""
    design = Design(50.0)
    yield f"{TRIALS} trials each, elo1 {design.elo1:g}, at most {MAX_GAMES} games"
    yield "| really better by | better | worse | no difference | no answer | games, mean |"
    yield "|---:|---:|---:|---:|---:|---:|"
    for difference in DIFFERENCES:
        shares, games = many(design, difference, trials=TRIALS)
        columns = " | ".join(f"{100 * shares[verdict]:.1f} %" for verdict in (*Verdict, None))
        yield f"| {difference} | {columns} | {games:.0f} |"


if __name__ == "__main__":
    for line in table():
        sys.stdout.write(f"{line}\n")
