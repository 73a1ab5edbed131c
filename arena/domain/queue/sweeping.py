"""Requeue the rows of lost runners, and send again the messages that the broker may have lost."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from arena import jobs
from arena.domain.bots import versions
from arena.domain.matches import leases, lifecycle
from arena.domain.matches.leases import Lease
from arena.domain.queue.fleet import AnyRow
from arena.models import LeasedQuerySet, Match, Version

logger = logging.getLogger(__name__)

NUDGES = 64  # messages of each kind at most: one wakes a process, which then takes all due rows
LOST = gettext_noop("The runner was lost while it worked on this.")


@dataclass(frozen=True, slots=True)
class Swept:
    """The number of requeued rows and of messages sent again."""

    expired: int
    sent: int


def sweep() -> Swept:
    """Requeue rows with expired leases, up to the limit of attempts, and re-send waiting rows.

    After an outage, the holders of leases that ran out meanwhile get another lease first.
    """
    now = timezone.now()
    extended = sum(leases.extend_overdue(model=model) for model in (Match, Version))
    if extended:
        logger.warning("leases_extended_after_an_outage", extra={"rows": extended})
    expired = 0
    for match in Match.objects.expired():
        lifecycle.void_attempt(lease=_lease_of(match), reason=LOST)
        expired += 1
    for version in Version.objects.expired():
        versions.postpone(lease=_lease_of(version), reason=LOST)
        expired += 1
    sent = _send_again(Match.objects.runnable(), now)
    sent += _send_again(Version.objects.waiting(), now)
    if expired:
        logger.warning("leases_expired", extra={"rows": expired})
    return Swept(expired, sent)


def _lease_of(row: Match | Version) -> Lease:
    # With `until`, a runner that renews its lease meanwhile keeps the row.
    return Lease(type(row), row.pk, row.lease_token, until=row.lease_until)


def _send_again(waiting: LeasedQuerySet[AnyRow], now: datetime) -> int:
    unsent = Q(sent_at__isnull=True) | Q(
        sent_at__lt=now - timedelta(seconds=settings.RESEND_AFTER_S)
    )
    rows = waiting.due().filter(unsent).order_by("queued_at", "pk")
    oldest = list(rows.values_list("pk", flat=True)[:NUDGES])
    waiting.model.objects.filter(pk__in=oldest).update(sent_at=now)
    for _pk in oldest:
        jobs.send(jobs.WAKE_RUNNER)
    return len(oldest)
