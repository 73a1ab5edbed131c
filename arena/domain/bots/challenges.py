"""Challenges: unrated matches that a user requests, on the terms of a ladder."""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain import addresses
from arena.domain.accounts import permissions, quotas, staff_log
from arena.domain.errors import Refused
from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.models import (
    Bot,
    Ladder,
    Match,
    MatchKind,
    MatchQuerySet,
    OnlineBot,
    User,
    Version,
    VersionStatus,
)
from engine.errors import EngineError


def ask(
    *, by: User, own: Bot, opponents: Sequence[Bot], ladder: Ladder, number: int | None = None
) -> Match:
    """Queue an unrated match of the user's bot against opponents. Raise Refused.

    Every bot plays its active version, except that `number` may name another ready version of the
    user's own bot. Bots of one owner may meet, because nothing is rated. The number of opponents is
    that of the entrants of a match on the ladder, minus one.
    """
    versions = _versions(by, own, opponents, number)
    if not ladder.is_open:
        raise Refused(
            "ladder_closed", _("%(ladder)s is closed.") % {"ladder": ladder}, field="ladder"
        )
    if len(versions) != ladder.entrants_per_match:
        raise Refused(
            "wrong_opponents",
            _("A match on %(ladder)s has %(wanted)d entrants. Name %(others)d besides your bot.")
            % {
                "ladder": ladder,
                "wanted": ladder.entrants_per_match,
                "others": ladder.entrants_per_match - 1,
            },
            field="opponents",
        )
    _require_place(ladder, versions)
    for version in versions:
        if not version.plays(ladder.variant_slug):
            raise Refused(
                "variant_not_played",
                _("%(version)s does not play %(variant)s.")
                % {"version": version, "variant": ladder.variant_slug},
                field="ladder",
            )
    with transaction.atomic():
        quotas.check(user=by, kind=quotas.Quota.CHALLENGES)
        # `quotas.check` holds the lock.
        count = asked_by(user=by).open().count()
        if count >= settings.OPEN_CHALLENGES_PER_USER and not permissions.may_exceed_quotas(by):
            raise Refused(
                "too_many_open",
                _("You have %(count)d open challenges. Wait until one is over, or cancel one.")
                % {"count": count},
            )
        try:
            return lifecycle.create_match(
                ladder=ladder, versions=versions, purpose=Purpose(MatchKind.CHALLENGE, by)
            )
        except EngineError as exc:
            raise Refused("ladder_unplayable", str(exc), field="ladder") from exc


def cancel(*, match: Match, by: User) -> None:
    """Cancel a challenge that is not over, even while it runs.

    Raise Refused unless the user requested it or is staff.
    """
    is_own = match.requested_by_id == by.pk
    if not permissions.may_cancel_challenge(by, match):
        raise Refused("not_yours", _("Only the user who requested a challenge may cancel it."))
    with transaction.atomic():
        whose = gettext_noop("Cancelled by its requester.")
        reason = whose if is_own else gettext_noop("Cancelled by staff.")
        if not lifecycle.cancel(match=match, reason=reason):
            match.refresh_from_db()
            raise Refused(
                "match_over",
                _("This challenge is %(status)s.") % {"status": match.get_status_display()},
            )
        if not is_own:
            staff_log.note(
                by=by, action="cancel a challenge", target=str(match), url=match.get_absolute_url()
            )


def let_challenge(*, bot: Bot, allowed: bool) -> None:
    """Set whether others may challenge the bot. If not, cancel their waiting challenges."""
    with transaction.atomic():
        Bot.objects.filter(pk=bot.pk).update(accepts_challenges=allowed)
        bot.accepts_challenges = allowed
        if not allowed:
            waiting = Match.objects.waiting().filter(
                kind=MatchKind.CHALLENGE, entrants__version__bot=bot
            )
            for match in waiting.exclude(requested_by=bot.owner_id):
                lifecycle.cancel(
                    match=match, reason=gettext_noop("The opponent no longer accepts challenges.")
                )


def asked_by(*, user: User) -> MatchQuerySet:
    """Return the challenges that the user requested, including re-runs, newest first."""
    return Match.objects.filter(kind=MatchKind.CHALLENGE, requested_by=user).order_by(
        "-created_at", "-pk"
    )


def challengers(*, user: User, opponent: Bot) -> QuerySet[Bot]:
    """Return the user's bots that are ready to challenge this one."""
    able = user.bots.filter(
        is_paused=False,
        active_version__status=VersionStatus.READY,
        active_version__paused_at__isnull=True,
    )
    return able.exclude(pk=opponent.pk).select_related("owner", "active_version").order_by("slug")


def ladders_for(*, opponent: Bot) -> list[Ladder]:
    """Return the open ladders whose variant the bot's active version plays."""
    version = opponent.active_version
    return ladders.open_to(version=version) if version else []


def _versions(by: User, own: Bot, opponents: Sequence[Bot], number: int | None) -> list[Version]:
    """Return the versions that play, the user's own first. Raise Refused."""
    if not permissions.may_edit_bot(by, own):
        raise Refused("not_yours", _("You can only challenge with your own bots."), field="bot")
    everybody = [own, *opponents]
    if len({bot.pk for bot in everybody}) < len(everybody):
        raise Refused("same_bot", _("A bot cannot play against itself."), field="opponents")
    for bot in opponents:
        if not permissions.may_challenge(by, bot):
            raise Refused(
                "unwilling",
                _("%(bot)s does not accept challenges.") % {"bot": bot},
                field="opponents",
            )
    own_version = own.active_version if number is None else addresses.find_version(own, number)
    return [
        playable(own, own_version, "bot"),
        *(playable(bot, bot.active_version, "opponents") for bot in opponents),
    ]


def _require_place(ladder: Ladder, versions: Sequence[Version]) -> None:
    """Raise Refused unless these versions play from where the ladder wants it, and are online.

    A user has one seat of a remote match, so its bots have different owners.
    """
    for version in versions:
        names = {"version": version, "bot": version.bot, "ladder": ladder}
        if ladder.is_remote and not version.is_remote:
            text = _("%(ladder)s is for bots that play from home. %(version)s was uploaded.")
            raise Refused("contained_bot", text % names, field="ladder")
        if version.is_remote and not ladder.is_remote:
            text = _("%(version)s plays from home. Choose a remote ladder: %(ladder)s is none.")
            raise Refused("remote_bot", text % names, field="ladder")
        if version.is_remote and not OnlineBot.objects.now().filter(bot=version.bot_id).exists():
            text = _("%(bot)s is offline: its program is not connected.")
            raise Refused("offline", text % names)
    owners = {version.bot.owner_id for version in versions}
    if ladder.is_remote and len(owners) < len(versions):
        text = _("Remote bots of one owner cannot play against each other.")
        raise Refused("same_owner", text, field="opponents")


def playable(bot: Bot, version: Version | None, field: str) -> Version:
    """Return the version if it may play now. Raise Refused."""
    if bot.owner.is_banned:
        raise Refused(
            "owner_banned",
            _("%(bot)s cannot play now: its owner is banned.") % {"bot": bot},
            field=field,
        )
    if bot.is_paused:
        raise Refused("paused", _("%(bot)s is paused.") % {"bot": bot}, field=field)
    if version is None or version.status != VersionStatus.READY:
        raise Refused(
            "not_ready",
            _("%(bot)s has no version that is ready to play.") % {"bot": bot}
            if version is None
            else _("%(version)s is %(status)s, not ready.")
            % {"version": version, "status": version.get_status_display()},
            field=field,
        )
    if version.paused_at is not None:
        raise Refused(
            "paused",
            _("%(version)s is paused: %(why)s") % {"version": version, "why": version.pause_reason},
            field=field,
        )
    return version
