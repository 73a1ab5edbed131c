"""What changes in a card game, as the fields of a position's line: see `botkit.positions`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from botkit.position_fields import (
    ID,
    NOTHING,
    UNKNOWN,
    matched,
    or_nothing,
    rank_in,
    rank_or_back,
    read_gone,
    whole,
    write_gone,
)

FIELDS = 6
_CARD = re.compile(rf"\.|({ID}):(.)(!?)(\*?)")
_SIDE = re.compile(r"([^/]+)/([^/]*)/(\d+)(?::(.*))?")


def write(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of a view."""
    for side in view["seats"].values():
        line = ",".join(
            f"{card['id']}:{card['rank'] or UNKNOWN}{'!' * card['revealed']}{'*' * card['seen']}"
            if card
            else "."
            for card in side["line"]
        )
        hand = "".join(rank or UNKNOWN for rank in side["hand"])
        order = side["pile_order"]
        suffix = "" if order is None else f":{''.join(order)}"
        yield f"{line}/{hand}/{side['pile']}{suffix}"
    yield write_gone(view["removed"])
    yield str(view["turn"])
    yield str(view["no_fight_turns"])
    yield or_nothing(view["again"])


def read(view: dict[str, Any], fields: list[str]) -> None:
    """Put what the fields say into a view. Raise BadPosition."""
    *sides, gone, turn, quiet, again = fields
    seats, deck = tuple(view["seats"]), view["deck"]
    for seat, side in zip(seats, sides, strict=True):
        line, hand, pile, order = matched(_SIDE, side).groups()
        view["seats"][seat] = {
            "line": [_read_card(card, deck) for card in line.split(",")],
            "hand": [rank_or_back(sign, deck) for sign in hand],
            "pile": int(pile),
            "pile_order": None if order is None else [rank_in(sign, deck) for sign in order],
        }
    view["removed"] = read_gone(gone, seats, lambda _: deck)
    view["turn"], view["no_fight_turns"] = whole(turn), whole(quiet)
    view["again"] = None if again == NOTHING else whole(again)


def _read_card(text: str, deck: Iterable[str]) -> dict[str, Any] | None:
    match = matched(_CARD, text)
    if match[1] is None:
        return None
    marks = {"revealed": bool(match[5]), "seen": bool(match[6])}
    return {"id": match[1], "rank": rank_or_back(match[4], deck), **marks}
