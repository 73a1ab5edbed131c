"""Keep matches waiting on every open ladder: a few, or as many as free runners take soon.

A ladder that needs matches is read once, and all that it needs are chosen from memory. Only matches
of the ladder itself count here. People request challenges, trials and probes, and these must
neither fill a ladder nor keep a bot from it. `scheduling` ensures that a bot plays one match at a
time.
"""

import logging
import math
from collections.abc import Collection, Mapping
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from arena import jobs
from arena.domain.matches import lifecycle
from arena.domain.queue import dispatch, fleet, opponent_choice
from arena.domain.queue.fleet import Slots
from arena.domain.queue.pool import Pool
from arena.models import Entrant, Ladder, Match
from engine import registry
from engine.errors import EngineError
from engine.seating import seatings

logger = logging.getLogger(__name__)

AHEAD_S = 4.0  # matches for the slots that become free meanwhile wait too
MOST = 100  # matches that are made in one transaction, which keeps others from the ladder


def fill(*, random: Random) -> list[Match]:
    """Create the missing matches of every open ladder. Return the new matches.

    `random` varies who meets whom (see `opponent_choice`).
    A ladder whose variant or options are not installed any more does not stop the others.
    """
    matches = []
    ladders = Ladder.objects.filter(is_open=True).order_by("pk")
    slots = fleet.slots()
    wanted = _wanted(slots)
    for ladder in ladders:
        try:
            matches += fill_ladder(
                ladder=ladder,
                random=random,
                wanted=wanted.get(ladder.pk, 0),
                free_slots=slots.free,
            )
        except EngineError as exc:
            logger.warning("ladder_unplayable", extra={"ladder": ladder.slug, "why": str(exc)})
    return matches


def _wanted(slots: Slots) -> Mapping[int, int]:
    """Return how many matches the slots take soon from each open ladder, if all take as many.

    Ladders on which nobody plays, or programs at home, are left out.
    """
    if not slots.live:
        return {}
    playing = Entrant.objects.filter(ladder=OuterRef("pk"), active=True)
    rows = Ladder.objects.filter(Exists(playing), is_open=True, is_remote=False)
    ladders = list(rows.values_list("pk", flat=True))
    job_s = dispatch.expected_job_s(ladders=ladders)
    return {
        ladder: math.ceil(
            (slots.free + slots.live * min(1.0, AHEAD_S / job_s[ladder])) / len(job_s)
        )
        for ladder in ladders
    }


def fill_ladder(
    *, ladder: Ladder, random: Random, wanted: int = 0, free_slots: int = 0
) -> list[Match]:
    """Create matches until enough wait on the ladder or nobody can meet.

    Enough are those of the settings, or more if `wanted`. In the second case the ladder is filled
    only when less than half of them wait, so that it is read for many matches at once. `free_slots`
    are those of all runners. Raise EngineError if this installation cannot play the ladder.
    """
    variant = registry.find(ladder.variant)
    options = registry.resolve_options(variant, ladder.options)
    games = len(seatings(variant, options, 0, range(ladder.entrants_per_match)))
    least = settings.QUEUED_MATCHES_PER_LADDER
    enough = max(least, wanted)
    slow, deferred = dispatch.deferred(ladder_pk=ladder.pk)
    if _passing(ladder, deferred) >= max(least, wanted // 2):
        return []
    with transaction.atomic():
        # The lock keeps two simultaneous calls from filling the same gap.
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        missing = enough - _passing(ladder, deferred)
        if missing <= 0:
            return []
        pool = Pool(ladder, games, slow=slow, deferred=deferred, free_slots=free_slots)
        lineups = _choose(pool, min(missing, MOST), random)
        if not lineups:
            return []
        Ladder.objects.filter(pk=ladder.pk).update(matches_made=F("matches_made") + len(lineups))
        chosen = {bot for lineup in lineups for bot in lineup}
        met = Entrant.objects.filter(ladder=ladder, bot__in=chosen)
        met.lock()
        met.update(waits_since=timezone.now())
        if len(lineups) < missing and len(lineups) == MOST:
            jobs.enqueue(jobs.MATCHMAKE)  # others may have the ladder in between
        return lifecycle.create_rated_matches(
            ladder=ladder,
            lineups=[[pool.entrants[bot].version for bot in lineup] for lineup in lineups],
        )


def _passing(ladder: Ladder, deferred: Collection[int]) -> int:
    return Match.objects.of_ladder(ladder).waiting().exclude(pk__in=deferred).count()


def _choose(pool: Pool, most: int, random: Random) -> list[tuple[int, ...]]:
    """Return the bots of the next matches, up to `most`."""
    lineups: list[tuple[int, ...]] = []
    while len(lineups) < most:
        chosen = opponent_choice.choose(
            pool.candidates(),
            field=pool.activity(),
            random=random,
            refused=pool.refused,
        )
        if chosen is None:
            break
        pool.note(chosen)
        lineups.append(chosen)
    return lineups
