"""Work on a row: claimed by one compare-and-swap, held by a lease that is renewed.

The same words serve versions and matches. A lease is known by its token; the row forgets the token
the moment it leaves the holder's hands, so a holder that comes back late finds nothing to change.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from arena.models import LeasedQuerySet, Match, Version

Leasable = type[Match] | type[Version]


class LeaseLost(Exception):
    """The row is no longer the holder's: it expired and was given back, or was cancelled."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one row; with `until`, only as long as nobody renews it.

    `charged_s` is what the queue share of the job was charged with for it, in runner-seconds.
    """

    model: Leasable
    pk: int
    token: str
    until: datetime | None = None
    charged_s: float = 0.0


def claim(
    *, waiting: LeasedQuerySet[Match] | LeasedQuerySet[Version], pk: int, into: str
) -> Lease | None:
    """Take one of the rows that wait, if it is due; None where another was first, or it is none."""
    rows = waiting.due().filter(pk=pk)
    token = secrets.token_hex(16)
    now = timezone.now()
    won = rows.update(
        status=into,
        lease_token=token,
        lease_until=now + _span(),
        taken_at=now,
        attempt=F("attempt") + 1,
        not_before=None,
        waiting_reason="",
    )
    return Lease(waiting.model, pk, token) if won else None


def renew(*, lease: Lease, **changes: Any) -> None:  # noqa: ANN401 - any column of the row
    """Hold on to the row, and change columns of it in the same statement. Raise LeaseLost."""
    held = _held(lease).update(lease_until=timezone.now() + _span(), **changes)
    if not held:
        raise LeaseLost(f"{lease.model.__name__} {lease.pk}")


def leave(*, lease: Lease, **changes: Any) -> bool:  # noqa: ANN401 - any column of the row
    """Let go of the row, with its new status among `changes`; False where it was lost before."""
    gone = {"lease_token": "", "lease_until": None, "left_at": timezone.now(), **changes}
    return bool(_held(lease).update(**gone))


def wait_again(*, status: str, reason: str, delay_s: float = 0.0) -> dict[str, Any]:
    """Return the columns of a row that goes back to the queue, with why it waits."""
    now = timezone.now()
    return {
        "status": status,
        "waiting_reason": reason[:500],
        "not_before": now + timedelta(seconds=delay_s) if delay_s else None,
        "sent_at": None,  # the sweeper sends the message when the row is due
    }


def _held(lease: Lease) -> Any:  # noqa: ANN401 - a query set of either model
    rows = lease.model.objects.filter(pk=lease.pk, lease_token=lease.token)
    return rows if lease.until is None else rows.filter(lease_until=lease.until)


def _span() -> timedelta:
    return timedelta(seconds=settings.LEASE_S)
