"""What is killed, and in which order: drawn from a deck, so that a short run has some of all.

Every blow is SIGKILL, but for some: PostgreSQL is also told to shut down immediately, a runner is
frozen until its lease is another's, and staff voids a match that is being played.
"""

import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from django.db import connection
from django.db.utils import Error as DatabaseError

from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.models import Match, MatchStatus
from tests.faults.keeper import Keeper, send
from tests.faults.site import LEASE_S
from tests.faults.visitor import Excuses
from tests.sandbox.attack.private_engine import PrivateEngine

PAUSES = (0.2, 1.8)  # between two blows, of the pause that was asked for
AT_WORK = 0.7  # of the blows at runners that wait until something is being played
MID_PLAY = ("runner frozen", "voided by staff", "both runners")  # always
RUNNERS = ("runner-1", "runner-2")
FROZEN_S = LEASE_S + 8.0  # until the sweeper has come by, and another runner has begun


@dataclass(frozen=True)
class Wish:
    """For how long to kill, by which seed, how often, and how long to wait for rest afterwards."""

    seed: int
    kill_s: float
    pause_s: float  # between two blows, on the average
    rest_s: float
    blows: Sequence[str] = ()  # strike with these only
    times: int = 3  # with each of them


class Chaos:
    """Strikes again and again; `struck` counts what was hit."""

    def __init__(
        self, wish: Wish, keeper: Keeper, excuses: Excuses, engine: PrivateEngine | None
    ) -> None:
        self._random = Random(wish.seed)  # the same blows for the same seed
        self._wish = wish
        self._keeper = keeper
        self._excuses = excuses
        self._engine = engine
        self._deck: list[str] = []
        self._waits = False  # with the next blow, if it is one at a runner
        self.decks = -1  # how many were dealt out
        self._next_s = 0.0
        self._thaw_s: dict[int, float] = {}  # by process
        self.struck: Counter[str] = Counter()

    def go_on(self) -> None:
        """Strike if it is time to."""
        self._thaw(time.monotonic())
        if time.monotonic() < self._next_s:
            return
        blows = self._blows()
        if not self._deck:
            self._deck = [*self._wish.blows] * self._wish.times or [*blows, "runner child"]
            self._random.shuffle(self._deck)
            self.decks += 1
        name = self._deck[-1]
        waits = name in MID_PLAY or (self._waits and name.startswith("runner"))
        if (waits and not _somebody_plays()) or not blows[name]():
            return  # there is nothing to hit yet
        self._deck.pop()
        self.struck[name] += 1
        self._waits = self._random.random() < AT_WORK
        self._next_s = time.monotonic() + self._wish.pause_s * self._random.uniform(*PAUSES)

    def end(self) -> None:
        """Strike no more; who is frozen goes on."""
        self._thaw(float("inf"))

    def _blows(self) -> Mapping[str, Callable[[], bool]]:
        blows: dict[str, Callable[[], bool]] = {
            "runner": lambda: self._end(self._random.choice(RUNNERS)),
            "both runners": lambda: self._end(*RUNNERS),
            "runner parent": self._orphan_the_child,
            "runner child": lambda: self._strike_child(self._random.choice(RUNNERS)),
            "runner frozen": self._freeze,
            "worker": lambda: self._kill("worker"),
            "worker child": lambda: self._strike_child("worker"),
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

    def _end(self, *names: str) -> bool:
        for name in names:
            self._keeper.kill_all_of(name)
        return True

    def _orphan_the_child(self) -> bool:
        """Kill a parent alone: its child plays on, beside the successor, until it sees that."""
        return self._kill(self._random.choice(RUNNERS))

    def _strike_child(self, name: str) -> bool:
        child = self._keeper.child(name)
        return child is not None and send(child, signal.SIGKILL)

    def _freeze(self) -> bool:
        """Stop a runner's child in the middle of whatever it does; it will come back too late."""
        child = self._keeper.child(self._random.choice(RUNNERS))
        if child is None or not send(child, signal.SIGSTOP):
            return False
        self._thaw_s[child] = time.monotonic() + FROZEN_S
        return True

    def _thaw(self, now_s: float) -> None:
        for child in [child for child, until_s in self._thaw_s.items() if until_s <= now_s]:
            send(child, signal.SIGCONT)
            self._thaw_s.pop(child)

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
            lifecycle.void(match=found, reason="Voided in the middle.")
        except (DatabaseError, Refused):  # it is away just now, or the match is over
            return False
        finally:
            connection.close()
        return True


def _somebody_plays() -> bool:
    try:
        return Match.objects.filter(status=MatchStatus.RUNNING).exists()
    except DatabaseError:
        return False
    finally:
        connection.close()
