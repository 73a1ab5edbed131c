"""What self-play learns in some minutes, against a greedy house bot, in the smallest duel.

`python -m tests.integration.house_bots.learned --minutes 10 --seed 1` fails if it takes less than
60 % of 200 games. The games are in pairs with the seats exchanged.
"""

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from botkit import Bot
from botkit.learning import selfplay
from engine.rng import seat_seed
from tests.integration.house_bots.house import points
from tests.unit.engine.games import smallest_board

GREEDY = "raider"  # takes what it can win, else advances
PAIRS = 100
SHARE = 0.6


def learned(folder: Path) -> type[Bot[Any]]:
    """Return the bot that self-play has written to a folder."""
    spec = importlib.util.spec_from_file_location("learned", folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("type[Bot[Any]]", module.Learned)


def share_taken(bot: type[Bot[Any]], game: str, seed: int, pairs: int = PAIRS) -> float:
    """Return the share of the points that a bot takes from the greedy one."""
    taken = 0.0
    for pair in range(pairs):
        rng_seed = seat_seed(seed, f"pair {pair}")
        taken += points(game, bot, GREEDY, rng_seed)[0] + points(game, GREEDY, bot, rng_seed)[1]
    return taken / (2 * pairs)


def main() -> int:
    """Learn, play the games, and return 1 if too few were won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = smallest_board()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "learned"
        words = ("--minutes", str(given.minutes), "--seed", str(given.seed), "--to", str(folder))
        selfplay.main((game, *words))
        taken = share_taken(learned(folder), game, given.seed)
    sys.stdout.write(
        f"Figures: after {given.minutes:g} minutes, {taken:.1%} of {2 * PAIRS} games of {game}"
        f" against {GREEDY}\n"
    )
    return int(taken < SHARE)


if __name__ == "__main__":
    sys.exit(main())
