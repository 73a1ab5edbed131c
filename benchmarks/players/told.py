"""A game that was played before and is told again: all of a game but its rules.

The referee asks, is given views, legal actions and events of a random game of `classic`, and judges
the answers; working out what it is given costs nothing. So what is measured is the referee.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from engine.errors import IllegalAction
from engine.outcome import Result
from engine.registry import find, resolve_options
from engine.rng import Rng
from engine.variant import Event, Option, Variant

PLIES_MAX = 10**9


@dataclass(frozen=True)
class Told:
    """What one seat is shown at one ply, and what happened after it."""

    seat: str
    view: Mapping[str, Any]
    legal: list[str]
    events: tuple[Event, ...]


@cache
def story(slug: str = "classic") -> tuple[Told, ...]:
    """Play a random game once and keep what the seats were shown."""
    variant, rng = find(slug), Rng(1, "bench")
    state = variant.begin(resolve_options(variant, {}), 1)
    told: list[Told] = []
    while variant.result(state) is None:
        for seat in variant.asked(state):
            legal, view = variant.legal(state, seat), variant.view(state, seat)
            action = variant.draft(view, rng) if legal is None else rng.choice(legal)
            events = variant.apply(state, seat, action)
            if legal is not None:
                told.append(Told(seat, view, legal, events))
    return tuple(told[: len(told) // 2 * 2])  # the seats go on taking turns when it starts again


@dataclass
class Listener:
    """How far the telling has come, and where it ends."""

    plies: int
    ply: int = 0

    @property
    def now(self) -> Told:
        """Return the page that is open."""
        return story()[self.ply % len(story())]


def _apply(state: Listener, _seat: str, action: str) -> tuple[Event, ...]:
    page = state.now
    if action not in page.legal:
        raise IllegalAction("not in this story")
    state.ply += 1
    return page.events


def _result(state: Listener) -> Result | None:
    if state.ply < state.plies:
        return None
    return Result({"red": 0.5, "blue": 0.5}, "ply_cap", detail="all was told")


def variant() -> Variant[Listener]:
    """Return the game; its options are the processor of the bots and the number of plies."""
    classic = find("classic")
    return Variant(
        slug="told",
        version=1,
        title="Told",
        seats=classic.seats,
        sides=classic.sides,
        options=MappingProxyType(
            {
                "processor": Option(0, (), "where the bots run", least=0),
                "plies": Option(0, (), "when it ends", least=0),
            }
        ),
        begin=lambda options, _rng_seed: Listener(options["plies"]),
        copy=lambda state: Listener(state.plies, state.ply),
        phase=lambda _state: "turn",
        ply=lambda state: state.ply,
        asked=lambda state: (state.now.seat,),
        legal=lambda state, _seat: state.now.legal,
        apply=_apply,
        result=_result,
        view=lambda state, _seat: dict(state.now.view),
        redeal=lambda state, _seat, _rng: state,
        draft=classic.draft,
        scene=classic.scene,
        describe=classic.describe,
        schema=dict,
        endings=classic.endings,
        pictures=classic.pictures,
    )
