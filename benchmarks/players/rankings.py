"""Games until the ranking of 32 simulated bots is right: our ladder against others.

Prints `{"ours": [games, …], "theirs": […]}`, one for every round: medians over worlds, the same for
both sides. Theirs is nearest-rating pairing with plain Elo. With `--table` all ways are shown, in
all kinds of worlds.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from statistics import median

from arena.domain.ratings import elo
from benchmarks.simulation.books import Book, K, plain
from benchmarks.simulation.makers import MAKERS
from benchmarks.simulation.ranking import Rank, games_until_right, most_games
from benchmarks.simulation.worlds import WORLDS

WORLDS_IN_A_ROUND = 5


@dataclass(frozen=True)
class Way:
    """Who meets, and what the bots are ranked by."""

    maker: str
    k: K = plain
    rank: Rank = Book.by_number
    words: str = "plain Elo"


BY_NUMBER = Way("ours", elo.k_factor, words="the number")
BY_ESTIMATE = Way("ours", elo.k_factor, Book.by_estimate, "the estimate")
THEIRS = Way("nearest")
OURS = {"number": BY_NUMBER, "estimate": BY_ESTIMATE}
WAYS = (
    BY_NUMBER,
    BY_ESTIMATE,
    THEIRS,
    Way("random"),
    Way("Swiss"),
    Way("nearest", elo.k_factor, words="the number"),
    Way("random", elo.k_factor, words="the number"),
    Way("Swiss", elo.k_factor, words="the number"),
    Way("nearest", elo.k_factor, Book.by_estimate, "the estimate"),
    Way("random", elo.k_factor, Book.by_estimate, "the estimate"),
    Way("Swiss", elo.k_factor, Book.by_estimate, "the estimate"),
)


def games(way: Way, kind: str, seed: int) -> int:
    """Play one ladder."""
    fits = way.rank is Book.by_estimate or way.maker == "ours"
    book = Book(way.k, fits)
    return games_until_right(WORLDS[kind](seed), book, MAKERS[way.maker], way.rank, seed)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("way", nargs="?", default="number", choices=OURS)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, help="taken and not needed: worlds are worlds")
    parser.add_argument("--table", action="store_true", help="every way in every kind of world")
    given = parser.parse_args()
    if given.table:
        table(given.rounds)
        return
    seeds = [range(n * WORLDS_IN_A_ROUND, (n + 1) * WORLDS_IN_A_ROUND) for n in range(given.rounds)]
    told = {
        side: [median(games(way, "constant", seed) for seed in some) for some in seeds]
        for side, way in (("ours", OURS[given.way]), ("theirs", THEIRS))
    }
    print(json.dumps(told))


def table(rounds: int) -> None:
    """Print the medians over so many worlds of each kind, with the least and the most."""
    print("pairing, ranked by | " + " | ".join(WORLDS))
    for way in WAYS:
        cells = []
        for kind in WORLDS:
            found = sorted(games(way, kind, seed) for seed in range(rounds))
            middle = median(found)
            never = "≥ " if middle >= most_games(WORLDS[kind](0)) else ""
            cells.append(f"{never}{middle:.0f} ({found[0]}-{found[-1]})")
        print(f"{way.maker}, {way.words} | " + " | ".join(cells))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
