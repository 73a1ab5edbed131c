"""What changes in a game, as the fields of a position's line: the waters of red, then of blue.

`C:a1a2a3a4,D:-,S:-,L:- d4,e5:D` are the ships with their squares, then the shots in their order.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from botkit.position_fields import NOTHING, matched, or_nothing

FIELDS = 4
_SHIP = re.compile(r"([A-Z]):(-|(?:[a-h][1-8])+)")
_SHOT = re.compile(r"([a-h][1-8])(?::([A-Z]))?")


def write(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of a view."""
    for waters in view["seats"].values():
        yield ",".join(
            f"{ship}:{or_nothing(squares and ''.join(squares))}"
            for ship, squares in waters["ships"].items()
        )
        shots = (
            shot["square"] + (f":{shot['ship']}" if shot["ship"] else "")
            for shot in waters["shots"]
        )
        yield ",".join(shots) or NOTHING


def read(view: dict[str, Any], fields: list[str]) -> None:
    """Put what the fields say into a view. Raise BadPosition."""
    for waters, ships, shots in zip(view["seats"].values(), fields[::2], fields[1::2], strict=True):
        found = [matched(_SHIP, word) for word in ships.split(",")]
        waters["ships"] = {
            ship[1]: None if ship[2] == NOTHING else re.findall("..", ship[2]) for ship in found
        }
        fallen = [] if shots == NOTHING else [matched(_SHOT, word) for word in shots.split(",")]
        waters["shots"] = [{"square": shot[1], "ship": shot[2]} for shot in fallen]
        hits = [shot["ship"] for shot in waters["shots"]]
        waters["sunk"] = [
            ship for ship, length in view["fleet"].items() if hits.count(ship) == length
        ]
