"""Variants that each tell one thing that they must not: they prove that the law can fail."""

from dataclasses import replace
from typing import Any

from engine.errors import EngineError, IllegalAction
from engine.registry import find
from engine.variant import FULL, Event, View

HONEST = find("general")


def hidden_rank(state: Any) -> str:
    """Give the rank of one piece of blue that red must not know."""
    pieces = HONEST.view(state, FULL)["pieces"]
    return next((piece["rank"] for piece in pieces if piece["id"] == "b20"), "")


def _view(state: Any, observer: str) -> View:
    return {**HONEST.view(state, observer), "hint": hidden_rank(state)}


def _legal(state: Any, seat: str) -> list[str] | None:
    legal = HONEST.legal(state, seat)
    return sorted(legal, reverse=hidden_rank(state) in "FB234") if legal else legal


def _error(state: Any, seat: str, action: str) -> tuple[Event, ...]:
    try:
        return HONEST.apply(state, seat, action)
    except EngineError as problem:
        raise type(problem)(f"{problem} {hidden_rank(state)}") from problem


def _rule(state: Any, seat: str, action: str) -> tuple[Event, ...]:
    try:
        return HONEST.apply(state, seat, action)
    except IllegalAction as problem:
        problem.rule = "A1" if hidden_rank(state) in "FB234" else "A2"
        raise


def _event(state: Any, seat: str, action: str) -> tuple[Event, ...]:
    hint, events = hidden_rank(state), HONEST.apply(state, seat, action)
    return tuple(
        Event(event.kind, {**event.public, "hint": hint}, event.private) for event in events
    )


LEAKY = {
    "view": replace(HONEST, view=_view),
    "legal": replace(HONEST, legal=_legal),
    "error": replace(HONEST, apply=_error),
    "rule": replace(HONEST, apply=_rule),
    "event": replace(HONEST, apply=_event),
}
