"""Positions in the middle of a siege, set up place by place."""

from dataclasses import dataclass
from typing import Any

import pytest

from engine.errors import IllegalAction
from engine.outcome import Result
from engine.registry import resolve_options
from engine.variant import Event, Variant
from engine.variants.siege.board import SHADE, SQUARES
from engine.variants.siege.positions import position
from engine.variants.siege.rules import VARIANT
from engine.variants.siege.state import State

WON = {"garrison": 0.0, "besiegers": 1.0}
LIFTED = {"garrison": 1.0, "besiegers": 0.0}
DRAWN = {"garrison": 0.5, "besiegers": 0.5}
SHADE_OF = dict(zip(SQUARES, SHADE, strict=True))
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
FAR_STRAIGHT = ((0, 2), (2, 0), (0, -2), (-2, 0))
FAR_DIAGONAL = ((2, 2), (2, -2), (-2, -2), (-2, 2))


@dataclass(frozen=True)
class Siege:
    """A siege under way, spoken to in places and moves."""

    variant: Variant[State]
    state: State

    @property
    def turn(self) -> str:
        (seat,) = self.variant.asked(self.state)
        return seat

    @property
    def result(self) -> Result | None:
        return self.variant.result(self.state)

    @property
    def ending(self) -> tuple[str, dict[str, float]]:
        """Return the termination and the points of a game that is over."""
        assert self.result is not None
        return self.result.termination, dict(self.result.points or {})

    @property
    def view(self) -> dict[str, Any]:
        return self.variant.view(self.state, "public")

    def play(self, *actions: str) -> tuple[Event, ...]:
        """Play actions by turns; give the events of the last one."""
        events: tuple[Event, ...] = ()
        for action in actions:
            events = self.variant.apply(self.state, self.turn, action)
        return events

    def moves(self) -> set[str]:
        """Return what the seat to move may do, demands left out."""
        legal = self.variant.legal(self.state, self.turn) or ()
        return {text for text in legal if "!" not in text}

    def moves_from(self, place: str) -> set[str]:
        """Return the places that the piece on a place may go to now."""
        return {text.split("-")[1] for text in self.moves() if text.startswith(f"{place}-")}

    def on(self, place: str) -> str | None:
        """Return what stands on a place, such as `white S`, or None."""
        stands = (piece for piece in self.view["pieces"] if piece["square"] == place)
        return next((f"{piece['seat']} {piece['rank']}" for piece in stands), None)

    def refused(self, action: str, rule: str, seat: str | None = None) -> str:
        """Hold that an action is illegal by a sentence, is not listed, and changes nothing."""
        before, seat = self.view, seat or self.turn
        with pytest.raises(IllegalAction) as refusal:
            self.variant.apply(self.state, seat, action)
        assert refusal.value.rule == rule
        assert action not in (self.variant.legal(self.state, seat) or ())
        assert self.view == before
        return str(refusal.value)


def begun(deployment: str = "GCSSSSSS", **options: Any) -> Siege:
    """Begin a game with the garrison placed."""
    state = VARIANT.begin(resolve_options(VARIANT, options), 0)
    VARIANT.apply(state, "garrison", deployment)
    return Siege(VARIANT, state)


def besieged(
    garrison: str, white: str = "", black: str = "", *, turn: str = "garrison", **given: Any
) -> Siege:
    """Set up pieces as `engine.variants.siege.positions` does; `turn` is to move."""
    game = Siege(VARIANT, position(garrison, white, black, turn=turn, **given))
    assert game.turn == turn
    return game


def around(square: str, *steps: tuple[int, int]) -> set[str]:
    """Return the squares that lie some steps from another."""
    x, y = ord(square[0]), int(square[1:])
    return {f"{chr(x + right)}{y + up}" for right, up in steps}


def white_moves(rank: str, square: str = "c6", **options: Any) -> set[str]:
    """Return where a lone besieger may go."""
    return besieged("GN", white=f"{rank}{square}", turn="white", **options).moves_from(square)


def garrison_goes(rank: str, square: str = "c6", white: str = "") -> set[str]:
    """Return where a lone piece of the garrison may go."""
    return besieged(f"{rank}{square}", white=white).moves_from(square)
