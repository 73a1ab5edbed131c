"""Positions in the middle of a siege, set up place by place."""

from dataclasses import dataclass
from typing import Any

import pytest

from engine.errors import IllegalAction
from engine.outcome import Result, Termination
from engine.registry import resolve_options
from engine.variant import Event, Variant
from engine.variants.siege.army import FIRST, IDS, WHITE
from engine.variants.siege.board import FIRST_CIRCLE, PLACES
from engine.variants.siege.play import next_turn
from engine.variants.siege.readings import NOWHERE
from engine.variants.siege.rules import VARIANT
from engine.variants.siege.state import EMPTY, State

PREFIX = {"garrison": "g", "white": "w", "black": "b"}


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
    def ending(self) -> tuple[Termination, dict[str, float]]:
        """Give the termination and the points of a game that is over."""
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
        """Give what the seat to move may do, demands left out."""
        legal = self.variant.legal(self.state, self.turn) or ()
        return {text for text in legal if "!" not in text}

    def moves_from(self, place: str) -> set[str]:
        """Give the places that the piece on a place may go to now."""
        return {text.split("-")[1] for text in self.moves() if text.startswith(f"{place}-")}

    def on(self, place: str) -> str | None:
        """Say what stands on a place, such as `white S`, or None."""
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
    garrison: str,
    white: str = "",
    black: str = "",
    *,
    turn: str = "garrison",
    taken: tuple[int, int] = (0, 0),
    **options: Any,
) -> Siege:
    """Set up pieces given as `Gc3 SNW`: rank, then place.

    `taken` counts the soldiers and officers that have been captured; whoever is neither placed nor
    counted is nowhere. The game goes on as soon as `turn` may act.
    """
    game = begun(**options)
    _clear(game.state)
    for seat, army in (("garrison", garrison), ("white", white), ("black", black)):
        for number, word in enumerate(army.split(), 1):
            _stand(game.state, f"{PREFIX[seat]}{number}", word)
    for piece, shade in enumerate(game.state.shade):
        if shade is not None:
            game.state.bind(piece, shade)  # those who stand inside may have come after the third
    _fall(game.state, "S" * taken[0] + "L" * taken[1])
    game.state.slot = ("garrison", "white", "_", "black").index(turn) - 1
    next_turn(game.state)
    assert game.turn == turn
    return game


def _clear(state: State) -> None:
    fresh = State(state.rules)
    state.shade, state.kind, state.entered = fresh.shade, fresh.kind, fresh.entered
    state.at = [EMPTY] * len(state.at)
    state.where = [NOWHERE] * len(state.where)
    state.alive = [[], [], []]


def _stand(state: State, label: str, word: str) -> None:
    """Put a piece on its place; a besieger gets onto a circle as in a game, from outside."""
    piece, rank, place = IDS.index(label), word[0], PLACES[word[1:]]
    if label[0] == "g" or place < FIRST_CIRCLE:
        state.stand(piece, rank, place)
        return
    free = next(square for square in range(FIRST_CIRCLE) if state.at[square] == EMPTY)
    state.stand(piece, rank, free)
    state.shift(piece, place)
    state.entered[piece] = True


def _fall(state: State, ranks: str) -> None:
    unused = [
        piece
        for piece, place in enumerate(state.where)
        if place == NOWHERE and piece >= FIRST[WHITE]
    ]
    for piece, rank in zip(reversed(unused), ranks, strict=False):
        state.rank[piece] = rank
        state.captured.append(piece)
