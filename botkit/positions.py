"""A position as one line of text, as one observer may see it: to paste, to keep, to compare.

`write` makes the line of a view, and `read` makes the view of a line. `docs/reference/positions.md`
describes the lines. What never changes in a game, such as the board, follows from the variant and
its options; the line has the rest of the view and nothing else.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from botkit import siege
from engine import replay as engine_replay
from engine.errors import EngineError
from engine.record import Record
from engine.registry import find, resolve_options
from engine.variant import FULL, PUBLIC

View = dict[str, Any]
Options = Mapping[str, Any]

HEAD_FIELDS = 5
NOTHING = "-"
UNKNOWN = "?"
_ID = r"([a-z])(\d+)"
_GONE = re.compile(rf"{_ID}:(.)")
_SQUARES = re.compile(rf"\.(\d+)|(~)|{_ID}:(.)('?)(!?)")
_LAST = re.compile(rf"({_ID}):([a-z]\d+)([a-z]\d+)x(\d+)")
_TROOPER = re.compile(rf"({_ID}):(.)@([A-Z]+|[a-z]\d+)(d|l)?")
_CARD = re.compile(rf"\.|({_ID}):(.)(!?)(\*?)")
_SIDE = re.compile(r"([^/]+)/([^/]*)/(\d+)(?::(.*))?")
_SHADES = {"d": "dark", "l": "light", "": None, None: None}


class BadPosition(ValueError):
    """A line that is no position; the text says why."""


class Position(NamedTuple):
    """What a line tells: a view, and all options of the game."""

    view: View
    options: dict[str, Any]


def write(view: Mapping[str, Any], options: Options) -> str:
    """Write the view of a seat, `public` or `full` as a line.

    Raise BadPosition for a game of a family that is not known here.
    """
    variant = find(view["variant"])
    whole = resolve_options(variant, options)
    first = variant.view(variant.begin(whole, 0), view["observer"])
    set_up = "+" if "home" in view and view["phase"] != "deploy" else ""
    head = (
        variant.name,
        view["observer"],
        view["phase"] + set_up,
        str(view["ply"]),
        "+".join(view["to_act"]) or NOTHING,
    )
    chosen = (
        f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        for key, value in sorted(whole.items())
        if value != variant.options[key].default
    )
    return " ".join((*head, *_family(first).write(view), *chosen))


def replay(record: Record, observer: str) -> dict[str, Any]:
    """Return `engine.replay.replay` with the line of the first scene and of each step.

    The additional key is `positions`, a list of lines. Raise BadRecord for a record that cannot be
    played.
    """
    return engine_replay.replay(record, observer, line=lambda view: write(view, record.options))


def read(line: str) -> Position:
    """Read a line, which may have white space around it. Raise BadPosition, which says why.

    It is read as it is written, not judged: no game need come to it.
    """
    line = line.strip()
    try:
        position = _read(line)
        written = write(*position)
    except (ArithmeticError, EngineError, LookupError, TypeError, ValueError) as problem:
        said = (
            str(problem) if isinstance(problem, (BadPosition, EngineError)) else "a field is wrong"
        )
        raise BadPosition(f"{line[:60]!r} is no position: {said}") from problem
    if written != line:
        raise BadPosition(f"{line[:60]!r} is no position: it would be written {written!r}")
    return position


def _read(line: str) -> Position:
    words = line.split(" ")
    if len(words) < HEAD_FIELDS:
        raise BadPosition(f"every line begins with {HEAD_FIELDS} fields")
    name, observer, phase, ply, to_act, *rest = words
    variant = find(name)
    given = dict(each.split("=", 1) for each in rest if "=" in each)
    fields = [each for each in rest if "=" not in each]
    if observer not in (*variant.seats, PUBLIC, FULL):
        known = ", ".join((*variant.seats, PUBLIC, FULL))
        raise BadPosition(f"{observer!r} is no observer; there are {known}")
    options = resolve_options(variant, {key: _value(text) for key, text in given.items()})
    view = variant.view(variant.begin(options, 0), observer)
    view["phase"], view["ply"] = phase.removesuffix("+"), _count(ply)
    view["to_act"] = [] if to_act == NOTHING else to_act.split("+")
    if "home" in view and phase != "deploy" and not phase.endswith("+"):
        del view["home"]
    family = _family(view)
    if len(fields) != family.fields:
        raise BadPosition(f"{name} has {family.fields + HEAD_FIELDS} fields and its options")
    family.read(view, fields)
    return Position(view, options)


def _value(text: str) -> object:
    """Return what an option is set to: text that is no JSON stands for itself."""
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return text


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise BadPosition(f"{text[:40]!r} cannot be read")
    return found


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise BadPosition(f"{text[:40]!r} is no whole number from 0")
    return int(text)


def _text(value: object) -> str:
    return NOTHING if value is None else str(value)


def _rank(sign: str, ranks: Iterable[str]) -> str:
    if sign not in ranks:
        raise BadPosition(f"{sign} is no rank of this game")
    return sign


def _rank_or_back(sign: str, ranks: Iterable[str]) -> str | None:
    return None if sign == UNKNOWN else _rank(sign, ranks)


def _owner(letter: str, seats: Iterable[str]) -> str:
    owners = {seat[0]: seat for seat in seats}
    if letter not in owners:
        raise BadPosition(f"an id begins with {' or '.join(owners)}, not with {letter}")
    return owners[letter]


# --- What has left the game, in every family ---------------------------------------------------


def _write_gone(gone: Iterable[Mapping[str, str]]) -> str:
    return ",".join(f"{each['id']}:{each['rank']}" for each in gone) or NOTHING


def _read_gone(
    text: str, seats: Iterable[str], ranks_of: Callable[[str], Iterable[str]]
) -> list[dict[str, str]]:
    """Read what has left the game, given the ranks that a seat can have."""
    gone = []
    for found in [] if text == NOTHING else [_match(_GONE, each) for each in text.split(",")]:
        seat = _owner(found[1], seats)
        rank = _rank(found[3], ranks_of(seat))
        gone.append({"id": found[1] + found[2], "seat": seat, "rank": rank})
    return gone


# --- Duels -------------------------------------------------------------------------------------


def _write_duel(view: Mapping[str, Any]) -> Iterator[str]:
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
    yield _write_gone(view["captured"])
    yield ",".join(
        f"{last['piece']}:{last['from']}{last['to']}x{last['repetition']}" if last else NOTHING
        for last in view["last"].values()
    )
    yield str(view["no_attack_plies"])


def _read_duel(view: View, fields: list[str]) -> None:
    rows, gone, last, quiet = fields
    seats = tuple(view["last"])
    pieces = []
    for rank, row in enumerate(reversed(rows.split("/")), start=1):
        file = 0
        for found in _SQUARES.finditer(row):
            if found[3]:
                piece = {
                    "id": found[3] + found[4],
                    "seat": _owner(found[3], seats),
                    "square": f"{chr(97 + file)}{rank}",
                    "rank": _rank_or_back(found[5], view["army"]),
                    "moved": bool(found[6]),
                    "revealed": bool(found[7]),
                }
                pieces.append(piece)
            file += int(found[1] or 1)
    view["pieces"] = sorted(
        pieces, key=lambda each: (seats.index(each["seat"]), int(each["id"][1:]))
    )
    view["captured"] = _read_gone(gone, seats, lambda _: view["army"])
    view["last"] = dict(zip(seats, map(_read_last, last.split(",")), strict=True))
    view["no_attack_plies"] = _count(quiet)


def _read_last(text: str) -> dict[str, Any] | None:
    if text == NOTHING:
        return None
    found = _match(_LAST, text)
    return {"piece": found[1], "from": found[4], "to": found[5], "repetition": int(found[6])}


# --- The siege ---------------------------------------------------------------------------------


def _write_siege(view: Mapping[str, Any]) -> Iterator[str]:
    yield ",".join(
        f"{piece['id']}:{piece['rank']}@{piece['square']}{(piece['bound'] or '')[:1]}"
        for piece in view["pieces"]
    )
    yield _write_gone(view["captured"])
    demand = view["demand"]
    yield f"{demand['seat']}!{demand['asks']}{'!' * demand['binds']}" if demand else NOTHING
    yield str(view["turn"])
    yield str(view["no_progress_plies"])


def _read_siege(view: View, fields: list[str]) -> None:
    pieces, gone, demand, turn, quiet = fields
    seats = tuple(view["army"])
    troopers = (_match(_TROOPER, piece) for piece in pieces.split(","))
    view["pieces"] = [
        {
            "id": found[1],
            "seat": _owner(found[2], seats),
            "rank": _rank(found[4], view["army"][_owner(found[2], seats)]),
            "square": found[5],
            "bound": _SHADES[found[6]],
        }
        for found in troopers
    ]
    view["captured"] = _read_gone(gone, seats, view["army"].get)
    view["demand"] = None
    if demand != NOTHING:
        seat, asks, *binds = demand.split("!")
        view["demand"] = {"seat": seat, "asks": asks, "binds": bool(binds)}
    view["turn"], view["no_progress_plies"] = _count(turn), _count(quiet)
    view |= siege.counts(view["pieces"], view["captured"], view["board"]["circles"])


# --- Cards -------------------------------------------------------------------------------------


def _write_cards(view: Mapping[str, Any]) -> Iterator[str]:
    for side in view["seats"].values():
        line = ",".join(
            f"{card['id']}:{card['rank'] or UNKNOWN}{'!' * card['revealed']}{'*' * card['seen']}"
            if card
            else "."
            for card in side["line"]
        )
        hand = "".join(rank or UNKNOWN for rank in side["hand"])
        order = side["pile_order"]
        told = "" if order is None else f":{''.join(order)}"
        yield f"{line}/{hand}/{side['pile']}{told}"
    yield _write_gone(view["removed"])
    yield str(view["turn"])
    yield str(view["no_fight_turns"])
    yield _text(view["again"])


def _read_cards(view: View, fields: list[str]) -> None:
    *sides, gone, turn, quiet, again = fields
    seats, deck = tuple(view["seats"]), view["deck"]
    for seat, side in zip(seats, sides, strict=True):
        line, hand, pile, order = _match(_SIDE, side).groups()
        view["seats"][seat] = {
            "line": [_read_card(card, deck) for card in line.split(",")],
            "hand": [_rank_or_back(sign, deck) for sign in hand],
            "pile": int(pile),
            "pile_order": None if order is None else [_rank(sign, deck) for sign in order],
        }
    view["removed"] = _read_gone(gone, seats, lambda _: deck)
    view["turn"], view["no_fight_turns"] = _count(turn), _count(quiet)
    view["again"] = None if again == NOTHING else _count(again)


def _read_card(text: str, deck: Iterable[str]) -> dict[str, Any] | None:
    found = _match(_CARD, text)
    if found[1] is None:
        return None
    marks = {"revealed": bool(found[5]), "seen": bool(found[6])}
    return {"id": found[1], "rank": _rank_or_back(found[4], deck), **marks}


class _Family(NamedTuple):
    """Games whose views have some keys in common, and how what changes of them is written."""

    keys: frozenset[str]
    fields: int
    write: Callable[[Mapping[str, Any]], Iterator[str]]
    read: Callable[[View, list[str]], None]


_FAMILIES = (
    _Family(frozenset(("board", "inside", "taken")), 5, _write_siege, _read_siege),
    _Family(frozenset(("board", "army", "pieces")), 4, _write_duel, _read_duel),
    _Family(frozenset(("deck", "seats", "removed")), 6, _write_cards, _read_cards),
)


def _family(view: Mapping[str, Any]) -> _Family:
    for family in _FAMILIES:
        if view.keys() >= family.keys:
            return family
    raise BadPosition(f"positions of {view['variant']} cannot be written as a line")
