"""Variants that each tell one thing that they must not: they prove that the law can fail."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from zlib import crc32

from engine.errors import EngineError, IllegalAction
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


def in_legal(honest: Variant[Any]) -> Variant[Any]:
    """Tell it by the order of the legal actions."""

    def legal(state: Any, seat: str) -> list[str] | None:
        listed = honest.legal(state, seat)
        return sorted(listed, reverse=_hint(honest, state) % 2 == 0) if listed else listed

    return replace(honest, legal=legal)


def in_error(honest: Variant[Any]) -> Variant[Any]:
    """Tell it in the words of refusals."""

    def apply(state: Any, seat: str, action: str) -> tuple[Event, ...]:
        try:
            return honest.apply(state, seat, action)
        except EngineError as problem:
            raise type(problem)(f"{problem} {_hint(honest, state)}") from problem

    return replace(honest, apply=apply)


def in_rule(honest: Variant[Any]) -> Variant[Any]:
    """Tell it by the sentence that a refusal names."""

    def apply(state: Any, seat: str, action: str) -> tuple[Event, ...]:
        try:
            return honest.apply(state, seat, action)
        except IllegalAction as problem:
            problem.rule = f"A{_hint(honest, state)}"
            raise

    return replace(honest, apply=apply)


def in_event(honest: Variant[Any]) -> Variant[Any]:
    """Tell it in events."""

    def apply(state: Any, seat: str, action: str) -> tuple[Event, ...]:
        hint, events = _hint(honest, state), honest.apply(state, seat, action)
        return tuple(
            Event(event.kind, {**event.public, "hint": hint}, event.private) for event in events
        )

    return replace(honest, apply=apply)


LEAKY: tuple[Leaky, ...] = (in_view, in_legal, in_error, in_rule, in_event)
