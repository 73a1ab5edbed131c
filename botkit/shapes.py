"""Which kind of view fits what came over the wire, and how events keep it up to date."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from botkit import cards, duel, siege
from botkit.view import View

Json = Mapping[str, Any]


class Family(NamedTuple):
    """Games whose views have some keys in common: what wraps such a view, and what folds events.

    `fold` takes a view, the events since and the options, and returns the view after them.
    """

    keys: frozenset[str]
    view: Callable[[Json], View]
    fold: Callable[[Json, list[Json], Json], dict[str, Any]]


FAMILIES = (
    Family(frozenset(("board", "inside", "taken")), siege.SiegeView, siege.fold),
    Family(frozenset(("board", "army", "pieces")), duel.DuelView, duel.fold),
    Family(frozenset(("deck", "seats", "removed")), cards.CardsView, cards.fold),
)


def view_of(data: Json) -> View:
    """Wrap a view by its shape: a game of a known family gets the names of that family."""
    family = _family(data)
    return family.view(data) if family else View(data)


def folded(last: Json, act: Json, options: Json) -> dict[str, Any]:
    """Return the view of an `act` message that has none: the last view with the events since.

    Raise ValueError for a game of a family that is not known here.
    """
    family = _family(last)
    if family is None:
        raise ValueError('this game has no fold: set wants_view to "full"')
    view = family.fold(last, act["events"], options)
    return {**view, "ply": act["ply"], "phase": act["phase"], "to_act": [last["observer"]]}


def _family(data: Json) -> Family | None:
    return next((family for family in FAMILIES if data.keys() >= family.keys), None)
