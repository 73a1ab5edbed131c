"""How much one user may ask for in any 24 hours, counted in the rows themselves.

There is no counter that could drift or be lost: what counts are the versions and challenges that
are there. Staff has no limits.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import ceil

from django.conf import settings
from django.db.models import QuerySet
from django.utils import formats, timezone
from django.utils.translation import ngettext

from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.models import Match, MatchKind, User, Version

WINDOW = timedelta(hours=24)


class Quota(StrEnum):
    """What is counted."""

    UPLOADS = "uploads"
    CHALLENGES = "challenges"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a user has had of something; without `limit` there is none.

    `reset_at` is when one more becomes free, None where nothing has been used.
    """

    kind: Quota
    limit: int | None
    used: int
    reset_at: datetime | None

    @property
    def remaining(self) -> int | None:
        """How many are left now; None where there is no limit."""
        return None if self.limit is None else max(0, self.limit - self.used)


class OverQuota(Refused):
    """The user has had as many as one may have in 24 hours; after `retry_after_s` one is free."""

    def __init__(self, code: str, message: str, *, usage: Usage, free_at: datetime) -> None:
        super().__init__(code, message)
        self.usage = usage
        self.free_at = free_at
        self.retry_after_s = max(1, ceil((free_at - timezone.now()).total_seconds()))


def check(*, user: User, kind: Quota) -> None:
    """Refuse what would be one too many. Raise OverQuota.

    Called in the transaction that makes the row: the user's row is locked until that one is there
    to be counted, so that two requests at once cannot both be the last one allowed.
    """
    if permissions.may_exceed_quotas(user):
        return
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    used = usage(user=user, kind=kind)
    if used.remaining == 0:
        raise _over(used)


def usage(*, user: User, kind: Quota) -> Usage:
    """Count what the user has had in the last 24 hours."""
    limit = None if permissions.may_exceed_quotas(user) else limit_of(kind=kind)
    times = list(_times(user, kind))
    # With more rows than the limit allows (it was lowered), one is free when enough have left.
    first_to_leave = 0 if limit is None else max(0, len(times) - limit)
    reset_at = times[min(first_to_leave, len(times) - 1)] + WINDOW if times else None
    return Usage(kind, limit, len(times), reset_at)


def all_of(*, user: User) -> list[Usage]:
    """Return every count of the user."""
    return [usage(user=user, kind=kind) for kind in Quota]


def limit_of(*, kind: Quota) -> int:
    """Return how many a user may have in 24 hours."""
    limits = {
        Quota.UPLOADS: settings.UPLOADS_PER_DAY,
        Quota.CHALLENGES: settings.CHALLENGES_PER_DAY,
    }
    return int(limits[kind])


def _times(user: User, kind: Quota) -> QuerySet[Version, datetime] | QuerySet[Match, datetime]:
    """Return when each was made that still counts, oldest first."""
    since = timezone.now() - WINDOW
    if kind is Quota.UPLOADS:
        rows = Version.objects.filter(bot__owner=user, created_at__gt=since)
        return rows.order_by("created_at").values_list("created_at", flat=True)
    asked = Match.objects.filter(
        kind=MatchKind.CHALLENGE, requested_by=user, rerun_of=None, created_at__gt=since
    )
    return asked.order_by("created_at").values_list("created_at", flat=True)


def _over(used: Usage) -> OverQuota:
    # A limit of 0 is a door that stays shut; asking again tomorrow is as good as any.
    free_at = used.reset_at or timezone.now() + WINDOW
    limit = used.limit or 0
    said = {
        Quota.UPLOADS: ngettext(
            "You may upload %(limit)d version in 24 hours; the next one from %(at)s UTC.",
            "You may upload %(limit)d versions in 24 hours; the next one from %(at)s UTC.",
            limit,
        ),
        Quota.CHALLENGES: ngettext(
            "You may ask for %(limit)d challenge in 24 hours; the next one from %(at)s UTC.",
            "You may ask for %(limit)d challenges in 24 hours; the next one from %(at)s UTC.",
            limit,
        ),
    }[used.kind]
    at = formats.date_format(timezone.localtime(free_at, UTC), "j M Y, H:i")
    return OverQuota(
        f"too_many_{used.kind}",
        said % {"limit": limit, "at": at},
        usage=used,
        free_at=free_at,
    )
