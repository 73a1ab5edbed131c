"""Which typed view fits what came over the wire, and how events keep it up to date."""

from collections.abc import Mapping
from typing import Any

from botkit.game_modules import game_module
from botkit.view import View

Json = Mapping[str, Any]


def view_of(data: Json) -> View:
    """Wrap a view: one of a game with a module `typed_view` gets the names of its `VIEW`."""
    typed = game_module(data["variant"], "typed_view")
    view: View = View(data) if typed is None else typed.VIEW(data)
    return view


def folded(last: Json, act: Json, options: Json) -> dict[str, Any]:
    """Return the view of an `act` message that has none: the last view with the events since.

    Raise ValueError for a game without a module `typed_view`.
    """
    typed = game_module(last["variant"], "typed_view")
    if typed is None:
        raise ValueError('this game has no fold: set wants_view to "full"')
    view = typed.fold(last, act["events"], options)
    return {**view, "ply": act["ply"], "phase": act["phase"], "to_act": [last["observer"]]}
