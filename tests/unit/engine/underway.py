"""A game under way, spoken to in actions."""

from dataclasses import dataclass
from typing import Any

import pytest

from engine.errors import EngineError, IllegalAction
from engine.outcome import Result
from engine.variant import FULL, Event, Variant


@dataclass(frozen=True)
class UnderWay:
    """A state and its rules; who plays is the seat that is asked, unless it is named."""

    variant: Variant[Any]
    state: Any

    @property
    def turn(self) -> str:
        """Return the seat that is asked; it must be the only one."""
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

    def play(self, *actions: str) -> tuple[Event, ...]:
        """Play actions, each of the seat that is asked; give the events of the last one."""
        events: tuple[Event, ...] = ()
        for action in actions:
            events = self.variant.apply(self.state, self.turn, action)
        return events

    def legal(self, seat: str | None = None) -> list[str]:
        return self.variant.legal(self.state, seat or self.turn) or []

    def refused(
        self, action: str, rule: str, seat: str | None = None, kind: type = IllegalAction
    ) -> str:
        """Hold that an action is refused by a sentence and changes nothing; give the words."""
        before = self.variant.view(self.state, FULL)
        with pytest.raises(EngineError) as refusal:
            self.variant.apply(self.state, seat or self.turn, action)
        assert type(refusal.value) is kind
        assert getattr(refusal.value, "rule", "") == rule
        assert action not in self.legal(seat)
        assert self.variant.view(self.state, FULL) == before
        return str(refusal.value)
