"""What is deleted of matches that have long been over: what bots wrote, and evidence.

Matches, games and records stay, and so do the sums about beliefs.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from arena.models import GameEvidence, GameLog, Match

BATCH = 500  # rows of a statement, so that no lock is held for long
BATCHES = 20  # of a run; beat starts another


def ended_before() -> datetime | None:
    """Return when a match must have ended for its logs to go, or None if they stay for ever."""
    if not settings.LOGS_KEPT_DAYS:
        return None
    return timezone.now() - timedelta(days=settings.LOGS_KEPT_DAYS)


def deleted_after_days(*, match: Match) -> int:
    """Return after how many days logs are deleted, or 0 while the match is younger than that."""
    limit = ended_before()
    is_past = limit is not None and match.finished_at is not None and match.finished_at < limit
    return settings.LOGS_KEPT_DAYS if is_past else 0


def prune() -> int:
    """Delete what is due, in batches up to a bound. Return how many rows have changed."""
    limit = ended_before()
    if limit is None:
        return 0
    written = GameLog.objects.filter(~Q(stderr="") | ~Q(remarks=b""))
    old_logs = written.filter(game__match__finished_at__lt=limit).values_list("pk", flat=True)
    old_evidence = GameEvidence.objects.filter(game__match__finished_at__lt=limit)
    old_rows = old_evidence.values_list("pk", flat=True)
    changed = 0
    for _batch in range(BATCHES):
        logs = GameLog.objects.filter(pk__in=list(old_logs[:BATCH]))
        emptied = logs.update(stderr="", remarks=b"")
        deleted, _rows = GameEvidence.objects.filter(pk__in=list(old_rows[:BATCH])).delete()
        if not emptied + deleted:
            break
        changed += emptied + deleted
    return changed
