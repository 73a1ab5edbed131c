"""What `drapeau play` adds to the time of the bots: whole games of a house bot against itself.

Prints `{"ours": [ms per game, …], "theirs": […]}`, one of each for every round: the time that games
take, one after the other, and the processor time of their bots.
"""

import argparse
import json
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

from botkit.games import Terms, play_game, schedule, seed_secret
from botkit.home import find_bot
from engine.clock import ClockSpec
from engine.registry import find, resolve_options

VARIANT = "classic"
GAMES = 1000  # more than a round takes


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("bot")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.7)
    given = parser.parse_args()
    bot = find_bot(given.bot)
    terms = Terms(VARIANT, resolve_options(find(VARIANT), {}), ClockSpec(bank_ms=10**9))
    games = schedule(VARIANT, bots=2, games=GAMES, swap=True, secret=seed_secret(1))
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(given.rounds):
            played, began_s, bots_s = 0, perf_counter(), cpu_of_children_s()
            while played < GAMES and perf_counter() - began_s < given.seconds:
                play_game(games[played], bots=[bot, bot], terms=terms, folder=Path(folder))
                played += 1
            ours.append((perf_counter() - began_s) / played * 1000)
            theirs.append((cpu_of_children_s() - bots_s) / played * 1000)
    print(json.dumps({"ours": ours, "theirs": theirs}))


def cpu_of_children_s() -> float:
    """Return the processor time of all processes that this one started and that have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
