"""Trials by chance: how often each verdict comes, and after how many games."""

from collections import Counter
from random import Random

from botkit import sprt
from botkit.sprt import HEAD_STEPS, PANEL_EVERY, PairCounts, Verdict

MAX_GAMES = 800

# How often a bot takes 0, ½, 1, 1½ or 2 points of a pair, as `drapeau bench --all -n 400 --json`
# counts them for house bots that are about as strong; and an extreme.
PAIRS = {
    "cards": (39, 7, 77, 6, 71),
    "general": (16, 0, 85, 0, 99),
    "siege": (6, 47, 91, 49, 7),
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
