"""Probes: unrated matches that test whether a version paused for its forfeits can play again."""

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
from arena.models import GameStatus, Ladder, Match, MatchEntrant, MatchKind, Version
from engine.errors import EngineError

logger = logging.getLogger(__name__)

MAX_DELAY_S = 24 * 3600
PROBED = 0  # the position of the paused version among the entrants


def send() -> list[Match]:
    """Queue a probe for every paused version that is due. Return the new matches.

    Only active versions of bots that are not paused get probes. The time between two probes doubles
    each time, up to a day.
    """
    open_probes = MatchEntrant.objects.filter(
        version=OuterRef("pk"), match__kind=MatchKind.PROBE, match__status__in=Match.OPEN
    )
    due = Version.objects.ready().filter(
        ~Exists(open_probes),
        paused_at__isnull=False,
        next_probe_at__lte=timezone.now(),
        bot__is_paused=False,
        bot__active_version=F("pk"),
    )
    sent = [_send(version) for version in due.select_related("bot")]
    return [match for match in sent if match is not None]


def on_match_finished(*, match: Match) -> None:
    """Resume a version that did not forfeit in its finished probe.

    At least one game must have ended by the rules: if the others forfeited all games, the probe
    shows nothing. The caller holds the transaction that finishes the match.
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
    """Queue one probe. Return None if another process was first, or if there is no opponent."""
    with transaction.atomic():
        due_at = version.next_probe_at
        taken = Version.objects.filter(pk=version.pk, next_probe_at=due_at)
        if due_at is None or not taken.update(next_probe_at=_next_probe_at(version)):
            return None
        ladder = _ladder_of(version)
        if ladder is None:
            return None
        opponents = ladders.willing(ladder=ladder, besides=version.bot).order_by("?")
        others = [entrant.version for entrant in opponents[: ladder.entrants_per_match - 1]]
        try:
            return lifecycle.create_match(
                ladder=ladder, versions=[version, *others], purpose=Purpose(MatchKind.PROBE)
            )
        except EngineError as exc:  # too few others, or a ladder that cannot be played here
            logger.warning("probe_impossible", extra={"version": version.pk, "why": str(exc)})
            return None


def _next_probe_at(version: Version) -> datetime:
    probes = MatchEntrant.objects.filter(
        version=version, match__kind=MatchKind.PROBE, match__created_at__gte=version.paused_at
    ).count()
    delay_s = min(settings.PROBE_DELAY_S * 2 ** (probes + 1), MAX_DELAY_S)
    return timezone.now() + timedelta(seconds=delay_s)


def _ladder_of(version: Version) -> Ladder | None:
    """Return the ladder of its latest rated match, where it forfeited.

    If that ladder is closed, return another open ladder of the bot, or None.
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
