"""Which version of a bot plays: activated, rolled back to, retired for good.

A version that is ready stays so until it is retired. The one that is active plays on the ladders.
"""

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from arena import jobs
from arena.domain.bots import crash_streaks
from arena.domain.errors import Refused
from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle
from arena.models import (
    Bot,
    Entrant,
    MatchKind,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    TrialStatus,
    Version,
    VersionStatus,
    VersionTrial,
)

PINNED_IN = (TournamentStatus.FROZEN, TournamentStatus.RUNNING, TournamentStatus.PAUSED)


def activate(*, version: Version) -> list[Entrant]:
    """Let a ready version play for its bot, a newer or an older one; return its places on ladders.

    Matches of the bot's other versions that no runner has begun are cancelled; those begun are
    played to their end and count for the version that plays them. A version that was paused for a
    streak of forfeits is so no more. Raise Refused.
    """
    with transaction.atomic():
        bot = hold(version=version)
        fresh = Version.objects.get(pk=version.pk)
        require_ready(version=fresh)
        if bot.active_version_id == version.pk:
            raise Refused("already_active", _("This is the active version."))
        entered = _put_in_place(bot, fresh)
    version.refresh_from_db()
    return entered


def is_newest(*, version: Version) -> bool:
    """Return whether no newer version of the bot is ready: then this one is activated by itself."""
    newer = Version.objects.filter(bot=version.bot_id, number__gt=version.number)
    return not newer.ready().exists()


def retire(*, version: Version) -> None:
    """End a ready version for good: it never plays again.

    Its matches that no runner has begun are cancelled, and so are the trials that it is in. Where
    it was the active one the bot leaves its ladders until its owner activates another version or
    uploads one; its numbers stay. Raise Refused, also while a tournament has frozen it.
    """
    with transaction.atomic():
        bot = hold(version=version)
        require_ready(version=Version.objects.get(pk=version.pk))
        _require_free(version)
        if bot.active_version_id == version.pk:
            ladders.leave(bot=bot)
        this = Version.objects.filter(pk=version.pk)
        reason = _("Version %(number)d was retired.") % {"number": version.number}
        lifecycle.cancel_waiting(of=this, reason=reason)
        _end_trials(Q(version=version) | Q(against=version), reason)
        this.update(status=VersionStatus.RETIRED, **crash_streaks.NOT_PAUSED)
    version.refresh_from_db()


def require_ready(*, version: Version) -> None:
    """Raise Refused unless the version has passed its checks and is not retired."""
    if version.status == VersionStatus.RETIRED:
        raise Refused("version_retired", _("This version is retired. This cannot be undone."))
    if version.status != VersionStatus.READY:
        raise Refused(
            "version_not_ready",
            _("This version is not ready: it is %(status)s.")
            % {"status": version.get_status_display()},
        )


def _require_free(version: Version) -> None:
    """Raise Refused for a version that is pinned in a tournament that is not over.

    Also where its bot has withdrawn and the rounds that it was in are played yet: without it what
    is drawn would be a walkover, with the games that are played already.
    """
    pinned = TournamentEntrant.objects.filter(
        version=version, tournament__status__in=PINNED_IN, tournament__rehearsal_of=None
    ).select_related("tournament")
    entered = pinned.filter(status=TournamentEntrantStatus.ENTERED).order_by("pk").first()
    if entered is not None:
        said = _(
            "Version %(number)d plays in %(tournament)s, which has frozen it. Withdraw the bot "
            "from it first, or ask an organizer to substitute another version."
        )
        raise _frozen(version, entered, said)
    # By the rounds, not by its own pairings: whether those are over may be hidden from its owner.
    withdrawn = pinned.filter(
        status=TournamentEntrantStatus.WITHDRAWN,
        tournament__rounds__finished_at=None,
        tournament__rounds__number__gte=F("from_round"),
        tournament__rounds__number__lte=F("until_round"),
    )
    if (left := withdrawn.order_by("pk").first()) is not None:
        said = _(
            "The bot has withdrawn from %(tournament)s, but its pairings that were already "
            "drawn are still played, by version %(number)d. Retire the version when that round "
            "is over."
        )
        raise _frozen(version, left, said)


def _frozen(version: Version, entrant: TournamentEntrant, said: str) -> Refused:
    names = {"number": version.number, "tournament": entrant.tournament.name}
    return Refused("version_frozen", said % names)


def _put_in_place(bot: Bot, version: Version) -> list[Entrant]:
    others = bot.versions.exclude(pk=version.pk)
    reason = _("The bot now plays version %(number)d.") % {"number": version.number}
    entered = ladders.enter(version=version)
    lifecycle.cancel_waiting(of=others, reason=reason, kinds=(MatchKind.LADDER, MatchKind.PROBE))
    # What was tried against the version that played until now would decide about another one.
    _end_trials(Q(version__bot=bot, activates=True), reason)
    VersionTrial.objects.filter(version__bot=bot, activated_at=None).update(activates=False)
    Version.objects.filter(pk=version.pk).update(**crash_streaks.NOT_PAUSED)
    return entered


def _end_trials(which: Q, reason: str) -> None:
    """Cancel running trials; `trials` ends what is left of their matches."""
    VersionTrial.objects.filter(which, status=TrialStatus.RUNNING).update(
        status=TrialStatus.CANCELLED, detail=reason, ended_at=timezone.now()
    )
    jobs.enqueue(jobs.MATCHMAKE)  # no need to wait for the next tick


def hold(*, version: Version) -> Bot:
    """Hold the ladders of the bot and then the bot, in the order of `ladders.lock`; return the bot.

    Whoever means to activate and touches the bot or its trials before does this first.
    """
    played = [ladder.pk for ladder in ladders.open_to(version=version)]
    entered = Entrant.objects.filter(bot=version.bot_id).values_list("ladder", flat=True)
    ladders.lock(ladders=[*played, *entered])
    return Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
