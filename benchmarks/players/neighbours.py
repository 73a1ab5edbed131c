"""Whether neighbours that burn every core change a result: the same games, idle and beside them.

Prints `{"ours": [games that came out otherwise, …], "theirs": [games, …]}`, one for every round.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from engine.protocol import PlatformFault
from sandbox.levels.isolation import choose
from tests.sandbox.neighbours import burning, game, story


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, help="taken and not needed: a game is a game")
    given = parser.parse_args()
    flipped = []
    try:
        isolation = choose("docker")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            for rng_seed in range(given.rounds):
                quiet = game(isolation, folder, rng_seed)
                with burning(isolation, folder):
                    loud = game(isolation, folder, rng_seed)
                flipped.append(int(story(quiet) != story(loud)))
    except PlatformFault as fault:
        sys.exit(str(fault))
    print(json.dumps({"ours": flipped, "theirs": [1] * given.rounds}))


if __name__ == "__main__":
    main()
