"""Trials: unrated pairs of games that show whether a version is better than another of its bot.

`trial_pairs` chooses the pairs, and `sprt` judges them.
"""

import logging
from dataclasses import asdict

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena import jobs
from arena.domain.accounts import notices
from arena.domain.bots import activation, trial_pairs
from arena.domain.errors import Refused
from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle
from arena.models import (
    Bot,
    Entrant,
    Ladder,
    Match,
    MatchKind,
    TrialStatus,
    User,
    Version,
    VersionStatus,
    VersionTrial,
    not_banned,
)
from botkit import sprt
from botkit.sprt import Design, PairCounts, SprtResult, Verdict
from engine.errors import EngineError

logger = logging.getLogger(__name__)

MAX_RUNNING_PER_BOT = 3
STATUS_OF = {
    Verdict.BETTER: TrialStatus.BETTER,
    Verdict.WORSE: TrialStatus.WORSE,
    Verdict.LEVEL: TrialStatus.UNKNOWN,
}


def start(
    *,
    version: Version,
    against: Version | None = None,
    ladder: Ladder | None = None,
    by: User | None = None,
    activates: bool = False,
) -> VersionTrial:
    """Start a trial of a ready version against another version of its bot, on a ladder.

    `against` defaults to the active version or, for the active version, to the latest version
    before it. `ladder` defaults to the ladder for two entrants that both versions play on which the
    bot has the most games. With `activates`, the version is activated if it is better. Raise
    Refused.
    """
    against = against or _predecessor(version)
    if version.pk == against.pk or version.bot_id != against.bot_id:
        raise Refused(
            "not_comparable",
            _("Choose another version of the same bot to compare with."),
            field="against",
        )
    for compared in (version, against):
        activation.require_ready(version=compared)
    ladder = ladder or _most_played_ladder(version, against)
    if not (ladder.is_open and _fits(ladder, version) and _fits(ladder, against)):
        raise Refused(
            "no_ladder",
            _("A trial needs an open ladder for two entrants that both versions play."),
            field="ladder",
        )
    with transaction.atomic():
        bot = Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
        running = VersionTrial.objects.filter(version__bot=bot, status=TrialStatus.RUNNING)
        if running.filter(version=version, ladder=ladder).exists():
            raise Refused("trial_running", _("This version is already on trial on this ladder."))
        if running.count() >= MAX_RUNNING_PER_BOT:
            raise Refused("too_many_trials", _("This bot has reached its limit of running trials."))
        trial = VersionTrial.objects.create(
            version=version,
            against=against,
            ladder=ladder,
            requested_by=by,
            activates=activates,
            margin=settings.TRIAL_MARGIN,
            panel=trial_pairs.panel(ladder=ladder, bot=bot),
            counts=asdict(PairCounts()),
        )
        jobs.enqueue(jobs.MATCHMAKE)  # instead of waiting for the next scheduled run
    return trial


def begin_for(*, version: Version) -> VersionTrial | None:
    """Start the trial of a version that has become ready, if its bot gates new versions.

    Return None if there is nothing to compare with, or if the active version is paused for its
    forfeits. A newer upload ends the trial of an older one. The caller holds a transaction with the
    locks of `activation.hold`.
    """
    bot = Bot.objects.get(pk=version.bot_id)
    active = bot.active_version
    if not bot.gate_new_versions or active is None or active.paused_at is not None:
        return None
    _end(
        VersionTrial.objects.filter(version__bot=bot, activates=True),
        TrialStatus.CANCELLED,
        gettext_noop("Version %(number)d was uploaded.") % {"number": version.number},
    )
    try:
        return start(version=version, against=active, activates=True)
    except Refused as refused:
        logger.info("no_trial", extra={"version": version.pk, "why": refused.message})
        return None


def advance() -> None:
    """Queue matches of running trials, end trials without games left, activate better versions.

    The trials of a paused bot, of a banned owner and on a closed ladder wait.
    """
    running = VersionTrial.objects.filter(
        not_banned(user="version__bot__owner"),
        status=TrialStatus.RUNNING,
        version__bot__is_paused=False,
        ladder__is_open=True,
    )
    for trial in running.select_related("ladder", "version", "against"):
        try:
            with transaction.atomic():
                _lock(trial)  # so that no match of it finishes meanwhile
                if trial.status == TrialStatus.RUNNING and not trial_pairs.fill(trial=trial):
                    detail = gettext_noop("No result after %(games)d games.") % {
                        "games": trial.games
                    }
                    _decide(trial, TrialStatus.UNKNOWN, detail)
        except EngineError as exc:
            logger.warning("trial_unplayable", extra={"trial": trial.pk, "why": str(exc)})
    matches = Match.objects.open().filter(kind=MatchKind.TRIAL)
    for match in matches.exclude(trial__status=TrialStatus.RUNNING):
        lifecycle.cancel(match=match, reason=gettext_noop("The trial is over."))
    _activate_better_versions()


def on_match_finished(*, match: Match) -> None:
    """Update the trial of a finished match, and end it if the test has a verdict.

    The counts are recomputed from all finished matches, so no match can count twice. The caller
    holds the transaction that finishes the match.
    """
    trial = match.trial
    if trial is None or trial.margin is None:
        return
    _lock(trial)
    if trial.status != TrialStatus.RUNNING:
        return
    counts = trial_pairs.gather(trial=trial)
    trial.counts = asdict(counts)
    result = sprt.evaluate(counts=counts, design=Design(trial.margin))
    trial.games = counts.games
    trial.llr = result.llr_better
    trial.save(update_fields=["counts", "games", "llr"])
    if result.verdict is not None:
        level = gettext_noop("A difference of %(margin)g normalized Elo or more is unlikely.") % {
            "margin": trial.margin
        }
        _decide(trial, STATUS_OF[result.verdict], level if result.verdict == Verdict.LEVEL else "")


def _lock(trial: VersionTrial) -> None:
    """Lock a trial, and read it anew."""
    trial.refresh_from_db(from_queryset=VersionTrial.objects.select_for_update(no_key=True))


def cancel(*, trial: VersionTrial) -> None:
    """End a trial without a verdict. Raise Refused."""
    rows = VersionTrial.objects.filter(pk=trial.pk)
    if not _end(rows, TrialStatus.CANCELLED, gettext_noop("Cancelled by its owner.")):
        raise Refused("trial_over", _("This trial is over."))
    trial.refresh_from_db()


def sprt_result(*, trial: VersionTrial) -> SprtResult | None:
    """Return the result of the SPRT for a trial so far; None for an old trial without a margin."""
    if trial.margin is None:
        return None
    return sprt.evaluate(counts=PairCounts(**trial.counts), design=Design(trial.margin))


def _activate_better_versions() -> None:
    better = VersionTrial.objects.filter(
        status=TrialStatus.BETTER,
        activates=True,
        activated_at=None,
        version__status=VersionStatus.READY,
    )
    for trial in better.select_related("version"):
        try:
            with transaction.atomic():
                activation.hold(version=trial.version)
                if not better.filter(pk=trial.pk).exists():
                    continue  # another version was activated meanwhile
                activation.activate(version=trial.version)
                VersionTrial.objects.filter(pk=trial.pk).update(
                    activates=True, activated_at=timezone.now()
                )
        except Refused as refused:  # its owner was faster
            better.filter(pk=trial.pk).update(activates=False)
            logger.info("not_activated", extra={"trial": trial.pk, "why": refused.message})


def _decide(trial: VersionTrial, status: TrialStatus, detail: str) -> None:
    """End a trial with a verdict and notify the owner."""
    if not _end(VersionTrial.objects.filter(pk=trial.pk), status, detail):
        return
    trial.refresh_from_db()
    version = trial.version
    notices.tell(
        user=version.bot.owner,
        text=gettext_noop("%(bot)s v%(new)d against v%(old)d: %(verdict)s, after %(games)d games.")
        % {
            "bot": version.bot.name,
            "new": version.number,
            "old": trial.against.number,
            "verdict": trial.get_status_display(),
            "games": trial.games,
        },
        url=version.get_absolute_url(),
    )


def _end(rows: QuerySet[VersionTrial], status: TrialStatus, detail: str) -> int:
    """End the running trials among the rows. `advance` cancels their matches."""
    jobs.enqueue(jobs.MATCHMAKE)
    return rows.filter(status=TrialStatus.RUNNING).update(
        status=status, detail=detail, ended_at=timezone.now()
    )


def _predecessor(version: Version) -> Version:
    """Return the version to compare with. Raise Refused if the bot has no other ready version."""
    bot = version.bot
    ready = bot.versions.ready().exclude(pk=version.pk)
    active = next((candidate for candidate in ready if candidate.pk == bot.active_version_id), None)
    before = ready.filter(number__lt=version.number).order_by("-number").first()
    other = active or before or ready.order_by("-number").first()
    if other is None:
        raise Refused("no_other_version", _("There is no other ready version to compare with."))
    return other


def _most_played_ladder(version: Version, against: Version) -> Ladder:
    shared = [ladder for ladder in ladders.open_to(version=version) if _fits(ladder, against)]
    games = dict(Entrant.objects.filter(bot=version.bot_id).values_list("ladder", "games"))
    if not shared:
        raise Refused(
            "no_ladder", _("There is no open ladder for two entrants that both versions play.")
        )
    return max(shared, key=lambda ladder: games.get(ladder.pk, 0))


def _fits(ladder: Ladder, version: Version) -> bool:
    return ladder.entrants_per_match == 2 and ladder.takes(version) and not ladder.is_remote  # noqa: PLR2004 - a pair
