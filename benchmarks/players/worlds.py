"""How fast a bot goes forward and back in a world, beside the engine that plays forward only.

Prints `{"ours": [plies a second, …], "theirs": […]}`, one for every round. Both list all legal
actions at every ply and choose by chance. In a world each ply is applied and taken back, and counts
once. Processor time of this process is read.
"""

import argparse
import json
import time
from collections.abc import Callable
from random import Random

from botkit.worlds import World
from engine.duel.state import State
from engine.registry import find, resolve_options
from engine.rng import Rng

VARIANT = find("classic")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.7)
    given = parser.parse_args()
    dice = Random(1)  # noqa: S311 - games, not secrets
    ours, theirs = [], []
    for number in range(given.rounds):
        ours.append(pace(there_and_back, given.seconds, number, dice))
        theirs.append(pace(forward, given.seconds, number, dice))
    print(json.dumps({"ours": ours, "theirs": theirs}))


def pace(play: Callable[[State, Random], int], seconds: float, number: int, dice: Random) -> float:
    """Return how many plies a second are played."""
    plies, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        state, rng = VARIANT.begin(resolve_options(VARIANT, {}), 0), Rng(number + plies, "bench")
        for seat in VARIANT.seats:
            VARIANT.apply(state, seat, VARIANT.sample(state, seat, rng))
        plies += play(state, dice)
    return plies / spent


def there_and_back(state: State, dice: Random) -> int:
    world, plies = World(VARIANT, state, dice), 0
    while world.result is None:
        world.apply(dice.choice(world.legal()))
        plies += 1
    for _ in range(plies):
        world.undo()
    return plies


def forward(state: State, dice: Random) -> int:
    variant = VARIANT
    while variant.result(state) is None:
        (seat,) = variant.asked(state)
        variant.apply(state, seat, dice.choice(variant.legal(state, seat) or []))
    return variant.ply(state)


if __name__ == "__main__":
    main()
