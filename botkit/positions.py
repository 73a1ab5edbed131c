"""A position as one line of text, as one observer may see it: to paste, to keep, to compare.

`write` makes the line of a view, and `read` makes the view of a line. `docs/reference/positions.md`
describes the lines. What never changes in a game, such as the board, follows from the variant and
its options; the line has the rest of the view and nothing else.
"""

import json
from collections.abc import Mapping
from types import ModuleType
from typing import Any, NamedTuple

from botkit.game_modules import game_module
from botkit.position_fields import NOTHING, BadPosition, whole
from engine import replay as engine_replay
from engine.errors import EngineError
from engine.record import Record
from engine.registry import find, resolve_options
from engine.variant import FULL, PUBLIC

View = dict[str, Any]
Options = Mapping[str, Any]

HEAD_FIELDS = 5


class Position(NamedTuple):
    """What a line tells: a view, and all options of the game."""

    view: View
    options: dict[str, Any]


def write(view: Mapping[str, Any], options: Options) -> str:
    """Write the view of a seat, `public` or `full` as a line.

    Raise BadPosition for a game without a module `position_line`.
    """
    variant = find(view["variant"])
    whole = resolve_options(variant, options)
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
    return " ".join((*head, *_fields_of(variant.name).write(view), *chosen))


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
        why = (
            str(problem) if isinstance(problem, (BadPosition, EngineError)) else "a field is wrong"
        )
        raise BadPosition(f"{line[:60]!r} is no position: {why}") from problem
    if written != line:
        raise BadPosition(f"{line[:60]!r} is no position: it would be written {written!r}")
    return position


def _read(line: str) -> Position:
    words = line.split(" ")
    if len(words) < HEAD_FIELDS:
        raise BadPosition(f"every line begins with {HEAD_FIELDS} fields")
    name, observer, phase, ply, to_act, *rest = words
    variant = find(name)
    given = dict(word.split("=", 1) for word in rest if "=" in word)
    fields = [word for word in rest if "=" not in word]
    if observer not in (*variant.seats, PUBLIC, FULL):
        known = ", ".join((*variant.seats, PUBLIC, FULL))
        raise BadPosition(f"{observer!r} is no observer; there are {known}")
    options = resolve_options(variant, {key: _value(text) for key, text in given.items()})
    view = variant.view(variant.begin(options, 0), observer)
    view["phase"], view["ply"] = phase.removesuffix("+"), whole(ply)
    view["to_act"] = [] if to_act == NOTHING else to_act.split("+")
    if "home" in view and phase != "deploy" and not phase.endswith("+"):
        del view["home"]
    of_game = _fields_of(name)
    if len(fields) != of_game.FIELDS:
        raise BadPosition(f"{name} has {of_game.FIELDS + HEAD_FIELDS} fields and its options")
    of_game.read(view, fields)
    return Position(view, options)


def _value(text: str) -> object:
    """Return what an option is set to: text that is no JSON stands for itself."""
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return text


def _fields_of(name: str) -> ModuleType:
    module = game_module(name, "position_line")
    if module is None:
        raise BadPosition(f"positions of {name} cannot be written as a line")
    return module
