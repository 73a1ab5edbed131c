"""A simulated site: rows, match-making, dispatch and finishing are real, the games are not.

Time is that of a `Clock` which jumps from event to event. A runner that has finished a match takes
the next job at once. Then matches are made, and idle runners are woken, as by the messages.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random

from arena.domain import finishing
from arena.domain.bots import versions as version_life
from arena.domain.matches import leases, lifecycle
from arena.domain.matches.leases import Lease
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import dispatch, matchmaking
from arena.domain.ratings import elo, refits
from arena.models import Bot, Ladder, Match, MatchKind
from tests import factories
from tests.clocks import Clock

THINK_S = 1.0  # what the clock of the fastest bot is charged in a match
SEATING_S = 1.0  # of a runner for a match, besides the thinking
CHECK_S = 10.0  # of a runner for the checks of a version
STRENGTH_SD = 250.0
NOISE = 0.3  # the standard deviation of the logarithm of a time
ALONE = 4  # matches of the first two bots of a ladder before the others come
BEAT_S = 2.0  # between two runs of the matchmaker in which nothing ends
REFIT_S = 60.0
DAY_S = 86_400


@dataclass(frozen=True)
class Cell:
    """A fleet and its ladders. `matches` is how many are played, rated or not.

    `spread` is how many times as long as the fastest bot the slowest thinks. From the middle on,
    the host takes `slowdown` times as long for everything, while the clocks charge CPU time. A
    third of the bots of a ladder are on the next one too. There are so many `challenges` and new
    `versions` for each rated match. If the fleet `reports`, the matchmaker knows its free slots.
    """

    runners: int
    bots: int
    matches: int
    ladders: int = 1
    spread: float = 20.0
    slowdown: float = 1.0
    challenges: float = 0.0
    versions: float = 0.0
    rng_seed: int = 1
    reports: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a rated match, which was the `made`-th that was made.

    `waits` are those of its bots, in seconds and in matches that the ladder began meanwhile. A bot
    waits from the moment when it could play until its match begins. `overtaken` is how many younger
    matches of the ladder began before this one.
    """

    ladder: int
    bots: frozenset[int]
    made: int
    at: datetime
    waits: tuple[tuple[float, int], ...]
    overtaken: int


@dataclass(slots=True)
class Player:
    """A bot: how long it thinks in a match, how strong it is, and when it was seen last.

    `since` has for each ladder the moment from which the bot could play there, the time that it had
    played until then, and the number of matches that the ladder had begun.
    """

    think_s: float
    strength: float
    playing: int = 0
    played_s: float = 0.0
    began: datetime | None = None
    since: dict[int, tuple[datetime, float, int]] = field(default_factory=dict)


class Site:
    """Runners that play the matches of some ladders."""

    def __init__(self, cell: Cell, clock: Clock) -> None:
        self.cell, self.clock, self.random = cell, clock, Random(cell.rng_seed)
        self.match_random = Random(cell.rng_seed)
        self.events: list[tuple[datetime, int, Callable[[], None]]] = []
        self.numbers = count()
        self.idle, self.finished, self.factor = cell.runners, 0, 1.0
        self.players: dict[int, Player] = {}
        self.starts: list[Start] = []
        self.begun: defaultdict[int, list[datetime]] = defaultdict(list)  # when they were queued
        self.opened: dict[int, int] = {}  # the latest match when all were let in, by ladder
        self.ladders = list(Ladder.objects.filter(entrants_per_match=2).order_by("pk"))
        self.ladders = self.ladders[: cell.ladders]
        Ladder.objects.exclude(pk__in=[each.pk for each in self.ladders]).update(is_open=False)
        if cell.reports:
            factories.report_slots(cell.runners, at=clock.after(DAY_S))
        self.members = [self._people(place) for place in range(len(self.ladders))]

    def play(self) -> None:
        """Play the matches of the cell."""
        self._after(0.0, self._beat)
        self._after(REFIT_S, self._refit)
        while self.finished < self.cell.matches:
            at, _number, act = heappop(self.events)
            self.clock.now = at
            act()
            self._take()

    def _people(self, place: int) -> list[int]:
        """Create the bots of a ladder. All but two come when these have met a few times."""
        size, ladder = self.cell.bots, self.ladders[place]
        slugs = [ladder.slug]
        following = self.ladders[place + 1 : place + 2]
        pks = []
        for number in range(size):
            both = number % 3 == 2
            version = factories.make_ready(
                variants=slugs + [each.slug for each in following if both]
            )
            share = self.random.random() if size > 2 else 0.0
            think_s = THINK_S * self.cell.spread ** ([0.0, 1.0, share][min(number, 2)])
            self.players[version.bot_id] = Player(think_s, self.random.gauss(0.0, STRENGTH_SD))
            pks.append(version.bot_id)
        ladder.entrants.exclude(bot__in=pks[:2]).update(active=False)
        return pks

    def _open(self, ladder: Ladder) -> None:
        """Open the ladder to all its bots."""
        ladder.entrants.update(active=True, waits_since=self.clock.now)
        self.opened[ladder.pk] = Match.objects.latest("pk").pk
        for bot in ladder.entrants.values_list("bot", flat=True):
            self._is_free(bot, ladder.pk)

    def _is_free(self, bot: int, ladder: int) -> None:
        player = self.players[bot]
        player.since[ladder] = self.clock.now, player.played_s, len(self.begun[ladder])

    def _after(self, seconds: float, act: Callable[[], None]) -> None:
        heappush(self.events, (self.clock.after(seconds), next(self.numbers), act))

    def _beat(self) -> None:
        self._after(BEAT_S, self._beat)
        matchmaking.fill(random=self.match_random)

    def _refit(self) -> None:
        self._after(REFIT_S * self.factor, self._refit)
        refits.refresh_due()

    def _take(self) -> None:
        """Give a job to each idle runner, while there are any."""
        while self.idle and (lease := dispatch.claim_next()):
            self.idle -= 1
            if lease.model is Match:
                self._begin(lease)
            else:
                took_s = self._draw(CHECK_S) * self.factor
                self._after(took_s, partial(self._accept, lease, took_s))

    def _draw(self, usual_s: float) -> float:
        return usual_s * self.random.lognormvariate(0.0, NOISE)

    def _begin(self, lease: Lease) -> None:
        match = Match.objects.get(pk=lease.pk)
        bots = list(match.entrants.order_by("position").values_list("version__bot", flat=True))
        if match.kind == MatchKind.LADDER:
            self._note(match, bots)
        clock_s = {bot: self._draw(self.players[bot].think_s) for bot in bots}
        for bot in bots:
            player = self.players[bot]
            player.began = player.began or self.clock.now
            player.playing += 1
        took_s = (SEATING_S + sum(clock_s.values())) * self.factor
        self._after(took_s, partial(self._end, lease, match, clock_s, took_s))

    def _note(self, match: Match, bots: list[int]) -> None:
        ladder = match.ladder_id
        begun, queued_at = self.begun[ladder], match.queued_at
        assert queued_at is not None
        waits = []
        for bot in bots:
            player = self.players[bot]
            if ladder in player.since and not player.playing:
                since, played_s, number = player.since[ladder]
                idle_s = (self.clock.now - since).total_seconds() - (player.played_s - played_s)
                waits.append((idle_s, len(begun) - number))
        overtaken = sum(each > queued_at for each in begun)
        begun.append(queued_at)
        found = Start(ladder, frozenset(bots), match.pk, self.clock.now, tuple(waits), overtaken)
        self.starts.append(found)

    def _end(self, lease: Lease, match: Match, clock_s: dict[int, float], took_s: float) -> None:
        self.idle += 1
        self.finished += 1
        for bot in clock_s:
            player = self.players[bot]
            player.playing -= 1
            if not player.playing and player.began:
                player.played_s += (self.clock.now - player.began).total_seconds()
                player.began = None
            self._is_free(bot, match.ladder_id)
        one, other = (self.players[bot].strength for bot in clock_s)
        for game in match.games.order_by("number"):
            won = self.random.random() < elo.expected(one, other)
            lifecycle.begin_game(lease=lease, game=game)
            factories.store(lease, game, float(won))
        assert finishing.finish(lease=lease)
        dispatch.record_job_cost(lease=lease, took_s=took_s, bot_clock_s=clock_s)
        if match.kind == MatchKind.LADDER:
            self._also(match.ladder)
        if self.finished == self.cell.matches // 2:
            self.factor = self.cell.slowdown
        self._take()  # a runner does not wait for new matches while others wait
        matchmaking.fill(random=self.match_random)

    def _also(self, ladder: Ladder) -> None:
        """Open the ladder, ask for a challenge, and upload a version, where it is time for that."""
        if ladder.pk not in self.opened and len(self.begun[ladder.pk]) >= ALONE:
            self._open(ladder)
        crowd = list(ladder.entrants.order_by("pk").filter(active=True))
        if self.random.random() < self.cell.challenges:
            two = [each.version for each in self.random.sample(crowd, 2)]
            lifecycle.create_match(
                ladder=ladder, versions=two, purpose=Purpose(MatchKind.CHALLENGE)
            )
        if self.random.random() < self.cell.versions:
            bot = self.random.choice(crowd).bot
            factories.make_upload(bot, variants=self._slugs(bot))

    def _slugs(self, bot: Bot) -> list[str]:
        return list(bot.entries.order_by("ladder_id").values_list("ladder__slug", flat=True))

    def _accept(self, lease: Lease, took_s: float) -> None:
        self.idle += 1
        leases.renew(lease=lease, digest=f"{lease.pk:064x}")
        version_life.accept(lease=lease)
        dispatch.record_job_cost(lease=lease, took_s=took_s)
        self._take()
        matchmaking.fill(random=self.match_random)
