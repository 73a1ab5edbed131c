"""What the next free runner takes: the waiting rows in the order of fair shares, and the claim."""

from django.db.models import F
from django.utils import timezone

from arena.domain import leases, matches, versions
from arena.domain.leases import Lease
from arena.models import Match, Version


def waiting_in_order() -> list[Match | Version]:
    """Give all that waits and is due, in the order in which runners will take it now.

    Matches come with their ladder, versions with bot and owner.
    """
    due = leases.due()
    rows: list[Match | Version] = [
        *Match.objects.filter(due, status__in=matches.WAITING).select_related("ladder"),
        *Version.objects.filter(due, status__in=versions.WAITING).select_related("bot__owner"),
    ]
    return sorted(rows, key=lambda row: (row.queued_at or timezone.now(), row.pk))


def claim_next() -> Lease | None:
    """Take what is first in that order; None where nothing that is due can be taken."""
    due = leases.due()
    waiting = Match.objects.filter(due, status__in=matches.WAITING).order_by(F("queued_at"), "pk")
    for pk in waiting.values_list("pk", flat=True):
        if lease := matches.claim(match_pk=pk):
            return lease
    return None
