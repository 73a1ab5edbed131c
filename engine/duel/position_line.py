"""What changes in a duel, as the fields of a position's line: see `botkit.positions`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from botkit.position_fields import (
    ID,
    NOTHING,
    UNKNOWN,
    matched,
    owner_of,
    rank_or_back,
    read_gone,
    whole,
    write_gone,
)

FIELDS = 4
_SQUARES = re.compile(rf"\.(\d+)|(~)|{ID}:(.)('?)(!?)")
_LAST = re.compile(rf"({ID}):([a-z]\d+)([a-z]\d+)x(\d+)")


def write(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of a view."""
    board = view["board"]
    signs = dict.fromkeys(board["lakes"], "~")
    for piece in view["pieces"]:
        marks = "'" * piece["moved"] + "!" * piece["revealed"]
        signs[piece["square"]] = f"{piece['id']}:{piece['rank'] or UNKNOWN}{marks}"
    files = [chr(97 + file) for file in range(board["files"])]
    rows = (
        "".join(signs.get(f"{file}{rank}", ".") for file in files)
        for rank in range(board["ranks"], 0, -1)
    )
    yield re.sub(r"\.+", lambda run: f".{len(run[0])}", "/".join(rows))
    yield write_gone(view["captured"])
    yield ",".join(
        f"{last['piece']}:{last['from']}{last['to']}x{last['repetition']}" if last else NOTHING
        for last in view["last"].values()
    )
    yield str(view["no_attack_plies"])


def read(view: dict[str, Any], fields: list[str]) -> None:
    """Put what the fields say into a view. Raise BadPosition."""
    rows, gone, last, quiet = fields
    seats = tuple(view["last"])
    pieces = []
    for rank, row in enumerate(reversed(rows.split("/")), start=1):
        file = 0
        for match in _SQUARES.finditer(row):
            if match[3]:
                piece = {
                    "id": match[3] + match[4],
                    "seat": owner_of(match[3], seats),
                    "square": f"{chr(97 + file)}{rank}",
                    "rank": rank_or_back(match[5], view["army"]),
                    "moved": bool(match[6]),
                    "revealed": bool(match[7]),
                }
                pieces.append(piece)
            file += int(match[1] or 1)
    view["pieces"] = sorted(
        pieces, key=lambda piece: (seats.index(piece["seat"]), int(piece["id"][1:]))
    )
    view["captured"] = read_gone(gone, seats, lambda _: view["army"])
    view["last"] = dict(zip(seats, map(_read_last, last.split(",")), strict=True))
    view["no_attack_plies"] = whole(quiet)


def _read_last(text: str) -> dict[str, Any] | None:
    if text == NOTHING:
        return None
    match = matched(_LAST, text)
    return {"piece": match[1], "from": match[4], "to": match[5], "repetition": int(match[6])}
