"""The table of a game in which a person has the seats of one side."""

import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from django.conf import settings

from arena.domain.bots import person_games
from arena.models import PersonSeat
from arena.runner import outages
from botkit.person_table import NOT_CHARGED_MS, PersonTable
from engine.clock import ClockSpec
from engine.protocol import Failure, Fault, Table

LOOK_S = 0.2  # between two looks for the answer
MOVES_OF_A_SETUP = 3  # it may take as long as so many moves
LEAST_S = 1.0
CLOCK = {
    **ClockSpec(
        startup_ms=settings.PERSON_MOVE_S * 1000,
        bank_ms=settings.PERSON_BANK_S * 1000,
        increment_ms=0,
        action_ms=settings.PERSON_MOVE_S * 1000,
    ).as_json(),
    "basis": "wall",
}


class RowTable(PersonTable):
    """A table at which the person is asked, and answers, in a row of the database.

    The person has a bank of time for the game, and a limit for each answer. What the seat is sent
    says this clock, and not that of the bots.
    """

    def __init__(
        self,
        table: Table,
        *,
        person: PersonSeat,
        seats: Collection[str],
        on_wait: Callable[[], None],
    ) -> None:
        super().__init__(table, seats)
        self._person, self._on_wait = person, on_wait
        self._bank_s = float(settings.PERSON_BANK_S)
        self._used_s: dict[str, float] = {}  # for the latest answer of each seat
        self._views: dict[str, Mapping[str, Any]] = {}

    def act(self, seat: str, message: Mapping[str, Any]) -> str | Failure:
        """Return the person's action, or that there is none in time. Raise LeaseLost."""
        moves = 1 if "legal" in message else MOVES_OF_A_SETUP
        left_s = max(LEAST_S, min(self._bank_s, moves * settings.PERSON_MOVE_S))
        used_ms = round(self._used_s.get(seat, 0.0) * 1000)
        clock = {"bank_ms": round(max(0.0, self._bank_s) * 1000), "used_ms": used_ms}
        number = self._put(seat, {**message, "clock": clock}, left_s)
        began_s = time.monotonic()
        look = outages.retried(partial(person_games.answer_to, seat=self._person, number=number))
        while not (action := look()):
            if time.monotonic() - began_s > left_s:
                return Failure(Fault.TIMEOUT, "the person did not answer", NOT_CHARGED_MS)
            self._on_wait()
            time.sleep(LOOK_S)
        self._used_s[seat] = time.monotonic() - began_s
        self._bank_s -= self._used_s[seat]
        return action

    def show(self, seat: str, message: Mapping[str, Any]) -> None:
        """Store how the game ended."""
        self._put(seat, message, 0.0)

    def _put(self, seat: str, message: Mapping[str, Any], left_s: float) -> int:
        number = outages.retried(person_games.put)(
            seat=self._person,
            start={**self.starts[seat], "clock": CLOCK},
            before=self._views.get(seat),
            message=message,
            left_s=left_s,
        )
        self._views[seat] = message["view"]
        return number
