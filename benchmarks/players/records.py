"""How large the record of a long game is, as it is stored, beside its moves as text under gzip.

Prints `{"ours": [bytes, …], "theirs": […]}`, one for every round: a random game of `classic` of at
least 1000 plies, its first 1000. The times of the actions, which the text has not got, are drawn.
"""

import argparse
import gzip
import json
from random import Random

from arena.domain.matches import record_compression
from engine.outcome import Result
from engine.record import FORMAT, Played, PlayerId, Record, sealed
from engine.registry import find, resolve_options
from engine.rng import Rng
from engine.version import VERSION

PLIES = 1000
SLOWEST_MS = 30


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, help="taken and not needed: bytes are bytes")
    given = parser.parse_args()
    ours: list[int] = []
    theirs: list[int] = []
    seed = 0
    while len(ours) < given.rounds:
        seed += 1
        actions = long_game(seed)
        if len(actions) >= PLIES:
            ours.append(len(record_compression.packed(text=record(seed, actions).to_json())))
            text = "\n".join(played.action for played in actions).encode()
            theirs.append(len(gzip.compress(text, 9)))
    print(json.dumps({"ours": ours, "theirs": theirs}))


def long_game(seed: int) -> list[Played]:
    """Play at random and give the actions, deployments among them, up to so many plies."""
    dice, rng = Random(seed), Rng(seed, "deployments")  # noqa: S311 - games, not secrets
    variant = find("classic")
    state = variant.begin(resolve_options(variant, {}), seed)
    actions: list[Played] = []
    while variant.result(state) is None and variant.ply(state) < PLIES:
        for seat in variant.asked(state):
            legal = variant.legal(state, seat)
            if legal is None:
                action = variant.draft(variant.view(state, seat), rng)
            else:
                action = dice.choice(legal)
            variant.apply(state, seat, action)
            actions.append(Played(seat, action, dice.randrange(SLOWEST_MS)))
    return actions


def record(seed: int, actions: list[Played]) -> Record:
    """Return the record that the site would keep of it."""
    variant = find("classic")
    return sealed(
        Record(
            format=FORMAT,
            engine=VERSION,
            variant=variant.name,
            options=resolve_options(variant, {}),
            rng_seed=seed,
            game=f"{seed:016x}/1",
            players={seat: PlayerId(f"user/{seat} v1", f"{seed:064x}") for seat in variant.seats},
            clock={"startup_ms": 10_000, "bank_ms": 60_000, "basis": "cpu"},
            isolation="docker",
            actions=tuple(actions),
            result=Result(dict.fromkeys(variant.seats, 0.5), "ply_cap"),
        )
    )


if __name__ == "__main__":
    main()
