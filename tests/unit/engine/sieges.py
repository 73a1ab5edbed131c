"""Positions in the middle of a siege, set up place by place."""

from dataclasses import dataclass
from typing import Any

from engine.registry import resolve_options
from engine.variants.siege.board import SHADE, SQUARES
from engine.variants.siege.positions import position
from engine.variants.siege.rules import VARIANT
from engine.variants.siege.state import State
from tests.unit.engine.underway import UnderWay

WON = {"garrison": 0.0, "besiegers": 1.0}
LIFTED = {"garrison": 1.0, "besiegers": 0.0}
DRAWN = {"garrison": 0.5, "besiegers": 0.5}
SHADE_OF = dict(zip(SQUARES, SHADE, strict=True))
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
FAR_STRAIGHT = ((0, 2), (2, 0), (0, -2), (-2, 0))
FAR_DIAGONAL = ((2, 2), (2, -2), (-2, -2), (-2, 2))


@dataclass(frozen=True)
class Siege(UnderWay):
    """A siege under way, spoken to in places and moves."""

    state: State

    @property
    def view(self) -> dict[str, Any]:
        return self.variant.view(self.state, "public")

    def moves(self) -> set[str]:
        """Return what the seat to move may do, demands left out."""
        return {text for text in self.legal() if "!" not in text}

    def moves_from(self, place: str) -> set[str]:
        """Return the places that the piece on a place may go to now."""
        return {text.split("-")[1] for text in self.moves() if text.startswith(f"{place}-")}

    def on(self, place: str) -> str | None:
        """Return what stands on a place, such as `white S`, or None."""
        stands = (piece for piece in self.view["pieces"] if piece["square"] == place)
        return next((f"{piece['seat']} {piece['rank']}" for piece in stands), None)


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
