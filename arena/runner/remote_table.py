"""The table of a game whose seats are all played from home, by programs of remote bots."""

import json
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.domain.bots import person_games
from arena.models import PersonSeat
from arena.runner import outages
from arena.runner.person_table import LOOK_S
from engine import faults
from engine.protocol import Answer, Ask, Failure, Fault, encode

BASIS = "wall"


@dataclass(slots=True)
class _Question:
    """What a seat is asked now. `grace_s` is its time to start, which is not charged."""

    seat: str
    number: int
    asked_s: float
    allowance_ms: float
    grace_s: float

    def used_ms(self) -> float:
        """Return what the clock of the seat is charged up to now."""
        return max(0.0, time.monotonic() - self.asked_s - self.grace_s) * 1000


class RemoteTable:
    """Asks programs at home through rows of the database. The clock is on the wall.

    A seat is sent what a bot in a container is sent, with the clock of the ladder. A program starts
    when its seat is asked for the first time, so the time for that is added then.
    """

    clock_basis = BASIS

    def __init__(self, rows: Mapping[str, PersonSeat], *, on_wait: Callable[[], None]) -> None:
        """Ask each seat in a row; a row may have several seats. `on_wait` is called in waits."""
        self._rows, self._on_wait = rows, on_wait
        self._starts: dict[str, Mapping[str, Any]] = {}
        self._graces_s: dict[str, float] = {}

    def limits(self, _seat: str) -> Mapping[str, int]:
        """Return nothing: nothing is enforced on a program at home."""
        return {}

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        """Ask seats at once, and those of one row one after the other."""
        outcomes: dict[str, Answer | Failure] = {}
        waiting: dict[int, deque[str]] = defaultdict(deque)
        for seat, ask in asks.items():
            if ask.starting:
                self._starts[seat] = json.loads(ask.line)
                self._graces_s[seat] = ask.allowance_ms / 1000
                outcomes[seat] = Answer(encode({"type": "ready"}).rstrip(), 0.0)
            else:
                waiting[self._rows[seat].pk].append(seat)
        asked: dict[int, _Question] = {}
        while waiting:
            for row in list(waiting):
                if row not in asked:
                    asked[row] = self._begin(waiting[row][0], asks[waiting[row][0]])
                outcome = self._outcome(asked[row])
                if outcome is None:
                    continue
                outcomes[asked.pop(row).seat] = outcome
                waiting[row].popleft()
                if not waiting[row]:
                    del waiting[row]
            if asked:
                self._on_wait()
                time.sleep(LOOK_S)
        return outcomes

    def tell(self, seat: str, line: bytes) -> None:
        """Store how the game ended. The next game says it too, because it begins at once."""
        message = json.loads(line)
        self._put(seat, message, 0.0)
        ended = {"game": self._starts[seat]["game"], "seat": seat, "message": message}
        self._rows[seat].before = json.dumps(ended)

    def note(self, seat: str, text: str) -> None:
        """Do nothing: the owner has the log at home."""

    def close(self) -> None:
        """Do nothing: the programs are not here."""

    def _begin(self, seat: str, ask: Ask) -> _Question:
        grace_s = self._graces_s.pop(seat, 0.0)
        number = self._put(seat, json.loads(ask.line), ask.allowance_ms / 1000 + grace_s)
        return _Question(seat, number, time.monotonic(), ask.allowance_ms, grace_s)

    def _outcome(self, asked: _Question) -> Answer | Failure | None:
        """Return the answer, a failure if the time for it is over, or None before."""
        action = outages.retried(person_games.answer_to)(
            seat=self._rows[asked.seat], number=asked.number
        )
        used_ms = asked.used_ms()
        if action:
            self._rows[asked.seat].before = ""  # the program has been told
            return Answer(encode({"action": action}).rstrip(), min(used_ms, asked.allowance_ms))
        if used_ms <= asked.allowance_ms:
            return None
        text = faults.over_allowance(used_ms=used_ms, basis=BASIS, allowance_ms=asked.allowance_ms)
        return Failure(Fault.TIMEOUT, text, used_ms)

    def _put(self, seat: str, message: Mapping[str, Any], left_s: float) -> int:
        before = self._rows[seat].before
        return outages.retried(person_games.put)(
            seat=self._rows[seat],
            start=self._starts[seat],
            before=json.loads(before) if before else None,
            message=message,
            left_s=left_s,
        )
