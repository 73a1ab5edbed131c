"""The table of a game in which a person has the seats of one side."""

import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.conf import settings

from arena.domain.bots import person_games
from arena.models import PersonSeat
from arena.runner import outages
from engine.protocol import Answer, Ask, Failure, Fault, Table, TableWrapper, encode

LOOK_S = 0.2  # between two looks for the answer
MOVES_OF_A_SETUP = 3  # it may take as long as so many moves
NOT_CHARGED_MS = 0.0  # a person has another clock than the bots
READY = encode({"type": "ready"}).rstrip()


class PersonTable(TableWrapper):
    """A table of bots at which a person has seats as well. What these are sent stands in a row.

    The person has a bank of time for the game, and a limit for each answer.
    """

    def __init__(
        self,
        table: Table,
        *,
        person: PersonSeat,
        seats: frozenset[str],
        on_wait: Callable[[], None],
    ) -> None:
        super().__init__(table)
        self._person, self._seats, self._on_wait = person, seats, on_wait
        self._bank_s = float(settings.PERSON_BANK_S)
        self._starts: dict[str, Mapping[str, Any]] = {}
        self._views: dict[str, Mapping[str, Any]] = {}

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        """Ask the bots, and then the person. Raise LeaseLost."""
        bots = {seat: ask for seat, ask in asks.items() if seat not in self._seats}
        outcomes = dict(super().ask(bots)) if bots else {}
        for seat in asks.keys() - bots.keys():
            outcomes[seat] = self._answer(seat, json.loads(asks[seat].line))
        return outcomes

    def limits(self, seat: str) -> Mapping[str, int]:
        """Return what is enforced on a bot; nothing on a person."""
        return {} if seat in self._seats else super().limits(seat)

    def tell(self, seat: str, line: bytes) -> None:
        """Tell a bot how the game ended, or store it for the page."""
        if seat not in self._seats:
            super().tell(seat, line)
        else:
            outages.retried(self._put)(seat, json.loads(line), 0.0)

    def note(self, seat: str, text: str) -> None:
        """Pass on what is for the owner of a bot."""
        if seat not in self._seats:
            super().note(seat, text)

    def _answer(self, seat: str, message: Mapping[str, Any]) -> Answer | Failure:
        if message["type"] == "start":
            self._starts[seat] = message
            return Answer(READY, NOT_CHARGED_MS)
        moves = 1 if "legal" in message else MOVES_OF_A_SETUP
        left_s = max(1.0, min(self._bank_s, moves * settings.PERSON_MOVE_S))
        number = outages.retried(self._put)(seat, message, left_s)
        began_s = time.monotonic()
        look = outages.retried(partial(person_games.answer_to, seat=self._person, number=number))
        while not (action := look()):
            if time.monotonic() - began_s > left_s:
                return Failure(Fault.TIMEOUT, "the person did not answer", NOT_CHARGED_MS)
            self._on_wait()
            time.sleep(LOOK_S)
        self._bank_s -= time.monotonic() - began_s
        return Answer(encode({"action": action}).rstrip(), NOT_CHARGED_MS)

    def _put(self, seat: str, message: Mapping[str, Any], left_s: float) -> int:
        number = person_games.put(
            seat=self._person,
            start=self._starts[seat],
            before=self._views.get(seat),
            message=message,
            left_s=left_s,
        )
        self._views[seat] = message["view"]
        return number
