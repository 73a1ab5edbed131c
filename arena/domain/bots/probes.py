"""Unrated matches that find out whether a version paused for its forfeits can play again."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from arena.domain.bots import crash_streaks
from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.models import (
    GameStatus,
    Ladder,
    Match,
    MatchEntrant,
    MatchKind,
    Version,
)
from engine.errors import EngineError

logger = logging.getLogger(__name__)

MAX_DELAY_S = 24 * 3600
PROBED = 0  # the place of the paused version among the entrants


def send() -> list[Match]:
    """Queue a probe for every paused version whose time has come; return the new matches.

    Only for a version that its bot plays, while the bot itself is not paused. The time between two
    probes doubles from one to the next, up to a day.
    """
    on_its_way = MatchEntrant.objects.filter(
        version=OuterRef("pk"), match__kind=MatchKind.PROBE, match__status__in=Match.OPEN
    )
    due = Version.objects.ready().filter(
        ~Exists(on_its_way),
        paused_at__isnull=False,
        next_probe_at__lte=timezone.now(),
        bot__is_paused=False,
        bot__active_version=F("pk"),
    )
    sent = [_send(version) for version in due.select_related("bot")]
    return [match for match in sent if match is not None]


def on_match_finished(*, match: Match) -> None:
    """Bring a version back whose probe has just ended without a fault of its own.

    At least one game has to have ended by the rules: where all others forfeited nothing is known.
    The caller holds the transaction that finishes the match.
    """
    if match.kind != MatchKind.PROBE:
        return
    probed = match.entrants.select_related("version").get(position=PROBED)
    games = [game for game in match.games.all() if game.status == GameStatus.FINISHED]
    went_well = not crash_streaks.forfeited_by(probed, games) and any(
        not game.fault for game in games
    )
    if went_well and probed.version.paused_at is not None:
        crash_streaks.resume(version=probed.version)
        logger.info("version_is_back", extra={"version": probed.version_id})


def _send(version: Version) -> Match | None:
    """Queue one probe; None where another tick was first, or where nobody can be asked now."""
    with transaction.atomic():
        due_at = version.next_probe_at
        taken = Version.objects.filter(pk=version.pk, next_probe_at=due_at)
        if due_at is None or not taken.update(next_probe_at=_next(version)):
            return None
        ladder = _ladder(version)
        if ladder is None:
            return None
        asked = ladders.willing(ladder=ladder, besides=version.bot).order_by("?")
        others = [entrant.version for entrant in asked[: ladder.entrants_per_match - 1]]
        try:
            return lifecycle.create_match(
                ladder=ladder, versions=[version, *others], purpose=Purpose(MatchKind.PROBE)
            )
        except EngineError as exc:  # too few others, or a ladder that cannot be played here
            logger.warning("probe_impossible", extra={"version": version.pk, "why": str(exc)})
            return None


def _next(version: Version) -> datetime:
    probes = MatchEntrant.objects.filter(
        version=version, match__kind=MatchKind.PROBE, match__created_at__gte=version.paused_at
    ).count()
    delay_s = min(settings.PROBE_DELAY_S * 2 ** (probes + 1), MAX_DELAY_S)
    return timezone.now() + timedelta(seconds=delay_s)


def _ladder(version: Version) -> Ladder | None:
    """Return the ladder of its latest rated match, where the forfeits were.

    Where that is closed it is another open one that its bot is on; None where there is none.
    """
    rated = Match.objects.finished().filter(
        kind=MatchKind.LADDER, entrants__version=version, ladder__is_open=True
    )
    last = rated.select_related("ladder").order_by("-finished_at").first()
    if last is not None:
        return last.ladder
    return Ladder.objects.filter(
        is_open=True, entrants__version=version, entrants__active=True
    ).first()
