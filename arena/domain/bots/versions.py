"""The life cycle of a version from uploaded to ready or rejected."""

import hashlib
import logging
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.utils.text import Truncator
from django.utils.translation import gettext_noop

from arena import jobs
from arena.domain.accounts import notices
from arena.domain.bots import activation, trials
from arena.domain.matches import leases, record_compression, record_keys
from arena.domain.matches.leases import Lease
from arena.models import (
    CheckState,
    CheckStep,
    NoticeKind,
    User,
    Version,
    VersionBuild,
    VersionCheck,
    VersionStatus,
)
from arena.texts import lists
from engine.record import Record

logger = logging.getLogger(__name__)

STATUS_OF_STEP = {
    CheckStep.SCANNED: VersionStatus.SCANNING,
    CheckStep.BUILT: VersionStatus.CHECKING,
    CheckStep.PROTOCOL: VersionStatus.CHECKING,
    CheckStep.SMOKE: VersionStatus.SMOKE,
}
DELAY_S = 15.0
MAX_DELAY_S = 600.0
REASON_TOLD_CHARS = 500  # the page of the version has all of it
LOG_MAX_CHARS = 128_000  # enough for the evidence of a forfeit and the stderr before it


def claim(*, version_pk: int) -> Lease | None:
    """Claim an uploaded version. Return None if another runner was first or it does not wait.

    Also return None while another version of its owner is in work, so that no owner occupies two
    runners. Its message is sent again when that one is done.
    """
    with transaction.atomic():
        # Locked, so that two runners do not take two versions of one owner at the same moment.
        owners = User.objects.select_for_update(of=("self",), no_key=True)
        owner = owners.filter(bots__versions=version_pk).first()
        if Version.objects.in_work().filter(bot__owner=owner).exists():
            Version.objects.waiting().filter(pk=version_pk, not_before=None).update(
                waiting_reason=gettext_noop("Another version of its owner is being checked.")
            )
            return None
        waiting = Version.objects.waiting()
        return leases.claim(waiting=waiting, pk=version_pk, into=VersionStatus.SCANNING)


def begin_step(*, lease: Lease, step: CheckStep) -> None:
    """Show a step as running. Raise LeaseLost."""
    with transaction.atomic():
        leases.renew(lease=lease, status=STATUS_OF_STEP[step])
        _checks(lease, step).update(state=CheckState.RUNNING, message="", log="", took_ms=None)


def pass_step(*, lease: Lease, step: CheckStep, message: str, log: str, took_ms: int) -> None:
    """Show a step as passed. Raise LeaseLost."""
    with transaction.atomic():
        leases.renew(lease=lease)
        _checks(lease, step).update(
            state=CheckState.PASSED, message=message, log=_kept(log), took_ms=took_ms
        )


def expect_build(*, lease: Lease) -> None:
    """Add the build to the checks of a version that turned out to need one."""
    VersionCheck.objects.get_or_create(
        version_id=lease.pk,
        step=CheckStep.BUILT,
        defaults={"position": CheckStep.values.index(CheckStep.BUILT)},
    )


def keep_build(*, lease: Lease, artefact: bytes, image: str) -> None:
    """Store the build, replacing that of an earlier attempt. Raise LeaseLost."""
    with transaction.atomic():
        leases.renew(lease=lease)
        VersionBuild.objects.update_or_create(
            version_id=lease.pk,
            defaults={
                "artefact": artefact,
                "digest": hashlib.sha256(artefact).hexdigest(),
                "image": image,
            },
        )


def reject(
    *,
    lease: Lease,
    step: CheckStep,
    reason: str,
    log: str,
    took_ms: int,
    record: Record | None = None,
) -> bool:
    """Reject the version with a reason, and tell its owner. Return False if the lease was lost.

    `record` is the record of the game that caused the rejection, if there is one.
    """
    kept = (
        record_compression.packed(text=record_keys.sign(record=record).to_json())
        if record
        else None
    )
    with transaction.atomic():
        rejected = _leave(lease=lease, status=VersionStatus.REJECTED, reason=reason)
        if rejected:
            _checks(lease, step).update(
                state=CheckState.FAILED,
                message=reason,
                log=_kept(log),
                took_ms=took_ms,
                record=kept,
            )
            _tell_of_rejection(lease)
    return rejected


def accept(*, lease: Lease) -> bool:
    """Make the version ready, and activate it or start its trial.

    Older ready versions stay ready, so that their owner can activate them again. Return False if
    the lease was lost.
    """
    with transaction.atomic():
        accepted = _leave(lease=lease, status=VersionStatus.READY, reason="")
        if accepted:
            version = Version.objects.select_related("bot").get(pk=lease.pk)
            _checks(lease, CheckStep.READY).update(
                state=CheckState.PASSED, message=_activate_or_try(version)
            )
            jobs.enqueue(jobs.MATCHMAKE)  # instead of waiting for the next scheduled run
    return accepted


def _activate_or_try(version: Version) -> str:
    """Activate a version that has passed its checks, or start its trial. Return a message."""
    activation.hold(version=version)
    if not activation.is_newest(version=version):
        return gettext_noop("Ready. A newer version was ready before.")
    trial = trials.begin_for(version=version)
    if trial is not None:
        return gettext_noop("On trial against version %(number)d: %(ladder)s.") % {
            "number": trial.against.number,
            "ladder": trial.ladder.name,
        }
    entered = activation.activate(version=version)
    names = lists.all_of(entrant.ladder.name for entrant in entered)
    return names or gettext_noop("No open ladder for this version.")


def postpone(*, lease: Lease, reason: str, counts: bool = True) -> bool:
    """Requeue the version with a growing delay after a failure of the platform.

    Reject it after the last attempt, because the bot may be what stops its runners. Set `counts` to
    False for an attempt that would have failed with any bot. Return False if the lease was lost.
    """
    attempt = Version.objects.values_list("attempt", flat=True).get(pk=lease.pk)
    is_last = counts and attempt >= settings.CHECK_ATTEMPTS
    columns: dict[str, Any]
    if is_last:
        message = gettext_noop(
            "The checks failed to run. Upload the bot again, or tell the operator: %(why)s"
        )
        columns = {"status": VersionStatus.REJECTED, "reason": message % {"why": reason}}
    else:
        delay_s = min(DELAY_S * 2 ** max(attempt - 1, 0), MAX_DELAY_S)
        columns = leases.wait_again(status=VersionStatus.UPLOADED, reason=reason, delay_s=delay_s)
    if not counts:
        columns["attempt"] = attempt - 1
    with transaction.atomic():
        left = _leave(lease=lease, **columns)
        if left:
            running = VersionCheck.objects.filter(version=lease.pk, state=CheckState.RUNNING)
            running.update(
                state=CheckState.FAILED if is_last else CheckState.WAITING, message=reason
            )
            if is_last:
                _tell_of_rejection(lease)
            logger.warning(
                "version_given_up" if is_last else "version_postponed",
                extra={"version": lease.pk, "why": reason},
            )
    return left


def _leave(*, lease: Lease, **columns: Any) -> bool:  # noqa: ANN401 - any column of the row
    """Release a version and send the next one of its owner. Return False if the lease was lost."""
    left = leases.leave(lease=lease, **columns)
    if left:
        others = Version.objects.waiting().due().filter(bot__owner__bots__versions=lease.pk)
        if others.exists():
            jobs.enqueue(jobs.WAKE_RUNNER)
    return left


def _tell_of_rejection(lease: Lease) -> None:
    version = Version.objects.select_related("bot__owner").get(pk=lease.pk)
    reason = Truncator(version.reason).chars(REASON_TOLD_CHARS)
    notices.tell(
        user=version.bot.owner,
        kind=NoticeKind.VERSION_REJECTED,
        text=gettext_noop("%(bot)s v%(number)d was rejected by its checks. %(reason)s")
        % {"bot": version.bot.name, "number": version.number, "reason": reason},
        url=version.get_absolute_url(),
    )


def _checks(lease: Lease, step: CheckStep) -> models.QuerySet[VersionCheck]:
    return VersionCheck.objects.filter(version=lease.pk, step=step)


def _kept(log: str) -> str:
    return log.replace("\0", "\N{REPLACEMENT CHARACTER}")[-LOG_MAX_CHARS:]
