"""Finish a match: store its result, rate it, and update everything that depends on it."""

import logging

from django.db import transaction
from django.utils import timezone

from arena import jobs
from arena.domain.bots import crash_streaks, probes, trials
from arena.domain.matches import leases
from arena.domain.matches.leases import Lease
from arena.domain.ratings import rating_events, scores
from arena.domain.tournaments.rounds import directing
from arena.models import Ladder, Match, MatchKind, MatchStatus

logger = logging.getLogger(__name__)


def finish(*, lease: Lease) -> bool:
    """Finish the match and rate it, in one transaction. Return False if the lease was lost.

    Lock the ladder, finish the match by compare-and-swap with the ladder's next finish number,
    store the points of its entrants, and apply the ratings. A second result for the same match
    changes nothing. Only a match of the ladder itself gets a finish number and ratings.
    """
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(matches=lease.pk)
        rated = Match.objects.filter(pk=lease.pk, kind=MatchKind.LADDER).exists()
        won = leases.leave(
            lease=lease,
            status=MatchStatus.FINISHED,
            finish_number=ladder.next_finish_number if rated else None,
            finished_at=timezone.now(),
        )
        if won:
            rows = Match.objects.select_related("ladder")
            match = rows.prefetch_related("entrants__version", "games").get(pk=lease.pk)
            for score in scores.of_match(match=match):
                match.entrants.filter(position=score.position).update(points=score.points)
            if rated:
                ladder.next_finish_number += 1
                ladder.save(update_fields=["next_finish_number"])
                rating_events.apply(match=match)
            for room in (crash_streaks, trials, probes, directing):
                room.on_match_finished(match=match)
            jobs.enqueue(jobs.MATCHMAKE)  # instead of waiting for the next scheduled run
    if not won:
        logger.warning("late_result_ignored", extra={"match": lease.pk})
    return won
