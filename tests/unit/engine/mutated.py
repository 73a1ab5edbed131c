"""Records that were changed at random: they are refused, and nothing else happens.

    python -m tests.unit.engine.mutated --records 10000 --seed 1

The seed of each game and of the changes follow from the seed.
"""

import argparse
import json
import random
import secrets
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from engine.errors import BadRecord, UnknownVariant
from engine.record import Record, sealed, verify
from engine.registry import find, variants
from engine.replay import replay, scene_at
from engine.variant import FULL, PUBLIC
from tests.unit.engine.games import caps
from tests.unit.engine.refereed import record_of

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1.5, -0.0, 1e308, 2**53, 2**70, 10**400, "", "x", "red", "\0",
    "\ud800", "\u0663", "general@1", "deploy", [], {}, [[]], [1], {"a": 1}, [["a", 1]],
)  # fmt: skip
KEYS = ("", "x", "red", "basis", "startup_used_ms", "signature", "chance")
DEEPER = 0.85  # how often a change goes further in from where it is


def mutants(count: int, seed: int) -> Iterator[Record]:
    """Return so many records that can be read, of random games and each with some changes."""
    chance = random.Random(seed)
    games = [
        json.loads(record_of(variant, rng_seed, caps(variant)).to_json())
        for variant in variants().values()
        for rng_seed in (seed, seed + 1)
    ]
    while count:
        words = json.loads(json.dumps(chance.choice(games)))
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            change(words, chance)
        try:
            record = Record.from_json(json.dumps(words))
        except BadRecord:
            continue
        yield chance.choice((record, sealed(record)))
        count -= 1


def change(words: Any, chance: random.Random) -> None:
    """Change a value somewhere in it, in place."""
    within: Any = words
    while True:
        keys = list(within) if isinstance(within, dict) else range(len(within))
        key: Any = chance.choice(keys)
        value = within[key]
        if not value or not isinstance(value, dict | list) or chance.random() > DEEPER:
            break
        within = value
    other: Any = chance.choice(keys)
    way = chance.randrange(6)
    if way == 0:
        within[key] = chance.choice(STRANGE)
    elif way == 1:
        del within[key]
    elif way == 2:
        within[key], within[other] = within[other], within[key]
    elif way == 3 and isinstance(within, list):
        within.insert(key, within[other])
    elif way == 3:
        within[chance.choice(KEYS)] = value
    else:
        within[key] = near(value, chance)


def near(value: Any, chance: random.Random) -> Any:
    """Return something of the same type, if it is a text or a whole number."""
    if isinstance(value, str) and value:
        at = chance.randrange(len(value))
        new = chance.choice(("", "a", "9", "\xe9", "-", "x", " ", value[at] * 2))
        return value[:at] + new + value[at + chance.randrange(2) :]
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 1000, -(10**6), 10**30, 10**400))
    return chance.choice(STRANGE)


def trouble(record: Record, chance: random.Random) -> str:
    """Return what else than a refusal came of the record; nothing, if all is well."""
    try:
        seats = find(record.variant).seats
    except UnknownVariant:
        seats = ()
    observer = chance.choice((*seats, PUBLIC, FULL))
    for act in (
        lambda: verify(record),
        lambda: replay(record, observer),
        lambda: scene_at(record, observer, chance.randrange(20)),
    ):
        try:
            act()
        except BadRecord:
            continue
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            return f"{record.to_json()}\n{traceback.format_exc()}"
    return ""


def main() -> int:
    """Run as many as were asked for; return 1 if one was not simply refused."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.unit.engine.mutated", description=__doc__
    )
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    given = parser.parse_args()
    chance = random.Random(given.seed)
    said = [trouble(record, chance) for record in mutants(given.records, given.seed)]
    found = [words for words in said if words]
    sys.stdout.writelines(found)
    figures = f"{given.records} changed records, {len(found)} errors that are no refusal"
    sys.stdout.write(f"Figures: {figures}\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
