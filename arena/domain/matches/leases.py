"""Leases: a runner claims a row by compare-and-swap, and renews the lease while it works.

Versions and matches use the same functions. A token identifies a lease. The row loses the token
when the lease ends, so a late holder cannot change the row: `arena.domain.finishing` ignores its
result. All times are the database's, so the clocks of the hosts need not agree.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now

from arena.models import LeasedQuerySet, Match, Version

Leasable = type[Match] | type[Version]

UNSWEPT = timedelta(seconds=60)  # far more than the time between two passes of the sweeper


class LeaseLost(Exception):
    """The lease has ended: it expired and the row was requeued, or the row was cancelled."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one row. With `until`, it ends if somebody renews the lease.

    `charged_s` are the runner-seconds charged to the queue share of the job.
    """

    model: Leasable
    pk: int
    token: str
    until: datetime | None = None
    charged_s: float = 0.0


def claim(
    *, waiting: LeasedQuerySet[Match] | LeasedQuerySet[Version], pk: int, into: str
) -> Lease | None:
    """Claim a waiting row if it is due. Return None if not, or if another runner was first."""
    rows = waiting.due().filter(pk=pk)
    token = secrets.token_hex(16)
    won = rows.update(
        status=into,
        lease_token=token,
        lease_until=Now() + _span(),
        taken_at=Now(),
        attempt=F("attempt") + 1,
        not_before=None,
        waiting_reason="",
    )
    return Lease(waiting.model, pk, token) if won else None


def renew(*, lease: Lease, **changes: Any) -> None:  # noqa: ANN401 - any column of the row
    """Renew the lease, and change columns of the row in the same statement. Raise LeaseLost."""
    if not _held(lease).update(lease_until=Now() + _span(), **changes):
        raise LeaseLost(f"{lease.model.__name__} {lease.pk}")


def leave(*, lease: Lease, **changes: Any) -> bool:  # noqa: ANN401 - any column of the row
    """End the lease, with the new status in `changes`. Return False if the lease was lost."""
    columns = {"lease_token": "", "lease_until": None, "left_at": Now(), **changes}
    return bool(_held(lease).update(**columns))


def extend_overdue(*, model: Leasable) -> int:
    """Renew the leases that ran out so long ago that nobody can have swept since. Return how many.

    Then the database was away, or all sweepers were, and the holders could not renew their leases.
    Those who still live go on, and the others lose the row when the new lease runs out.
    """
    overdue = model.objects.in_work().filter(lease_until__lt=Now() - UNSWEPT)
    return overdue.update(lease_until=Now() + _span())


def wait_again(*, status: str, reason: str, delay_s: float = 0.0) -> dict[str, Any]:
    """Return the columns of a row that goes back to the queue, with the reason for its wait."""
    return {
        "status": status,
        "waiting_reason": reason[:500],
        "not_before": Now() + timedelta(seconds=delay_s) if delay_s else None,
        "sent_at": None,  # so that the sweeper sends the message when the row is due
    }


def _held(lease: Lease) -> Any:  # noqa: ANN401 - a query set of either model
    rows = lease.model.objects.filter(pk=lease.pk, lease_token=lease.token)
    return rows if lease.until is None else rows.filter(lease_until=lease.until)


def _span() -> timedelta:
    return timedelta(seconds=settings.LEASE_S)
