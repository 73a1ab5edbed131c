"""Views that a bot keeps up to date itself: they are the views of the engine, at every act.

    python -m tests.unit.botkit.folded --games 10000 --seed 1

Random games of every variant with any of its readings; the seed of each follows from the seed.
"""

import argparse
import json
import secrets
import sys
from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import Any

from botkit.shapes import folded
from engine.registry import variants
from engine.rng import Rng
from engine.variant import Variant
from tests.unit.engine.games import caps, random_game

LONG = 400  # plies, so that late positions are reached too


def differing(
    variant: Variant[Any], options: Mapping[str, Any], rng_seed: int
) -> tuple[int, str | None]:
    """Fold a random game for every seat. Count the views, and name the first that differs."""
    kept: dict[str, Any] = {}
    pending: dict[str, list[Any]] = {seat: [] for seat in variant.seats}
    views = 0
    state = None
    for state, seat, action in random_game(variant, rng_seed, options):
        for asked in variant.asked(state) if seat else ():
            act = {"ply": variant.ply(state), "phase": variant.phase(state)}
            view = variant.view(state, asked)
            if asked in kept and pending[asked]:
                before = json.dumps(kept[asked])
                own = folded(kept[asked], {**act, "events": pending[asked]}, options)
                views += 1
                if own != view or json.dumps(kept[asked]) != before:
                    return views, f"{variant.name} {options}, seed {rng_seed}: {asked} at {act}"
            kept[asked], pending[asked] = view, []
        if seat:
            events = variant.apply(variant.copy(state), seat, action)
            for each, heard in pending.items():
                heard += [event.seen_by(each) for event in events]
    return views, None


def games(rng_seed: int) -> Iterator[tuple[Variant[Any], dict[str, Any], int]]:
    """Yield variants with options chosen at random and a seed, without end."""
    for number in count(rng_seed):
        for slug, variant in variants().items():
            rng = Rng(number, f"options of {slug}")
            chosen = {
                key: rng.choice(option.allowed)
                for key, option in variant.options.items()
                if option.least is None
            }
            yield variant, {**caps(variant, LONG), **chosen}, number


def main() -> None:
    """Print how many views were compared, or which one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    given = parser.parse_args()
    total = 0
    for game in islice(games(given.seed), given.games):
        views, difference = differing(*game)
        total += views
        if difference:
            sys.exit(f"a folded view differs: {difference}")
    sys.stdout.write(f"seed {given.seed}: {given.games} games, {total} views are as folded\n")


if __name__ == "__main__":
    main()
