"""Activate and retire versions.

A ready version stays ready until it is retired. The active version of a bot plays on the ladders.
"""

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

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
    """Make a ready version, newer or older, the active one. Return its entrants on ladders.

    Rated matches that were made are played and count for the version that plays them. Probes of the
    bot's other versions that no runner has begun are cancelled. A pause after forfeits ends. Raise
    Refused.
    """
    with transaction.atomic():
        bot = hold(version=version)
        fresh = Version.objects.get(pk=version.pk)
        require_ready(version=fresh)
        if bot.active_version_id == version.pk:
            raise Refused("already_active", _("This version is already active."))
        entered = ladders.enter(version=fresh)
        reason = gettext_noop("The bot now plays version %(number)d.") % {"number": fresh.number}
        lifecycle.cancel_waiting(
            of=bot.versions.exclude(pk=fresh.pk),
            reason=reason,
            kinds=(MatchKind.PROBE,),
        )
        # Trials against the previous version must not decide about this one.
        _end_trials(Q(version__bot=bot, activates=True), reason)
        VersionTrial.objects.filter(version__bot=bot, activated_at=None).update(activates=False)
        Version.objects.filter(pk=fresh.pk).update(**crash_streaks.NOT_PAUSED)
    version.refresh_from_db()
    return entered


def is_newest(*, version: Version) -> bool:
    """Return whether no newer version of the bot is ready."""
    newer = Version.objects.filter(bot=version.bot_id, number__gt=version.number)
    return not newer.ready().exists()


def retire(*, version: Version) -> None:
    """Retire a ready version: no match is made for it any more.

    Its rated matches that were made are played. Its other matches that no runner has begun and its
    trials are cancelled. If it was the active version, the bot leaves its ladders until its owner
    activates another version or uploads one; its ratings stay. Raise Refused, also if a tournament
    has pinned the version.
    """
    with transaction.atomic():
        bot = hold(version=version)
        require_ready(version=Version.objects.get(pk=version.pk))
        _require_free(version)
        if bot.active_version_id == version.pk:
            ladders.leave(bot=bot)
        this = Version.objects.filter(pk=version.pk)
        reason = gettext_noop("Version %(number)d was retired.") % {"number": version.number}
        unrated = [kind for kind in MatchKind.values if kind != MatchKind.LADDER]
        lifecycle.cancel_waiting(of=this, reason=reason, kinds=unrated)
        _end_trials(Q(version=version) | Q(against=version), reason)
        this.update(status=VersionStatus.RETIRED, **crash_streaks.NOT_PAUSED)
    version.refresh_from_db()


def require_checked(*, bot: Bot) -> None:
    """Raise Refused while a version of a bot is checked, or waits for that."""
    if bot.versions.open().exists():
        text = _("A version of it is being checked. Wait until that is over.")
        raise Refused("still_checked", text)


def retire_bot(*, bot: Bot) -> None:
    """Retire all versions of a bot, as `retire` does each of them. Raise Refused, and retire none.

    Its page and its matches stay. It plays again when its owner uploads another version.
    """
    with transaction.atomic():
        require_checked(bot=bot)
        ready = bot.versions.ready()
        if not ready:
            raise Refused("nothing_to_retire", _("It has no version that is ready."))
        for version in ready:
            retire(version=version)
    bot.refresh_from_db()


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
    """Raise Refused if a tournament that is not over has pinned the version.

    This includes a bot that has withdrawn while its rounds are still played: without the version,
    its pairings would become walkovers.
    """
    pinned = TournamentEntrant.objects.filter(
        version=version, tournament__status__in=PINNED_IN, tournament__rehearsal_of=None
    ).select_related("tournament")
    entered = pinned.filter(status=TournamentEntrantStatus.ENTERED).order_by("pk").first()
    if entered is not None:
        message = _(
            "Version %(number)d plays in %(tournament)s, which has pinned it. Withdraw the bot from"
            " the tournament first, or ask an organizer to substitute another version."
        )
        raise _frozen(version, entered, message)
    # The whole rounds count, because the owner may not see yet whether the own pairings are over.
    withdrawn = pinned.filter(
        status=TournamentEntrantStatus.WITHDRAWN,
        tournament__rounds__finished_at=None,
        tournament__rounds__number__gte=F("from_round"),
        tournament__rounds__number__lte=F("until_round"),
    )
    if (left := withdrawn.order_by("pk").first()) is not None:
        message = _(
            "The bot has withdrawn from %(tournament)s, but version %(number)d still plays the"
            " rounds that were drawn before. Retire it when they are over."
        )
        raise _frozen(version, left, message)


def _frozen(version: Version, entrant: TournamentEntrant, message: str) -> Refused:
    names = {"number": version.number, "tournament": entrant.tournament.name}
    return Refused("version_frozen", message % names)


def _end_trials(which: Q, reason: str) -> None:
    """Cancel running trials. `trials` cancels their matches."""
    VersionTrial.objects.filter(which, status=TrialStatus.RUNNING).update(
        status=TrialStatus.CANCELLED, detail=reason, ended_at=timezone.now()
    )
    jobs.enqueue(jobs.MATCHMAKE)  # instead of waiting for the next scheduled run


def hold(*, version: Version) -> Bot:
    """Lock the ladders of the bot, the bot and its entrants, as `ladders.lock` says. Return it.

    Call this before changing a bot or its trials in a transaction that activates a version. No
    match of the bot finishes meanwhile.
    """
    played = [ladder.pk for ladder in ladders.open_to(version=version)]
    entered = Entrant.objects.filter(bot=version.bot_id)
    ladders.lock(ladders=[*played, *entered.values_list("ladder", flat=True)])
    bot = Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
    entered.lock()
    return bot
