"""What is deleted of accounts: what has expired, and old notices."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from arena.models import ApiToken, Notice, OutgoingMail

MAIL_KEPT = timedelta(days=3)  # for a link to be of use; the attempts end much earlier
BATCH = 5000  # rows of a run for each kind; beat starts another


def prune() -> int:
    """Delete what is due, up to a bound. Return how many rows."""
    now = timezone.now()
    due: list[QuerySet[Any]] = [
        Session.objects.filter(expire_date__lt=now),
        ApiToken.objects.filter(expiry__lt=now),
        OutgoingMail.objects.filter(created_at__lt=now - MAIL_KEPT),
    ]
    if settings.NOTICES_KEPT_DAYS:
        oldest = now - timedelta(days=settings.NOTICES_KEPT_DAYS)
        due.append(Notice.objects.filter(created_at__lt=oldest))
    return sum(_delete(rows) for rows in due)


def _delete(rows: QuerySet[Any]) -> int:
    chosen = list(rows.order_by().values_list("pk", flat=True)[:BATCH])
    deleted, _by_model = rows.filter(pk__in=chosen).delete()
    return deleted
