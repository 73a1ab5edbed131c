"""Random play of the Stratego of TextArena, without its wrappers for language models.

Its legal actions come as text and are read from it. More than half of its random games end in an
exception of its own (a list of pieces that a fight leaves out of date), a quarter where a player
has no move and the game goes on. The plies until then count, and so does their time.
"""

import re
from contextlib import suppress
from importlib.metadata import version

import textarena

from benchmarks.players import pace

MOVE = re.compile(r"\[[A-J]\d [A-J]\d\]")
LISTED = "Available Moves: "


def open_up() -> tuple[str, pace.Game]:
    return f"TextArena {version('textarena')} Stratego", play


def play(number: int, dice: pace.Dice) -> int:
    env = textarena.make("Stratego-v0-raw")
    env.reset(num_players=2, seed=number)
    plies, over = 0, False
    with suppress(TypeError):
        while not over:
            _, observation = env.get_observation()
            text = observation[-1][1]
            actions = MOVE.findall(text, text.rindex(LISTED))
            if not actions:
                break
            over, _ = env.step(actions[int(dice() * len(actions))])
            plies += 1
    return plies


if __name__ == "__main__":
    pace.run(open_up)
