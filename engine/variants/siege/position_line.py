"""What changes in a siege, as the fields of a position's line: see `botkit.positions`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from botkit.position_fields import (
    ID,
    NOTHING,
    matched,
    owner_of,
    rank_in,
    read_gone,
    whole,
    write_gone,
)
from engine.variants.siege.typed_view import counts

FIELDS = 5
_TROOPER = re.compile(rf"({ID}):(.)@([A-Z]+|[a-z]\d+)(d|l)?")
_SHADES = {"d": "dark", "l": "light", "": None, None: None}


def write(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of a view."""
    yield ",".join(
        f"{piece['id']}:{piece['rank']}@{piece['square']}{(piece['bound'] or '')[:1]}"
        for piece in view["pieces"]
    )
    yield write_gone(view["captured"])
    demand = view["demand"]
    yield f"{demand['seat']}!{demand['asks']}{'!' * demand['binds']}" if demand else NOTHING
    yield str(view["turn"])
    yield str(view["no_progress_plies"])


def read(view: dict[str, Any], fields: list[str]) -> None:
    """Put what the fields say into a view. Raise BadPosition."""
    pieces, gone, demand, turn, quiet = fields
    seats = tuple(view["army"])
    troopers = (matched(_TROOPER, piece) for piece in pieces.split(","))
    view["pieces"] = [
        {
            "id": trooper[1],
            "seat": owner_of(trooper[2], seats),
            "rank": rank_in(trooper[4], view["army"][owner_of(trooper[2], seats)]),
            "square": trooper[5],
            "bound": _SHADES[trooper[6]],
        }
        for trooper in troopers
    ]
    view["captured"] = read_gone(gone, seats, view["army"].get)
    view["demand"] = None
    if demand != NOTHING:
        seat, asks, *binds = demand.split("!")
        view["demand"] = {"seat": seat, "asks": asks, "binds": bool(binds)}
    view["turn"], view["no_progress_plies"] = whole(turn), whole(quiet)
    view |= counts(view["pieces"], view["captured"], view["board"]["circles"])
