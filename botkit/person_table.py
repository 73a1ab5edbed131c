"""A table of bots at which a person has seats as well."""

import json
from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Any

from engine.protocol import Answer, Ask, Failure, Table, TableWrapper, encode

NOT_CHARGED_MS = 0.0  # the clock of the bots is not a person's


class PersonTable(TableWrapper):
    """Asks the bots through another table, and a person in `seats` as a subclass does.

    `starts` has the `start` message of each of these seats.
    """

    def __init__(self, table: Table, seats: Collection[str]) -> None:
        super().__init__(table)
        self.seats = seats
        self.starts: dict[str, Mapping[str, Any]] = {}

    @abstractmethod
    def act(self, seat: str, message: Mapping[str, Any]) -> str | Failure:
        """Return the action that the person answers to an `act` message."""

    @abstractmethod
    def show(self, seat: str, message: Mapping[str, Any]) -> None:
        """Show the person a message that needs no answer."""

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        """Ask the bots, and then the person."""
        bots = {seat: ask for seat, ask in asks.items() if seat not in self.seats}
        outcomes = dict(super().ask(bots)) if bots else {}
        for seat in asks.keys() - bots.keys():
            outcomes[seat] = self._answer(seat, json.loads(asks[seat].line))
        return outcomes

    def limits(self, seat: str) -> Mapping[str, int]:
        """Return what is enforced on a bot; nothing on a person."""
        return {} if seat in self.seats else super().limits(seat)

    def tell(self, seat: str, line: bytes) -> None:
        """Pass on to a bot what needs no answer, or show it."""
        if seat in self.seats:
            self.show(seat, json.loads(line))
        else:
            super().tell(seat, line)

    def note(self, seat: str, text: str) -> None:
        """Pass on what is for the owner of a bot."""
        if seat not in self.seats:
            super().note(seat, text)

    def _answer(self, seat: str, message: Mapping[str, Any]) -> Answer | Failure:
        answer = {"type": "ready"}
        if message["type"] == "start":
            self.starts[seat] = message
        else:
            action = self.act(seat, message)
            if isinstance(action, Failure):
                return action
            answer = {"action": action}
        return Answer(encode(answer).rstrip(), NOT_CHARGED_MS)
