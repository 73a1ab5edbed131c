"""The site and the runner slots of `fleet`; imported when its settings are made."""

import logging
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from unittest.mock import patch

import django

django.setup()

from django.conf import settings  # noqa: E402 - after the settings
from django.db import connection  # noqa: E402 - likewise
from django.db.models import DateTimeField, F, Value  # noqa: E402 - likewise
from django.db.models.functions import Now  # noqa: E402 - likewise
from django.utils import timezone  # noqa: E402 - likewise

from arena import jobs  # noqa: E402 - likewise
from arena.domain import finishing  # noqa: E402 - likewise
from arena.domain.bots import trials  # noqa: E402 - likewise
from arena.domain.matches import lifecycle  # noqa: E402 - likewise
from arena.domain.matches.leases import Lease  # noqa: E402 - likewise
from arena.domain.matches.lifecycle import PlayedGame  # noqa: E402 - likewise
from arena.domain.queue import dispatch, matchmaking, runner_figures  # noqa: E402 - likewise
from arena.models import Entrant, Ladder, Match, Version  # noqa: E402 - likewise
from arena.runner.play import BEATS_PER_LEASE  # noqa: E402 - likewise
from tests.world import big_site  # noqa: E402 - likewise

GAMES_OF_A_BOT = 20  # played before
BEAT_S = 2.0  # between two messages of beat to the matchmaker
SPREAD = 0.5  # of the logarithm of the length of a match
THINKING = 0.4  # the part of a match that the clock of each bot is charged
HOST_SLOTS = 8
LADDER_IS_LOCKED = ('"arena_ladder"', "arena_ladder SET")
T = TypeVar("T")


@dataclass
class Found:
    """What a round gave: the mean number of slots that play, and what the calls took."""

    playing: float
    per_s: float
    database: float
    worker: float
    calls: Counter[str]
    seconds: Mapping[str, float]
    waited_s: Mapping[str, float]

    def words(self) -> str:
        """Return the figures of a round in lines."""
        lines = [
            f"{self.playing:.0f} slots play, {self.per_s:.1f} matches a second",
            f"  busy: database {self.database:.0%}, matchmaker {self.worker:.0%}",
        ]
        lines += [
            f"  {name}: {number} times, {1000 * self.seconds[name] / number:.1f} ms each,"
            f" waited {1000 * self.waited_s[name] / number:.1f} ms"
            for name, number in self.calls.items()
        ]
        return "\n".join(lines)


def measure(*, slots: int, bots: int, match_s: float, lasts_s: float) -> Found:
    """Return what a fleet did in so long on a new site, after it had time to begin."""
    logging.disable(logging.WARNING)
    with database():
        began = timezone.now()
        fill(bots=bots, until=began)
        return play(slots=slots, match_s=match_s, lasts_s=lasts_s, began=began)


def fill(*, bots: int, until: datetime) -> None:
    """Put so many bots with ratings on the only open ladder, on which nothing waits."""
    big_site.fill(bots=bots, games=GAMES_OF_A_BOT * bots, until=until)
    Ladder.objects.exclude(slug=big_site.LADDERS[0]).update(is_open=False)
    Match.objects.waiting().update(status="cancelled", failure="-", finished_at=until)
    Version.objects.waiting().update(status="rejected", reason="-")
    Entrant.objects.filter(rating=None).update(rating=1500, rating_low=1440, rating_high=1560)
    Entrant.objects.update(online_elo=F("rating"))
    Ladder.objects.update(matches_made=GAMES_OF_A_BOT * bots // big_site.GAMES)


def play(*, slots: int, match_s: float, lasts_s: float, began: datetime) -> Found:
    """Return what a fleet did on the present site, whose clock begins at `began`."""
    with connection.execute_wrapper(Site.note_lock), _clock(began):
        return Site(slots, match_s).play(lasts_s)


@contextmanager
def database() -> Iterator[None]:
    """Make the database of a bench, and drop it afterwards."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


@contextmanager
def _clock(began: datetime) -> Iterator[None]:
    """Set the clocks of the site and of its database to the time of the simulation."""

    def compiled(_now: Now, compiler: Any, _connection: object, **_context: object) -> Any:  # noqa: ANN401 - as Django has it
        return compiler.compile(Value(timezone.now(), output_field=DateTimeField()))

    def now() -> datetime:
        return began + timedelta(seconds=Site.now_s)

    with patch.object(timezone, "now", now), patch.object(Now, "as_postgresql", compiled):
        yield


def processor_s() -> tuple[float, float]:
    """Return the processor time of this process and of the database's, in seconds."""
    pid = connection.connection.info.backend_pid
    database_ns = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]
    return time.process_time(), int(database_ns) / 1e9


@dataclass
class Processor:
    """What does one thing at a time: the database, the matchmaker."""

    free_s: float = 0.0
    used_s: float = 0.0

    def take(self, at_s: float, lasts_s: float) -> float:
        """Return when work of so long ends that can begin at `at_s`, now or later.

        What can begin only later does not keep the processor from other work until then.
        """
        self.free_s = max(Site.now_s, self.free_s) + lasts_s
        self.used_s += lasts_s
        return max(self.free_s, at_s + lasts_s)


@dataclass
class Site:
    """Slots that claim, play and finish; a matchmaker that works through its messages.

    The database does one thing at a time, and so does the matchmaker. Nobody finishes a match while
    another holds the lock of the ladder. The matches of a run of the matchmaker are due when that
    run is over.
    """

    slots: int
    match_s: float
    now_s = 0.0
    locked_at_s = 0.0  # of the call that is made now, by the processors' time
    random: Random = field(default_factory=lambda: Random(1))  # noqa: S311 - a simulation
    events: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.numbers = count()
        self.database, self.matchmaker = Processor(), Processor()
        self.ladder_free_s = 0.0
        self.calls = Counter[str]()
        self.seconds: dict[str, float] = defaultdict(float)
        self.waited_s: dict[str, float] = defaultdict(float)
        self.idle = self.slots
        self.messages: deque[float] = deque()  # when each one expires
        self.nudges = 0
        self.spans: list[tuple[float, float]] = []

    def play(self, lasts_s: float) -> Found:
        """Play for so long after the fleet had the time of two matches to begin."""
        from_s = 2 * self.match_s
        Site.now_s = 0.0
        with patch.object(jobs, "enqueue", self._send), patch.object(jobs, "send", self._send):
            self._at(0.0, self._beat)
            self._at(0.0, self._report)
            while self.events and self.events[0][0] < from_s + lasts_s:
                Site.now_s, _number, act = heappop(self.events)
                act()
        until_s = from_s + lasts_s
        within = [min(end, until_s) - max(begin, from_s) for begin, end in self.spans]
        return Found(
            playing=sum(each for each in within if each > 0) / lasts_s,
            per_s=sum(from_s <= end < until_s for _, end in self.spans) / lasts_s,
            database=self.database.used_s / until_s,
            worker=self.matchmaker.used_s / until_s,
            calls=self.calls,
            seconds=self.seconds,
            waited_s=self.waited_s,
        )

    @classmethod
    def note_lock(cls, execute: Any, sql: str, *rest: Any) -> Any:  # noqa: ANN401 - as Django has it
        """Note when the present call locks the ladder."""
        found = execute(sql, *rest)
        locks = sql.startswith("UPDATE") or "FOR NO KEY UPDATE" in sql
        if locks and any(words in sql for words in LADDER_IS_LOCKED) and not cls.locked_at_s:
            cls.locked_at_s = sum(processor_s())
        return found

    def _at(self, at_s: float, act: Callable[[], None]) -> None:
        heappush(self.events, (at_s, next(self.numbers), act))

    def _send(self, task: str, *_row: int) -> None:
        if task == jobs.MATCHMAKE:
            self.messages.append(Site.now_s + jobs.USEFUL_FOR_S[task])
        elif task == jobs.WAKE_RUNNER:
            self.nudges += 1

    def _charged(self, name: str, act: Callable[[], T], at_s: float) -> tuple[T, float]:
        """Make a call at this time. Return its result, and the time at which it is over."""
        Site.locked_at_s = 0.0
        own_s, database_s = processor_s()
        found = act()
        own_end_s, database_end_s = processor_s()
        own_s, database_s = own_end_s - own_s, database_end_s - database_s
        begin_s = at_s
        if Site.locked_at_s:
            locked_s = own_end_s + database_end_s - Site.locked_at_s
            begin_s = max(at_s, self.ladder_free_s - own_s - database_s + locked_s)
        end_s = self.database.take(begin_s, database_s) + own_s
        if Site.locked_at_s:
            self.ladder_free_s = end_s
        self.calls[name] += 1
        self.seconds[name] += own_s + database_s
        self.waited_s[name] += end_s - at_s - own_s - database_s
        return found, end_s

    def _report(self) -> None:
        """Report the figures of all hosts, as each of them does."""
        self._at(Site.now_s + runner_figures.EVERY_S, self._report)
        for host in range(-(-self.slots // HOST_SLOTS)):
            runner_figures.report(runner=f"host {host}", slots=HOST_SLOTS, busy=0, launcher=None)

    def _beat(self) -> None:
        self._at(Site.now_s + BEAT_S, self._beat)
        self._send(jobs.MATCHMAKE)
        self._match()

    def _match(self) -> None:
        """Run the matchmaker for its next message, if it is free."""
        if Site.now_s < self.matchmaker.free_s:
            return
        while self.messages and self.messages[0] < Site.now_s:
            self.messages.popleft()
        if not self.messages:
            return
        self.messages.popleft()
        last = Match.objects.latest("pk").pk
        _none, end_s = self._charged("matchmake", self._fill, Site.now_s)
        self.matchmaker.take(Site.now_s, end_s - Site.now_s)
        over = timezone.now() + timedelta(seconds=end_s - Site.now_s)
        Match.objects.filter(pk__gt=last).update(not_before=over)
        self._at(self.matchmaker.free_s, self._wake)

    def _fill(self) -> None:
        """Do what the task of the matchmaker does, with draws that every run repeats."""
        matchmaking.fill(random=self.random)
        trials.advance()

    def _wake(self) -> None:
        """Wake as many idle slots as there are messages for runners."""
        woken = min(self.nudges, self.idle)
        self.nudges, self.idle = 0, self.idle - woken
        for _ in range(woken):
            self._claim()
        self._match()

    def _claim(self) -> None:
        lease, end_s = self._charged("claim", dispatch.claim_next, Site.now_s)
        if lease is None:
            self.idle += 1
            return
        takes_s = self.match_s * self.random.lognormvariate(-(SPREAD**2) / 2, SPREAD)
        self.spans.append((end_s, end_s + takes_s))
        self._at(end_s + takes_s, partial(self._end, lease, takes_s))

    def _end(self, lease: Lease, takes_s: float) -> None:
        """Store the games, finish the match, and take the next one."""
        renewals = round(takes_s / settings.LEASE_S * BEATS_PER_LEASE)
        _none, end_s = self._charged("play", partial(_play, lease), Site.now_s)
        game = Match.objects.get(pk=lease.pk).games.all()[0]
        note = partial(lifecycle.note_progress, lease=lease, game=game, plies=9)
        before_s = processor_s()[1]
        note()
        self.database.take(Site.now_s, renewals * (processor_s()[1] - before_s))
        done, end_s = self._charged("finish", partial(finishing.finish, lease=lease), end_s)
        if not done:
            raise RuntimeError("a lease was lost")
        self._at(end_s, self._match)
        rows = Match.objects.filter(pk=lease.pk).values_list("entrants__version__bot", flat=True)
        clock_s = dict.fromkeys(rows, takes_s * THINKING)
        record = partial(dispatch.record_job_cost, lease=lease, took_s=takes_s, bot_clock_s=clock_s)
        _none, end_s = self._charged("record", record, end_s)
        self._at(end_s, self._claim)


def _play(lease: Lease) -> None:
    """Begin and store the games of a match, as a runner does."""
    for game in Match.objects.get(pk=lease.pk).games.order_by("number"):
        lifecycle.begin_game(lease=lease, game=game)
        first, second = game.seats
        played = PlayedGame(
            record_json="{}",
            outcome={first: float(lease.pk % 2), second: float(1 - lease.pk % 2)},
            termination="flag_captured",
            fault="",
            detail="",
            plies=300,
            duration_ms=20_000,
            isolation="process",
            logs={first: "", second: ""},
        )
        lifecycle.store_game(lease=lease, game=game, played=played)
