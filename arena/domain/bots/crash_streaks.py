"""Tell the owner of a version that forfeits; pause one that forfeits several games in a row.

A paused version gets probes.

Rated games count, and those of the probes of a version that is not paused.

Every forfeit counts: the version crashed, did not start, ran out of time or memory, wrote too much
or something that is not a message, or chose an illegal action. A game that ends by the rules ends
the streak. A game that another bot forfeits does not count, and neither does a void game.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain.accounts import notices
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.models import (
    Game,
    GameStatus,
    Match,
    MatchEntrant,
    MatchKind,
    NoticeKind,
    Version,
    VersionStatus,
)

TOLD_EVERY = timedelta(days=1)  # of forfeits of one version
PROBED = 0  # the position of the version that a probe tests among the entrants
NOT_PAUSED: dict[str, Any] = {
    "crash_streak": 0,
    "paused_at": None,
    "pause_reason": "",
    "next_probe_at": None,
}


def on_match_finished(*, match: Match) -> None:
    """Count the forfeits in a finished match, and pause a version with too many in a row.

    The caller holds the transaction that finishes the match.
    """
    counted = match.entrants.all()
    if match.kind == MatchKind.PROBE:
        counted = counted.filter(position=PROBED, version__paused_at=None)
    elif match.kind != MatchKind.LADDER or match.ladder.is_remote:
        return  # a program at home is not matched once it is offline
    games = sorted(
        (game for game in match.games.all() if game.status == GameStatus.FINISHED),
        key=lambda game: game.number,
    )
    # Lock versions in one order, so that matches that finish at the same moment do not deadlock.
    for entrant in sorted(counted, key=lambda entrant: entrant.version_id):
        if entrant.version.crash_streak or forfeited_by(entrant, games):
            _count(entrant, games)


def resume(*, version: Version) -> None:
    """End the pause of a version. Raise Refused if it is not paused."""
    paused = Version.objects.filter(pk=version.pk, paused_at__isnull=False)
    if not paused.update(**NOT_PAUSED):
        raise Refused("not_paused", _("This version is not paused."))
    version.refresh_from_db()


def forfeited_by(entrant: MatchEntrant, games: Iterable[Game]) -> list[Game]:
    """Return the games that the entrant forfeited."""
    return [game for game in games if game.seats.get(game.fault) == entrant.position]


def _count(entrant: MatchEntrant, games: list[Game]) -> None:
    version = (
        Version.objects.select_for_update(of=("self",), no_key=True)
        .select_related("bot__owner")
        .get(pk=entrant.version_id)
    )
    for game in games:
        if forfeited_by(entrant, [game]):
            version.crash_streak += 1
        elif not game.fault:
            version.crash_streak = 0
    version.save(update_fields=["crash_streak"])
    is_playing = version.status == VersionStatus.READY and version.paused_at is None
    if is_playing and version.crash_streak >= settings.CRASH_STREAK:
        _pause(version, word=forfeited_by(entrant, games)[-1].termination)
    elif is_playing and (forfeited := forfeited_by(entrant, games)):
        _tell(version, forfeited[-1])


def _tell(version: Version, game: Game) -> None:
    names = {"bot": version.bot.name, "number": version.number}
    told = notices.of(user=version.bot.owner).filter(
        kind=NoticeKind.GAME_FORFEITED,
        text__startswith=f"{version.bot.name} v{version.number} forfeited",
        created_at__gt=timezone.now() - TOLD_EVERY,
    )
    if told.exists():
        return
    notices.tell(
        user=version.bot.owner,
        kind=NoticeKind.GAME_FORFEITED,
        text=gettext_noop(
            "%(bot)s v%(number)d forfeited a game: “%(word)s”. The page of the game shows what was"
            " sent and received."
        )
        % {**names, "word": game.termination},
        url=reverse("game-forensics", args=[game.match.public_id, game.number]),
    )


def _pause(version: Version, word: str) -> None:
    now = timezone.now()
    version.paused_at = now
    version.next_probe_at = now + timedelta(seconds=settings.PROBE_DELAY_S)
    version.pause_reason = gettext_noop(
        "It forfeited %(count)d games in a row, the last one with “%(word)s”."
    ) % {"count": version.crash_streak, "word": word}
    version.save(update_fields=["paused_at", "next_probe_at", "pause_reason"])
    lifecycle.cancel_waiting(
        of=Version.objects.filter(pk=version.pk),
        reason=gettext_noop("One of its versions was paused after a streak of forfeits."),
        kinds=(MatchKind.LADDER, MatchKind.CHALLENGE),
    )
    notices.tell(
        user=version.bot.owner,
        kind=NoticeKind.VERSION_PAUSED,
        text=gettext_noop(
            "%(bot)s v%(number)d is paused. %(reason)s The arena probes it from time to time and "
            "resumes it when a match goes well. You can also resume it yourself, or upload a new "
            "version."
        )
        % {"bot": version.bot.name, "number": version.number, "reason": version.pause_reason},
        url=version.get_absolute_url(),
    )
