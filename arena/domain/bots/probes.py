"""Probes: unrated matches that test whether a version plays without a fault.

A version that is paused for its forfeits is probed until it can play again. Every other active
version is probed too, at random times. No bot can tell a probe from a rated match: it meets another
bot on one of its ladders, in every seating.
"""

import logging
from datetime import datetime, timedelta
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from arena.domain.bots import crash_streaks
from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.models import (
    REMOTE,
    GameStatus,
    Ladder,
    Match,
    MatchEntrant,
    MatchKind,
    Version,
    not_banned,
)
from engine.errors import EngineError

logger = logging.getLogger(__name__)

MAX_DELAY_S = 24 * 3600


def send(*, random: Random) -> list[Match]:
    """Queue a probe for every version that is due. Return the new matches.

    `random` draws the times, the ladders and the opponents of probes.
    Only active versions of bots that are not paused, and whose owner is not banned, get probes, and
    none that plays from home. For
    a paused version, the time between two probes doubles each time, up to a day.
    """
    active = (
        Version.objects.ready()
        .exclude(language=REMOTE)
        .filter(not_banned(user="bot__owner"), bot__is_paused=False, bot__active_version=F("pk"))
    )
    if settings.PROBE_EVERY_DAYS:
        unplanned = Q(paused_at__isnull=True, next_probe_at__isnull=True)
        for version in active.filter(unplanned):
            rows = Version.objects.filter(unplanned, pk=version.pk)
            rows.update(next_probe_at=_next_probe_at(version, random))
    else:
        active = active.filter(paused_at__isnull=False)
    open_probes = MatchEntrant.objects.filter(
        version=OuterRef("pk"), match__kind=MatchKind.PROBE, match__status__in=Match.OPEN
    )
    due = active.filter(~Exists(open_probes), next_probe_at__lte=timezone.now())
    sent = [_send(version, random) for version in due.select_related("bot")]
    return [match for match in sent if match is not None]


def on_match_finished(*, match: Match) -> None:
    """Resume a paused version that did not forfeit in its finished probe.

    At least one game must have ended by the rules: if the others forfeited all games, the probe
    shows nothing. The caller holds the transaction that finishes the match.
    """
    if match.kind != MatchKind.PROBE:
        return
    probed = match.entrants.select_related("version").get(position=crash_streaks.PROBED)
    games = [game for game in match.games.all() if game.status == GameStatus.FINISHED]
    went_well = not crash_streaks.forfeited_by(probed, games) and any(
        not game.fault for game in games
    )
    if went_well and probed.version.paused_at is not None:
        crash_streaks.resume(version=probed.version)
        logger.info("version_is_back", extra={"version": probed.version_id})


def _send(version: Version, random: Random) -> Match | None:
    """Queue one probe. Return None if another process was first, or if there is no opponent."""
    with transaction.atomic():
        due_at = version.next_probe_at
        taken = Version.objects.filter(pk=version.pk, next_probe_at=due_at)
        if due_at is None or not taken.update(next_probe_at=_next_probe_at(version, random)):
            return None
        ladder = _ladder_of(version, random)
        if ladder is None:
            return None
        opponents = list(ladders.willing(ladder=ladder, besides=version.bot).order_by("pk"))
        random.shuffle(opponents)
        others = [entrant.version for entrant in opponents[: ladder.entrants_per_match - 1]]
        try:
            return lifecycle.create_match(
                ladder=ladder, versions=[version, *others], purpose=Purpose(MatchKind.PROBE)
            )
        except EngineError as exc:  # too few others, or a ladder that cannot be played here
            logger.warning("probe_impossible", extra={"version": version.pk, "why": str(exc)})
            return None


def _next_probe_at(version: Version, random: Random) -> datetime:
    if version.paused_at is None:
        delay_days = random.expovariate(1 / settings.PROBE_EVERY_DAYS)
        return timezone.now() + timedelta(days=delay_days)
    probes = MatchEntrant.objects.filter(
        version=version, match__kind=MatchKind.PROBE, match__created_at__gte=version.paused_at
    ).count()
    delay_s = min(settings.PROBE_DELAY_S * 2 ** (probes + 1), MAX_DELAY_S)
    return timezone.now() + timedelta(seconds=delay_s)


def _ladder_of(version: Version, random: Random) -> Ladder | None:
    """Return the ladder of the latest rated match of a paused version, where it forfeited.

    If that ladder is closed, or if the version is not paused, return any open ladder of the bot, or
    None.
    """
    if version.paused_at is None:
        choices = list(_open_ladders(version).order_by("pk"))
        return random.choice(choices) if choices else None
    rated = Match.objects.finished().filter(
        kind=MatchKind.LADDER, entrants__version=version, ladder__is_open=True
    )
    last = rated.select_related("ladder").order_by("-finished_at", "-pk").first()
    if last is not None:
        return last.ladder
    return _open_ladders(version).first()


def _open_ladders(version: Version) -> QuerySet[Ladder]:
    return Ladder.objects.filter(is_open=True, entrants__version=version, entrants__active=True)
