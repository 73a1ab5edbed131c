"""What every player program does alike: warm up, play whole games for a while, print one line.

Python's own clock of the processor time of this process is read, as a busy machine does not reach
it. A contender is imported by its own player program and nowhere else.
"""

import argparse
import json
import platform
import time
from collections.abc import Callable
from random import Random

Dice = Callable[[], float]  # in [0, 1)
Game = Callable[[int, Dice], int]  # plays the game of a number, gives its plies


def run(open_up: Callable[[], tuple[str, Game]]) -> None:
    """Print `{"who", "python", "plies", "games", "seconds"}`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.7, help="of play, after a first game")
    given, _ = parser.parse_known_args()
    who, game = open_up()
    dice = Random(1).random  # noqa: S311 - games, not secrets
    game(0, dice)
    plies = games = 0
    began = now = time.process_time()
    while now - began < given.seconds:
        games += 1
        plies += game(games, dice)
        now = time.process_time()
    told = {"who": who, "python": platform.python_version(), "plies": plies, "games": games}
    print(json.dumps({**told, "seconds": now - began}))
