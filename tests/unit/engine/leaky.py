"""Variants that each tell one thing that they must not: they prove that the invariant can fail."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from zlib import crc32

from engine.errors import EngineError
from engine.variant import FULL, Event, Variant, View

Leaky = Callable[[Variant[Any]], Variant[Any]]


def _hint(honest: Variant[Any], state: Any) -> int:
    """Return a number that depends on everything, hidden or not."""
    return crc32(repr(honest.view(state, FULL)).encode())


def in_view(honest: Variant[Any]) -> Variant[Any]:
    """Tell it in views."""

    def view(state: Any, observer: str) -> View:
        return {**honest.view(state, observer), "hint": _hint(honest, state)}

    return replace(honest, view=view)


def in_error(honest: Variant[Any]) -> Variant[Any]:
    """Tell it in the words of refusals."""

    def apply(state: Any, seat: str, action: str) -> tuple[Event, ...]:
        try:
            return honest.apply(state, seat, action)
        except EngineError as problem:
            raise type(problem)(f"{problem} {_hint(honest, state)}") from problem

    return replace(honest, apply=apply)


def in_event(honest: Variant[Any]) -> Variant[Any]:
    """Tell it in events."""

    def apply(state: Any, seat: str, action: str) -> tuple[Event, ...]:
        hint, events = _hint(honest, state), honest.apply(state, seat, action)
        return tuple(
            Event(event.kind, {**event.public, "hint": hint}, event.private) for event in events
        )

    return replace(honest, apply=apply)


LEAKY: tuple[Leaky, ...] = (in_view, in_error, in_event)
