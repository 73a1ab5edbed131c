"""Random play of one of our variants through its public API.

Every ply all legal actions are listed, the events are looked at, and the game is asked for its end;
at the end the last event and the result must agree.
"""

import argparse
from typing import Any

from benchmarks.players import pace
from engine.registry import find, resolve_options
from engine.rng import Rng
from engine.variant import Variant
from engine.version import VERSION


class Disagreement(AssertionError):
    """The events of a game and its result tell two stories."""


def open_up() -> tuple[str, pace.Game]:
    parser = argparse.ArgumentParser()
    parser.add_argument("variant")
    variant = find(parser.parse_known_args()[0].variant)
    rng = Rng(1, "deployments")
    who = f"drapeau {VERSION} {variant.name}"
    return who, lambda number, dice: play(variant, number, rng, dice)


def play(variant: Variant[Any], number: int, rng: Rng, dice: pace.Dice) -> int:
    """Play one game and give its plies; deployments are none."""
    legal, apply, result, asked = variant.legal, variant.apply, variant.result, variant.asked
    state = variant.begin(resolve_options(variant, {}), number)
    told = None
    while result(state) is None:
        for seat in asked(state):
            actions = legal(state, seat)
            if actions is None:
                action = variant.draft(variant.view(state, seat), rng)
            else:
                action = actions[int(dice() * len(actions))]
            for event in apply(state, seat, action):
                if event.kind == "ended":
                    told = event.public
    end = result(state)
    if end is None or told is None or told["termination"] != end.termination:
        raise Disagreement(f"{variant.name}, game {number}: {told} and {end}")
    return variant.ply(state)


if __name__ == "__main__":
    pace.run(open_up)
