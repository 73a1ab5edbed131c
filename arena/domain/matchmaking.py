"""Keeps a few matches waiting on every open ladder."""

import logging
from collections import Counter
from datetime import datetime
from itertools import combinations
from random import SystemRandom

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from arena.domain import elo, matches, pairing
from arena.domain.pairing import Candidate
from arena.models import OPEN_STATUSES, Entrant, Ladder, Match, MatchEntrant, Version
from engine import registry
from engine.errors import EngineError
from engine.seating import seatings

logger = logging.getLogger(__name__)

CANDIDATES = 64  # a larger ladder is looked at through its neediest and those near the neediest
RECENT_PER_CANDIDATE = 2


def fill() -> list[Match]:
    """Create what every open ladder lacks; gives the new matches.

    A ladder of a variant or options that this installation has no more holds up no other.
    """
    made = []
    for ladder in Ladder.objects.filter(is_open=True):
        try:
            made += fill_ladder(ladder=ladder)
        except EngineError as exc:
            logger.warning("ladder_unplayable", extra={"ladder": ladder.slug, "why": str(exc)})
    return made


def fill_ladder(*, ladder: Ladder) -> list[Match]:
    """Create matches until the ladder has its small number of waiting ones or nobody can meet.

    Raises EngineError where this installation cannot play the ladder.
    """
    made: list[Match] = []
    games = _games_in_a_match(ladder)
    with transaction.atomic():
        # The lock keeps two ticks at the same moment from filling the same gap.
        Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        waiting = Match.objects.filter(ladder=ladder, status__in=matches.WAITING).count()
        while waiting + len(made) < settings.QUEUED_MATCHES_PER_LADDER:
            match = _create_next(ladder, games)
            if match is None:
                break
            made.append(match)
    return made


def _games_in_a_match(ladder: Ladder) -> int:
    variant = registry.find(ladder.variant)
    options = registry.resolve_options(variant, ladder.options)
    return len(seatings(variant, options, 0, range(ladder.entrants_per_match)))


def _create_next(ladder: Ladder, games: int) -> Match | None:
    entrants = _entrants(ladder)
    chosen = pairing.choose(
        _candidates(ladder, entrants, games),
        entrants=ladder.entrants_per_match,
        met=_met(ladder, len(entrants)),
        max_busy=settings.OPEN_MATCHES_PER_BOT,
        random=SystemRandom(),
    )
    if chosen is None:
        return None
    versions = [entrants[key].version for key in chosen]
    return matches.create_match(ladder=ladder, versions=versions)


def _entrants(ladder: Ladder) -> dict[int, Entrant]:
    """Give those that may play, by bot; in a large ladder only those worth looking at."""
    able = Entrant.objects.filter(
        ladder=ladder, active=True, bot__is_paused=False, version__status=Version.Status.READY
    ).select_related("version", "bot")
    neediest = list(able.order_by("games", "last_match_at")[:CANDIDATES])
    if len(neediest) == CANDIDATES:
        own = neediest[0].rating
        neediest += able.filter(rating__gte=own).order_by("rating")[: CANDIDATES // 2]
        neediest += able.filter(rating__lt=own).order_by("-rating")[: CANDIDATES // 2]
    return {entrant.bot_id: entrant for entrant in neediest}


def _candidates(ladder: Ladder, entrants: dict[int, Entrant], games: int) -> list[Candidate]:
    """Describe the entrants to `pairing`; every match they have open is so many `games` more."""
    now = timezone.now()
    busy = Counter(
        MatchEntrant.objects.filter(
            match__ladder=ladder, match__status__in=OPEN_STATUSES, version__bot__in=list(entrants)
        ).values_list("version__bot", flat=True)
    )
    return [_candidate(entrant, busy[bot_id], games, now) for bot_id, entrant in entrants.items()]


def _candidate(entrant: Entrant, busy: int, games: int, now: datetime) -> Candidate:
    waiting_s = (now - (entrant.last_match_at or entrant.entered_at)).total_seconds()
    is_settled = entrant.games >= elo.SETTLED_GAMES
    return Candidate(
        key=entrant.bot_id,
        owner=entrant.bot.owner_id,
        rating=entrant.rating,
        games=entrant.games + games * busy,
        waiting_s=waiting_s,
        busy=busy,
        # A number that has settled needs no machine that works on it day and night.
        resting=is_settled and (busy > 0 or waiting_s < settings.SETTLED_PAUSE_S),
    )


def _met(ladder: Ladder, entrants: int) -> dict[frozenset[int], int]:
    recent = (
        Match.objects.filter(ladder=ladder)
        .exclude(status=Match.Status.CANCELLED)
        .order_by("-pk")
        .values_list("pk", flat=True)[: RECENT_PER_CANDIDATE * entrants]
    )
    meetings: dict[int, set[int]] = {}
    rows = MatchEntrant.objects.filter(match__in=list(recent))
    for match_id, bot_id in rows.values_list("match", "version__bot"):
        meetings.setdefault(match_id, set()).add(bot_id)
    return Counter(frozenset(two) for bots in meetings.values() for two in combinations(bots, 2))
