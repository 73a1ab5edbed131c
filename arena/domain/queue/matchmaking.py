"""Keep a few matches waiting on every open ladder.

Only matches of the ladder itself count here. People request challenges, trials and probes, and
these must neither fill a ladder nor keep a bot from it. `scheduling` ensures that a bot plays one
match at a time.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from arena.domain.matches import lifecycle
from arena.domain.queue import dispatch, opponent_choice
from arena.domain.queue.opponent_choice import Candidate, LadderActivity
from arena.domain.ratings import elo
from arena.domain.ratings.fit import DEVIATIONS
from arena.models import Entrant, Ladder, Match, MatchEntrant, MatchKind
from engine import registry
from engine.errors import EngineError
from engine.seating import seatings

logger = logging.getLogger(__name__)

CANDIDATES = 64  # of a larger ladder only the neediest are considered, those near the neediest,
LONGEST_WAITING = 8  # and those that have waited longest
RECENT_PER_CANDIDATE = 2
JOINED_AFTER = 2  # matches for every entrant: then the ladder is no longer new


@dataclass(frozen=True, slots=True)
class Pool:
    """A locked ladder for which matches are made.

    `games` is the number of games of a match, and `busy` counts the open matches of each bot (see
    `_busy`).
    """

    ladder: Ladder
    games: int
    busy: Counter[int]
    now: datetime


def fill(*, random: Random) -> list[Match]:
    """Create the missing matches of every open ladder. Return the new matches.

    `random` varies who meets whom (see `opponent_choice`).
    A ladder whose variant or options are not installed any more does not stop the others.
    """
    made = []
    for ladder in Ladder.objects.filter(is_open=True).order_by("pk"):
        try:
            made += fill_ladder(ladder=ladder, random=random)
        except EngineError as exc:
            logger.warning("ladder_unplayable", extra={"ladder": ladder.slug, "why": str(exc)})
    return made


def fill_ladder(*, ladder: Ladder, random: Random) -> list[Match]:
    """Create matches until enough wait on the ladder or nobody can meet.

    Raise EngineError if this installation cannot play the ladder.
    """
    made: list[Match] = []
    variant = registry.find(ladder.variant)
    options = registry.resolve_options(variant, ladder.options)
    games = len(seatings(variant, options, 0, range(ladder.entrants_per_match)))
    with transaction.atomic():
        # The lock keeps two simultaneous calls from filling the same gap.
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        slow, deferred = dispatch.deferred(ladder_pk=ladder.pk)
        waiting = Match.objects.of_ladder(ladder).waiting()
        passing = waiting.exclude(pk__in=deferred).count()
        while passing + len(made) < settings.QUEUED_MATCHES_PER_LADDER:
            pool = Pool(ladder, games, _busy(ladder, slow, deferred), timezone.now())
            match = _create_next(pool, random)
            if match is None:
                break
            made.append(match)
    return made


def _busy(ladder: Ladder, slow: Collection[int], deferred: Collection[int]) -> Counter[int]:
    """Count the open matches of each bot.

    A deferred match counts for the slow bot only, so that it does not keep the others from playing.
    """
    rows = MatchEntrant.objects.filter(
        match__ladder=ladder, match__kind=MatchKind.LADDER, match__status__in=Match.OPEN
    ).values_list("match", "version__bot")
    return Counter(bot for pk, bot in rows if pk not in deferred or bot in slow)


def _create_next(pool: Pool, random: Random) -> Match | None:
    ladder = pool.ladder
    entrants = _entrants(pool)
    recent = _recent(ladder, len(entrants))
    field = LadderActivity(
        met=_met([match.pk for match in recent]),
        max_busy=settings.OPEN_MATCHES_PER_BOT,
        number=ladder.matches_made + 1,
        entrants=ladder.entrants_per_match,
        runner_is_idle=not Match.objects.runnable().due().exists(),
        groups=_groups(ladder, entrants),
    )
    # Nobody is overdue on a ladder that has not yet made so many matches.
    has_past = 0 < len(recent) == RECENT_PER_CANDIDATE * len(entrants)
    long_ago = recent[-1].created_at if has_past else ladder.created_at
    candidates = [_candidate(entrant, pool, long_ago) for entrant in entrants.values()]
    chosen = opponent_choice.choose(candidates, field=field, random=random)
    if chosen is None:
        return None
    ladder.matches_made += 1
    Ladder.objects.filter(pk=ladder.pk).update(matches_made=F("matches_made") + 1)
    Entrant.objects.filter(ladder=ladder, bot__in=chosen).update(waits_since=timezone.now())
    return lifecycle.create_match(ladder=ladder, versions=[entrants[key].version for key in chosen])


def _entrants(pool: Pool) -> dict[int, Entrant]:
    """Return the entrants that may play, by bot; of a large ladder only those to consider."""
    able = pool.ladder.entrants.able().select_related("version", "bot")
    neediest = list(able.order_by("games", "waits_since", "pk")[:CANDIDATES])
    if len(neediest) == CANDIDATES:
        asking = _asking(able, pool)
        seen = [each.bot_id for each in neediest]
        first = asking.filter(bot__in=seen).order_by("games", "waits_since", "pk")[:1]
        longest = asking.order_by("waits_since", "pk")[:LONGEST_WAITING]
        neediest += [*longest, *_near(able, [*first, *longest[:1]])]
    return {entrant.bot_id: entrant for entrant in neediest}


def _asking(able: QuerySet[Entrant], pool: Pool) -> QuerySet[Entrant]:
    """Return the entrants that `opponent_choice` will find neither full nor resting."""
    full = [bot for bot, busy in pool.busy.items() if busy >= settings.OPEN_MATCHES_PER_BOT]
    rested = pool.now - timedelta(seconds=settings.SETTLED_PAUSE_S)
    has_settled = Q(games__gte=elo.SETTLED_GAMES)
    rests = has_settled & (Q(bot__in=list(pool.busy)) | Q(waits_since__gt=rested))
    return able.exclude(bot__in=full).exclude(rests)


def _near(able: QuerySet[Entrant], anchors: Collection[Entrant]) -> list[Entrant]:
    """Return the entrants of other owners with Elo numbers near those of the anchors."""
    near: list[Entrant] = []
    for anchor in anchors:
        others = able.exclude(bot__owner=anchor.bot.owner_id)
        above = others.filter(elo__gte=anchor.elo).order_by("elo", "pk")
        below = others.filter(elo__lt=anchor.elo).order_by("-elo", "pk")
        near += [*above[: CANDIDATES // 2], *below[: CANDIDATES // 2]]
    return near


def _candidate(entrant: Entrant, pool: Pool, long_ago: datetime) -> Candidate:
    """Describe an entrant for `opponent_choice`. The games of its open matches count as played.

    It is overdue if no match was made for it since `long_ago`.
    """
    waiting_s = (pool.now - entrant.waits_since).total_seconds()
    sd = None
    if entrant.rating_low is not None and entrant.rating_high is not None:
        sd = (entrant.rating_high - entrant.rating_low) / 2 / DEVIATIONS
    is_settled = entrant.games >= elo.SETTLED_GAMES
    busy = pool.busy[entrant.bot_id]
    return Candidate(
        key=entrant.bot_id,
        owner=entrant.bot.owner_id,
        rating=entrant.elo,
        games=entrant.games + pool.games * busy,
        waiting_s=waiting_s,
        busy=busy,
        # A settled rating does not need new matches all the time.
        resting=is_settled and (busy > 0 or waiting_s < settings.SETTLED_PAUSE_S),
        overdue=entrant.waits_since < long_ago,
        sd=sd,
    )


def _recent(ladder: Ladder, entrants: int) -> list[Match]:
    """Return the latest matches of a ladder, newest first: a few for every entrant."""
    made = Match.objects.of_ladder(ladder).not_cancelled().order_by("-created_at", "-pk")
    return list(made.only("created_at")[: RECENT_PER_CANDIDATE * entrants])


def _groups(ladder: Ladder, entrants: Collection[int]) -> Mapping[int, int]:
    """Return the groups that the first matches of a ladder have not joined yet, by bot."""
    able = set(ladder.entrants.able().values_list("bot", flat=True)) | set(entrants)
    if ladder.matches_made >= JOINED_AFTER * len(able):
        return {}
    rows = MatchEntrant.objects.filter(match__in=Match.objects.of_ladder(ladder).not_cancelled())
    meetings: defaultdict[int, list[int]] = defaultdict(list)
    for match_id, bot_id in rows.values_list("match", "version__bot"):
        meetings[match_id].append(bot_id)
    return opponent_choice.groups_of(able, meetings.values())


def _met(recent: Collection[int]) -> dict[frozenset[int], int]:
    """Count the meetings of every two bots in these matches."""
    meetings: dict[int, set[int]] = {}
    rows = MatchEntrant.objects.filter(match__in=recent)
    for match_id, bot_id in rows.values_list("match", "version__bot"):
        meetings.setdefault(match_id, set()).add(bot_id)
    return Counter(frozenset(two) for bots in meetings.values() for two in combinations(bots, 2))
