"""Which kind of view fits what came over the wire."""

from collections.abc import Mapping
from typing import Any

from botkit.cards import CardsView
from botkit.duel import DuelView
from botkit.siege import SiegeView
from botkit.view import View


def view_of(data: Mapping[str, Any]) -> View:
    """Wrap a view by its shape: a game of a known family gets the names of that family."""
    if data.keys() >= {"board", "inside", "taken"}:
        return SiegeView(data)
    if data.keys() >= {"board", "army", "pieces"}:
        return DuelView(data)
    if data.keys() >= {"deck", "seats", "removed"}:
        return CardsView(data)
    return View(data)
