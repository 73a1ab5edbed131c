"""What is killed, and in which order: drawn from a deck, so that even a short run has some of all.

Every blow is SIGKILL, but one: PostgreSQL is also told to shut down immediately, and staff voids a
match that is being played.
"""

import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from django.db import connection
from django.db.utils import Error as DatabaseError

from arena.domain import matches
from arena.domain.errors import Refused
from arena.models import Match, MatchStatus
from tests.faults.keeper import Keeper
from tests.faults.visitor import Excuses
from tests.sandbox.attack.private_engine import PrivateEngine

PAUSE_S = (0.5, 4.0)  # between two blows
RUNNERS = ("runner-1", "runner-2")


class Chaos:
    """Strikes again and again; `struck` counts what was hit."""

    def __init__(
        self, random: Random, keeper: Keeper, excuses: Excuses, engine: PrivateEngine | None
    ) -> None:
        self._random = random
        self._keeper = keeper
        self._excuses = excuses
        self._engine = engine
        self._deck: list[str] = []
        self._next_s = 0.0
        self.struck: Counter[str] = Counter()

    def go_on(self) -> None:
        """Strike if it is time to."""
        if time.monotonic() < self._next_s:
            return
        blows = self._blows()
        if not self._deck:
            self._deck = [*blows, "runner", "runner child"]
            self._random.shuffle(self._deck)
        name = self._deck.pop()
        if blows[name]():
            self.struck[name] += 1
        self._next_s = time.monotonic() + self._random.uniform(*PAUSE_S)

    def _blows(self) -> Mapping[str, Callable[[], bool]]:
        blows: dict[str, Callable[[], bool]] = {
            "runner": self._end_a_runner,
            "runner parent": self._orphan_the_child,
            "runner child": lambda: self._keeper.kill_child(self._random.choice(RUNNERS)),
            "worker": lambda: self._kill("worker"),
            "worker child": lambda: self._keeper.kill_child("worker"),
            "beat": lambda: self._kill("beat"),
            "web": lambda: self._kill("web"),
            "voided by staff": self._void,
        }
        if self._engine is not None:
            blows |= {
                "launcher": lambda: self._kill("launcher"),
                "redis": lambda: self._kill("redis"),
                "postgres": lambda: self._kill("postgres"),
                "postgres, immediate": lambda: self._kill("postgres", signal.SIGQUIT),
                "dockerd": self._restart_the_engine,
            }
        return blows

    def _kill(self, name: str, number: int = signal.SIGKILL) -> bool:
        self._excuses.expect(name)
        self._keeper.kill(name, number)
        return True

    def _end_a_runner(self) -> bool:
        self._keeper.kill_all_of(self._random.choice(RUNNERS))
        return True

    def _orphan_the_child(self) -> bool:
        """Kill a parent alone: its child plays on, beside the successor, until it sees that."""
        return self._kill(self._random.choice(RUNNERS))

    def _restart_the_engine(self) -> bool:
        if self._engine is None:
            return False
        self._engine.kill()
        self._engine.start()
        return True

    def _void(self) -> bool:
        """Do what staff would: end a match that is being played; its re-run is another row."""
        try:
            found = Match.objects.filter(status=MatchStatus.RUNNING).first()
            if found is None:
                return False
            matches.void(match=found, reason="Voided in the middle.")
        except (DatabaseError, Refused):  # it is away just now, or the match is over
            return False
        finally:
            connection.close()
        return True
