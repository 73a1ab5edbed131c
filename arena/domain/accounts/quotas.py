"""Limits of uploads, challenges and reports per user in any 24 hours. Staff have no limits.

The existing rows are counted, so no separate counter can become wrong. Requests are counted
elsewhere, per address if nobody is signed in, except for the addresses of trusted networks.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import ip_address
from math import ceil

from django.conf import settings
from django.utils import timezone
from django.utils.translation import ngettext

from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.models import AbuseReport, Match, MatchKind, PersonSeat, User, Version
from arena.texts.times import in_utc

WINDOW = timedelta(hours=24)


class Quota(StrEnum):
    """The actions that a quota limits."""

    UPLOADS = "uploads"
    CHALLENGES = "challenges"
    REPORTS = "reports"


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a quota a user has used. A `limit` of None means no limit.

    `reset_at` is when the user gets one more, or None if nothing has been used.
    """

    kind: Quota
    limit: int | None
    used: int
    reset_at: datetime | None

    @property
    def remaining(self) -> int | None:
        """How many are left now, or None if there is no limit."""
        return None if self.limit is None else max(0, self.limit - self.used)


class OverQuota(Refused):
    """The user has reached the limit of 24 hours, and may try again after `retry_after_s`."""

    def __init__(self, usage: Usage) -> None:
        self.usage = usage
        # A limit of 0 never lets anything through, but the response must name a time to retry.
        self.free_at = usage.reset_at or timezone.now() + WINDOW
        self.retry_after_s = max(1, ceil((self.free_at - timezone.now()).total_seconds()))
        limit = usage.limit or 0
        if usage.kind is Quota.UPLOADS:
            text = ngettext(
                "You may upload %(limit)d version in 24 hours. You can upload again from %(at)s.",
                "You may upload %(limit)d versions in 24 hours. You can upload again from %(at)s.",
                limit,
            )
        elif usage.kind is Quota.REPORTS:
            text = ngettext(
                "You may report %(limit)d thing in 24 hours. You can report again from %(at)s.",
                "You may report %(limit)d things in 24 hours. You can report again from %(at)s.",
                limit,
            )
        else:
            text = ngettext(
                "You may request %(limit)d challenge in 24 hours."
                " You can request one again from %(at)s.",
                "You may request %(limit)d challenges in 24 hours."
                " You can request one again from %(at)s.",
                limit,
            )
        message = text % {"limit": limit, "at": in_utc(self.free_at)}
        super().__init__(f"too_many_{usage.kind}", message)


def is_trusted(*, address: str) -> bool:
    """Return whether the address of a caller belongs to a network whose requests do not count."""
    try:
        return any(ip_address(address) in network for network in settings.TRUSTED_NETWORKS)
    except ValueError:  # no address, as of a socket in the file system
        return False


def check(*, user: User, kind: Quota) -> None:
    """Raise OverQuota if the user has none left.

    Call it in the transaction that creates the counted row. The lock on the user's row prevents
    two simultaneous requests from both taking the last one.
    """
    if permissions.may_exceed_quotas(user):
        return
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    used = usage(user=user, kind=kind)
    if used.remaining == 0:
        raise OverQuota(used)


def usage(*, user: User, kind: Quota) -> Usage:
    """Count what the user did of this kind in the last 24 hours."""
    limits = {
        Quota.UPLOADS: settings.UPLOADS_PER_DAY,
        Quota.CHALLENGES: settings.CHALLENGES_PER_DAY,
        Quota.REPORTS: settings.REPORTS_PER_DAY,
    }
    limit = None if permissions.may_exceed_quotas(user) else int(limits[kind])
    times = list(_times(user, kind))
    # If the limit was lowered, there may be more rows than it allows: several must expire first.
    first_to_leave = 0 if limit is None else max(0, len(times) - limit)
    reset_at = times[min(first_to_leave, len(times) - 1)] + WINDOW if times else None
    return Usage(kind, limit, len(times), reset_at)


def all_of(*, user: User) -> list[Usage]:
    """Return the user's usage of every quota."""
    return [usage(user=user, kind=kind) for kind in Quota]


def _times(user: User, kind: Quota) -> Iterable[datetime]:
    """Return the creation times of the rows that count, oldest first."""
    since = timezone.now() - WINDOW
    if kind is Quota.UPLOADS:
        rows = Version.objects.filter(bot__owner=user, created_at__gt=since)
        return rows.order_by("created_at").values_list("created_at", flat=True)
    if kind is Quota.REPORTS:
        reports = AbuseReport.objects.filter(reporter=user, created_at__gt=since)
        return reports.order_by("created_at").values_list("created_at", flat=True)
    asked = Match.objects.filter(
        kind=MatchKind.CHALLENGE, requested_by=user, rerun_of=None, created_at__gt=since
    )
    remote = PersonSeat.objects.filter(  # a game from home is a challenge, too
        is_remote=True, bot=None, match__requested_by=user, match__created_at__gt=since
    )
    return sorted(
        [
            *asked.values_list("created_at", flat=True),
            *remote.values_list("match__created_at", flat=True),
        ]
    )
