"""Finish a match: store its result, rate it, and update everything that depends on it."""

import logging

from django.db import connection, transaction
from django.db.models import Prefetch
from django.utils import timezone

from arena import jobs
from arena.domain.bots import crash_streaks, probes, trials
from arena.domain.matches import leases
from arena.domain.matches.leases import Lease, LeaseLost
from arena.domain.ratings import rating_events, scores
from arena.domain.tournaments.rounds import directing
from arena.models import Ladder, Match, MatchEntrant, MatchKind, MatchStatus

logger = logging.getLogger(__name__)


def finish(*, lease: Lease) -> bool:
    """Finish the match and rate it, in one transaction. Return False if the lease was lost.

    A second result for the same match changes nothing. All matches of a ladder wait for each other
    here, so everything that can be done before the ladder is locked is done before.
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
                entrant.save(update_fields=["points"])
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
    """Lock the ladder, and end the lease of the match with its place in the order of the ladder.

    Only a match of the ladder itself gets a finish number. Raise LeaseLost.
    """
    match.status, match.finished_at = MatchStatus.FINISHED, timezone.now()
    if match.kind == MatchKind.LADDER:
        match.finish_number = _next_finish_number(match.ladder_id)
    else:
        Ladder.objects.select_for_update(no_key=True).get(pk=match.ladder_id)
    columns = ("status", "finished_at", "finish_number")
    if not leases.leave(lease=lease, **{column: getattr(match, column) for column in columns}):
        raise LeaseLost(f"{match}")


def _next_finish_number(ladder_pk: int) -> int:
    """Take the next finish number of a ladder, which locks it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE arena_ladder SET next_finish_number = next_finish_number + 1"
            " WHERE id = %s RETURNING next_finish_number - 1",
            [ladder_pk],
        )
        (number,) = cursor.fetchone()
    return int(number)
