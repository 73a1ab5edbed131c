"""A ladder for which matches are made: read once, and kept in memory while they are chosen."""

from bisect import bisect_left, insort
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations, islice
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from arena.domain.queue import opponent_choice
from arena.domain.queue.opponent_choice import Candidate, LadderActivity
from arena.domain.ratings import elo
from arena.domain.ratings.fit import DEVIATIONS
from arena.models import Ladder, Match, MatchEntrant, MatchKind, OnlineBot

CANDIDATES = 64  # of a larger ladder only the neediest are considered, those near the neediest,
LONGEST_WAITING = 8  # and those that have waited longest
RECENT_PER_CANDIDATE = 2
JOINED_AFTER = 2  # matches for every entrant: then the ladder is no longer new
COLUMNS = (
    *("bot", "bot__owner", "version", "online_elo", "games"),
    *("waits_since", "rating_low", "rating_high"),
)


@dataclass(slots=True)
class PoolEntrant:
    """An entrant that may play. `busy` counts its open matches (see `_busy`), of at most `most`."""

    bot: int
    owner: int
    version: int
    online_elo: float
    games: int
    waits_since: datetime
    rating_low: float | None
    rating_high: float | None
    busy: int = 0
    most: int = settings.OPEN_MATCHES_PER_BOT


class Pool:
    """The entrants of a ladder that may play, who met lately, and who has open matches.

    `games` is the number of games of a match. The caller holds the lock of the ladder. Matches that
    are chosen are noted, and count from then on as those in the rows do. `refused` has the bots
    that asked in vain.
    """

    def __init__(
        self,
        ladder: Ladder,
        games: int,
        *,
        slow: Collection[int],
        deferred: Collection[int],
        free_slots: int,
    ) -> None:
        self.ladder, self.games, self.now = ladder, games, timezone.now()
        rows = ladder.entrants.able().order_by("pk").values_list(*COLUMNS)
        self.entrants = {row[0]: PoolEntrant(*row) for row in rows}
        if ladder.is_remote:
            places = dict(OnlineBot.objects.now().values_list("bot", "games"))
            self.entrants = {bot: row for bot, row in self.entrants.items() if bot in places}
            for bot, entrant in self.entrants.items():
                entrant.most = min(entrant.most, places[bot])
        for bot, busy in _busy(ladder, slow, deferred).items():
            if bot in self.entrants:
                self.entrants[bot].busy = busy
        asking = [entrant for entrant in self.entrants.values() if self._asks(entrant)]
        self._by_need = sorted(map(self._need, asking))
        self._by_wait = sorted(map(_wait, asking))
        self._by_elo = sorted(
            (entrant.online_elo, entrant.bot) for entrant in self.entrants.values()
        )
        self.refused: set[int] = set()
        self._recent = _recent(ladder, _considered(self.entrants))
        self._met = Counter(two for _at, bots in self._recent for two in _pairs(bots))
        self._groups = _groups(ladder, self.entrants)
        waiting = Match.objects.runnable().due().count()
        self._idle_runners = max(free_slots - waiting, 0 if waiting else 1)

    def activity(self) -> LadderActivity:
        """Return the state of the ladder for `opponent_choice`."""
        return LadderActivity(
            met=self._met,
            max_busy=settings.OPEN_MATCHES_PER_BOT,
            number=self.ladder.matches_made + 1,
            entrants=self.ladder.entrants_per_match,
            runner_is_idle=self._idle_runners > 0,
            groups=self._groups,
        )

    def candidates(self) -> list[Candidate]:
        """Return the entrants to consider: all of a small ladder.

        Who asked in vain and has an open match cannot get another one now.
        """
        considered = list(self.entrants.values())
        if len(considered) > CANDIDATES:
            neediest = self._hopeful(self._by_need, CANDIDATES)
            longest = self._hopeful(self._by_wait, LONGEST_WAITING)
            anchors = (*neediest[:1], *longest[:1])
            near = [other for anchor in anchors for other in self._near(anchor)]
            considered = list(
                {entrant.bot: entrant for entrant in (*neediest, *longest, *near)}.values()
            )
        long_ago = self._recent[-1][0] if self._recent_is_full() else self.ladder.created_at
        return [self._candidate(entrant, long_ago) for entrant in considered]

    def note(self, chosen: Collection[int]) -> None:
        """Note that a match was made between these bots."""
        for bot in chosen:
            entrant = self.entrants[bot]
            if self._asks(entrant):
                del self._by_need[bisect_left(self._by_need, self._need(entrant))]
                del self._by_wait[bisect_left(self._by_wait, _wait(entrant))]
            entrant.busy, entrant.waits_since = entrant.busy + 1, self.now
            if self._asks(entrant):
                insort(self._by_need, self._need(entrant))
                insort(self._by_wait, _wait(entrant))
        if self._recent_is_full():
            _at, bots = self._recent.pop()
            self._met.subtract(_pairs(bots))
        self._recent.appendleft((self.now, frozenset(chosen)))
        self._met.update(_pairs(chosen))
        self.ladder.matches_made += 1
        self._idle_runners -= 1
        if self._groups:
            joined = {self._groups[bot] for bot in chosen}
            into = min(joined)
            groups = {bot: into if of in joined else of for bot, of in self._groups.items()}
            is_old = _is_old(self.ladder, self.entrants) or len(set(groups.values())) == 1
            self._groups = {} if is_old else groups

    def _hopeful(self, order: Iterable[tuple[Any, ...]], most: int) -> list[PoolEntrant]:
        """Return the first entrants of an order of those that ask, except those asked in vain."""
        entrants = (self.entrants[key[-1]] for key in order)
        hopeful = (
            entrant for entrant in entrants if not entrant.busy or entrant.bot not in self.refused
        )
        return list(islice(hopeful, most))

    def _need(self, entrant: PoolEntrant) -> tuple[int, datetime, int]:
        """Return the sort key: fewest games first, those of open matches included."""
        return entrant.games + self.games * entrant.busy, entrant.waits_since, entrant.bot

    def _asks(self, entrant: PoolEntrant) -> bool:
        """Return whether `opponent_choice` will find it neither full nor resting."""
        return entrant.busy < entrant.most and not self._rests(entrant)

    def _rests(self, entrant: PoolEntrant) -> bool:
        """Return whether it needs no match now: its rating has settled, and it played lately."""
        rested = self.now - timedelta(seconds=settings.SETTLED_PAUSE_S)
        has_settled = entrant.games >= elo.SETTLED_GAMES
        return has_settled and (entrant.busy > 0 or entrant.waits_since > rested)

    def _near(self, anchor: PoolEntrant) -> Iterator[PoolEntrant]:
        """Yield the entrants of other owners with an online Elo near that of the anchor."""
        place = bisect_left(self._by_elo, (anchor.online_elo, anchor.bot))
        for side in (range(place, len(self._by_elo)), range(place - 1, -1, -1)):
            others = (self.entrants[self._by_elo[at][1]] for at in side)
            of_others = (other for other in others if other.owner != anchor.owner)
            yield from islice(of_others, CANDIDATES // 2)

    def _candidate(self, entrant: PoolEntrant, long_ago: datetime) -> Candidate:
        """Describe an entrant. It is overdue if no match was made for it since `long_ago`."""
        sd = None
        if entrant.rating_low is not None and entrant.rating_high is not None:
            sd = (entrant.rating_high - entrant.rating_low) / 2 / DEVIATIONS
        return Candidate(
            key=entrant.bot,
            owner=entrant.owner,
            rating=entrant.online_elo,
            games=entrant.games + self.games * entrant.busy,
            waiting_s=(self.now - entrant.waits_since).total_seconds(),
            busy=entrant.busy if entrant.busy < entrant.most else settings.OPEN_MATCHES_PER_BOT,
            resting=self._rests(entrant),
            overdue=entrant.waits_since < long_ago,
            sd=sd,
        )

    def _recent_is_full(self) -> bool:
        """Return whether the ladder has a past: otherwise nobody is overdue."""
        return 0 < len(self._recent) == RECENT_PER_CANDIDATE * _considered(self.entrants)


def _wait(entrant: PoolEntrant) -> tuple[datetime, int]:
    return entrant.waits_since, entrant.bot


def _pairs(bots: Iterable[int]) -> list[frozenset[int]]:
    return [frozenset(two) for two in combinations(bots, 2)]


def _considered(entrants: Collection[int]) -> int:
    """Return how many entrants are considered at once, at most."""
    return min(len(entrants), LONGEST_WAITING + 3 * CANDIDATES)


def _busy(ladder: Ladder, slow: Collection[int], deferred: Collection[int]) -> Counter[int]:
    """Count the open matches of each bot.

    A deferred match counts for the slow bot only, so that it does not keep the others from playing.
    """
    rows = MatchEntrant.objects.filter(
        match__ladder=ladder, match__kind=MatchKind.LADDER, match__status__in=Match.OPEN
    ).values_list("match", "version__bot")
    return Counter(bot for pk, bot in rows if pk not in deferred or bot in slow)


def _recent(ladder: Ladder, entrants: int) -> deque[tuple[datetime, frozenset[int]]]:
    """Return when the latest matches of a ladder were made, and their bots, newest first.

    These are a few for every entrant.
    """
    matches = Match.objects.of_ladder(ladder).not_cancelled().order_by("-created_at", "-pk")
    latest = matches.values_list("pk", "created_at")[: RECENT_PER_CANDIDATE * entrants]
    created_at = dict(latest)
    bots = _bots_of(created_at)
    return deque((at, frozenset(bots[match])) for match, at in created_at.items())


def _bots_of(matches: Collection[int] | QuerySet[Match]) -> Mapping[int, Collection[int]]:
    bots: defaultdict[int, list[int]] = defaultdict(list)
    rows = MatchEntrant.objects.filter(match__in=matches)
    for match, bot in rows.values_list("match", "version__bot"):
        bots[match].append(bot)
    return bots


def _groups(ladder: Ladder, entrants: Collection[int]) -> Mapping[int, int]:
    """Return the groups that the first matches of a ladder have not joined yet, by bot."""
    if _is_old(ladder, entrants):
        return {}
    matches = Match.objects.of_ladder(ladder).not_cancelled()
    return opponent_choice.groups_of(entrants, _bots_of(matches).values())


def _is_old(ladder: Ladder, entrants: Collection[int]) -> bool:
    return ladder.matches_made >= JOINED_AFTER * len(entrants)
