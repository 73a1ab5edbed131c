"""Finish a match: store its result, rate it, and update everything that depends on it."""

import logging

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from arena import jobs
from arena.domain.bots import crash_streaks, probes, trials
from arena.domain.matches import leases
from arena.domain.matches.leases import Lease, LeaseLost
from arena.domain.ratings import rating_events, scores
from arena.domain.tournaments.rounds import directing
from arena.models import Match, MatchEntrant, MatchKind, MatchStatus

logger = logging.getLogger(__name__)


def finish(*, lease: Lease) -> bool:
    """Finish the match and rate it, in one transaction. Return False if the lease was lost.

    A second result for the same match changes nothing. Only matches of the same bots wait for each
    other here: the ladder is not locked.
    """
    entrants = Prefetch("entrants", MatchEntrant.objects.select_related("version"))
    rows = Match.objects.select_related("ladder").prefetch_related(entrants, "games")
    match = rows.get(pk=lease.pk)
    parts = scores.of_match(match=match)
    points = {part.position: part.points for part in parts}
    try:
        with transaction.atomic():
            for entrant in match.entrants.all():
                entrant.points = points[entrant.position]
            MatchEntrant.objects.bulk_update(match.entrants.all(), ["points"])
            _leave(lease, match)
            if match.kind == MatchKind.LADDER:
                rating_events.store(match=match, parts=parts)
            for room in (crash_streaks, trials, probes, directing):
                room.on_match_finished(match=match)
            jobs.enqueue(jobs.MATCHMAKE)  # instead of waiting for the next scheduled run
    except LeaseLost:
        logger.warning("late_result_ignored", extra={"match": lease.pk})
        return False
    return True


def _leave(lease: Lease, match: Match) -> None:
    """End the lease of the match. Raise LeaseLost."""
    match.status, match.finished_at = MatchStatus.FINISHED, timezone.now()
    if not leases.leave(lease=lease, status=match.status, finished_at=match.finished_at):
        raise LeaseLost(f"{match}")
