"""What self-play learns in some minutes, against greedy bots, in the smallest duel.

`python -m tests.integration.house_bots.learned --minutes 10 --seed 1` fails if it takes less than
60 % of 200 games from the starter of the game, which takes what it surely beats and else advances.
The games are in pairs with the seats exchanged. A stronger greedy bot, raider, is measured too.
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
from tests.integration.house_bots.house import Player, points
from tests.tree import ROOT
from tests.unit.engine.games import smallest_board

PAIRS = 100
SHARE = 0.6


def bot_of(folder: Path, name: str) -> type[Bot[Any]]:
    """Return the class of a name in the program of a bot's folder."""
    spec = importlib.util.spec_from_file_location(name.lower(), folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("type[Bot[Any]]", getattr(module, name))


def share_taken(game: str, bot: Player, greedy: Player, seed: int) -> float:
    """Return the share of the points that a bot takes from a greedy one."""
    taken = 0.0
    for pair in range(PAIRS):
        rng_seed = seat_seed(seed, f"pair {pair}")
        taken += points(game, bot, greedy, rng_seed)[0] + points(game, greedy, bot, rng_seed)[1]
    return taken / (2 * PAIRS)


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
        learned = bot_of(folder, "Learned")
        starter = bot_of(ROOT / "engine" / "variants" / game / "starter", "Starter")
        against = [share_taken(game, learned, each, given.seed) for each in (starter, "raider")]
    sys.stdout.write(
        f"Figures: after {given.minutes:g} minutes of {game}, {against[0]:.1%} of {2 * PAIRS} games"
        f" against its starter, {against[1]:.1%} against raider\n"
    )
    return int(against[0] < SHARE)


if __name__ == "__main__":
    sys.exit(main())
