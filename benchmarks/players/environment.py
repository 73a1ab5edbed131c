"""Random play in our environment of PettingZoo: `last()` at every step, a number from its mask.

So each step makes the tensor of a view and a mask. The steps of the set-ups count like the others.
"""

import argparse

import numpy as np

from benchmarks.players import pace
from botkit.learning.environments import env


def open_up() -> tuple[str, pace.Game]:
    parser = argparse.ArgumentParser()
    parser.add_argument("variant")
    slug = parser.parse_known_args()[0].variant
    world = env(slug)

    def play(number: int, dice: pace.Dice) -> int:
        world.reset(seed=number)
        steps = 0
        while True:
            seen, _, terminated, truncated, _ = world.last()
            if terminated or truncated:
                return steps
            numbers = np.flatnonzero(seen["action_mask"])
            world.step(int(numbers[int(dice() * len(numbers))]))
            steps += 1

    return f"environment of {slug}", play


if __name__ == "__main__":
    pace.run(open_up)
