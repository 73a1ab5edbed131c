"""The reasons why a bot on a ladder has no waiting match there."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain.accounts import permissions
from arena.domain.ratings import elo
from arena.models import (
    Bot,
    Entrant,
    Match,
    MatchEntrant,
    MatchKind,
    OnlineBot,
    VersionStatus,
    Viewer,
)


class Why(StrEnum):
    """The reasons why a bot has no match, in the order in which they are checked."""

    LADDER_CLOSED = "ladder_closed"
    OWNER_BANNED = "owner_banned"
    PAUSED = "paused"  # by its owner
    VERSION_PAUSED = "version_paused"  # by the site, for its forfeits
    NOT_READY = "not_ready"
    OFFLINE = "offline"  # its program is not connected
    FULL = "full"  # it has the largest number of open matches
    NO_OPPONENT = "no_opponent"
    OPPONENTS_FULL = "opponents_full"
    RESTING = "resting"
    NEXT = "next"  # nothing prevents a match; the matchmaker will make one


@dataclass(frozen=True, slots=True)
class Idle:
    """The reason why an entrant has no match. `until` is when the reason ends, if that is known."""

    why: Why
    reason: str
    until: datetime | None = None


def of_bot(*, bot: Bot, viewer: Viewer) -> dict[int, Idle]:
    """Return the reasons by ladder id, for ladders where the bot is active without a waiting match.

    This includes ladders on which a match of the bot is running and another one could wait. Others
    than the owner must not learn whether a match of the bot waits, because with two bots on a
    ladder that tells who meets. They get the reasons that do not depend on it.
    """
    entrants = bot.entries.filter(active=True).select_related("ladder", "version", "bot__owner")
    if not (
        permissions.may_edit_bot(viewer, bot) or permissions.may_see_unannounced_matches(viewer)
    ):
        public = {row.ladder_id: _excluded(row) or _alone(row) for row in entrants}
        return {ladder: reason for ladder, reason in public.items() if reason}
    entries = _open_entries().filter(version__bot=bot)
    rows = list(entries.values_list("match__ladder", "match__status"))
    open_matches = Counter(ladder for ladder, _status in rows)
    waits = {ladder for ladder, status in rows if status in Match.WAITING}
    return {
        entrant.ladder_id: (
            _excluded(entrant)
            or _full(open_matches[entrant.ladder_id])
            or _alone(entrant)
            or _opponents_full(entrant)
            or _resting_or_next(entrant, open_matches[entrant.ladder_id])
        )
        for entrant in entrants
        if entrant.ladder_id not in waits
    }


def waiting(*, bot: Bot) -> Counter[int]:
    """Count the rated matches of the bot that wait, by ladder id. Only its owner may know."""
    waits = _open_entries().filter(version__bot=bot, match__status__in=Match.WAITING)
    return Counter(waits.values_list("match__ladder", flat=True))


def _excluded(entrant: Entrant) -> Idle | None:
    """Return the reason if the entrant is excluded from matchmaking."""
    version = entrant.version
    if not entrant.ladder.is_open:
        return Idle(Why.LADDER_CLOSED, _("The ladder is closed."))
    if (owner := entrant.bot.owner).is_banned:
        return Idle(Why.OWNER_BANNED, _("Its owner is banned."), owner.banned_until)
    if entrant.bot.is_paused:
        return Idle(Why.PAUSED, _("Its owner has paused it."))
    if version.paused_at is not None:
        reason = version.pause_reason or _("Its version is paused.")
        return Idle(Why.VERSION_PAUSED, reason, version.next_probe_at)
    if version.status != VersionStatus.READY:
        return Idle(Why.NOT_READY, _("Its version is not ready to play."))
    return _offline(entrant) if entrant.ladder.is_remote else None


def _offline(entrant: Entrant) -> Idle | None:
    """Return the reason if the program of a remote bot is not connected."""
    if OnlineBot.objects.now().filter(bot=entrant.bot_id).exists():
        return None
    return Idle(Why.OFFLINE, _("It is offline: its program is not connected."))


def _full(open_matches: int) -> Idle | None:
    """Return the reason if an entrant has as many matches as it may have."""
    if open_matches < settings.OPEN_MATCHES_PER_BOT:
        return None
    return Idle(Why.FULL, _("It is already playing as many matches as a bot may have."))


def _alone(entrant: Entrant) -> Idle | None:
    """Return the reason if too few bots of other owners can play."""
    if _has_opponents(entrant, _able(entrant)):
        return None
    return Idle(Why.NO_OPPONENT, _("Too few bots of other owners can play here at the moment."))


def _opponents_full(entrant: Entrant) -> Idle | None:
    """Return the reason if the other bots have as many matches as they may have."""
    full = (
        _open_entries()
        .filter(match__ladder=entrant.ladder_id)
        .values("version__bot")
        .annotate(open=Count("pk"))
        .filter(open__gte=settings.OPEN_MATCHES_PER_BOT)
    )
    if _has_opponents(entrant, _able(entrant).exclude(bot__in=full.values("version__bot"))):
        return None
    return Idle(
        Why.OPPONENTS_FULL,
        _("All its opponents already have as many matches as a bot may have."),
    )


def _able(entrant: Entrant) -> QuerySet[Entrant]:
    return Entrant.objects.able().filter(ladder=entrant.ladder_id)


def _has_opponents(entrant: Entrant, able: QuerySet[Entrant]) -> bool:
    """Return whether enough other owners have bots here, without reading all of them."""
    owners = [entrant.bot.owner_id]
    for _seat in range(entrant.ladder.entrants_per_match - 1):
        # Any will do. In this order, an index leads to one of the ladder at once.
        others = able.exclude(bot__owner__in=owners).order_by("waits_since")
        another = others.values_list("bot__owner", flat=True)[:1]
        if not another:
            return False
        owners += another
    return True


def _resting_or_next(entrant: Entrant, open_matches: int) -> Idle:
    """Return that the entrant rests because its rating is settled, or that it is about to play."""
    is_settled = entrant.games >= elo.SETTLED_GAMES
    until = entrant.waits_since + timedelta(seconds=settings.SETTLED_PAUSE_S)
    if is_settled and open_matches:
        return Idle(Why.RESTING, _("Its rating is settled: one match at a time is enough."))
    if is_settled and until > timezone.now():
        return Idle(Why.RESTING, _("Its rating is settled: it rests between its matches."), until)
    return Idle(
        Why.NEXT, _("The matchmaker will find an opponent. Bots with fewer games go first.")
    )


def _open_entries() -> QuerySet[MatchEntrant]:
    return MatchEntrant.objects.filter(match__status__in=Match.OPEN, match__kind=MatchKind.LADDER)
