"""The queue alarm: it tells operators that the oldest job has waited too long."""

import logging
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.domain.queue import fleet
from arena.models import QueueAlarm

logger = logging.getLogger(__name__)

CALM = 0.5  # of the limit: the alarm ends when the longest wait is below it


@dataclass(frozen=True, slots=True)
class Alarm:
    """The oldest job that is due has waited longer than the operator allows."""

    oldest_s: float
    limit_s: float


def present() -> Alarm | None:
    """Return the alarm, if there is one now. It needs no task, so it works when nothing runs."""
    return of(oldest_s=fleet.longest_wait_s())


def of(*, oldest_s: float) -> Alarm | None:
    """Return the alarm for this longest wait, or None if it is within the limit."""
    limit_s = float(settings.QUEUE_ALARM_S)
    return Alarm(oldest_s, limit_s) if oldest_s > limit_s else None


def watch() -> QueueAlarm | None:
    """Log the begin and the end of an alarm, each once. Return the alarm that is on, or None.

    An alarm ends when the longest wait is at most half the limit, so that a queue near the limit
    does not fill the log. Two processes that watch at the same moment log once.
    """
    oldest_s = fleet.longest_wait_s()
    running = QueueAlarm.objects.filter(goes_on=True).first()
    if running is None:
        return _begin(oldest_s) if of(oldest_s=oldest_s) else None
    if oldest_s <= CALM * settings.QUEUE_ALARM_S:
        now = timezone.now()
        ended = QueueAlarm.objects.filter(pk=running.pk, goes_on=True).update(
            goes_on=False, ended_at=now, oldest_s=oldest_s
        )
        if ended:
            lasted_s = round((now - running.began_at).total_seconds())
            logger.info(
                "queue_alarm_over", extra={"lasted_s": lasted_s, "oldest_s": round(oldest_s)}
            )
        return None
    running.oldest_s = oldest_s
    running.save(update_fields=["oldest_s"])
    return running


def _begin(oldest_s: float) -> QueueAlarm | None:
    try:
        with transaction.atomic():
            begun = QueueAlarm.objects.create(began_at=timezone.now(), oldest_s=oldest_s)
    except IntegrityError:  # another process has logged it
        return None
    logger.error(
        "queue_alarm",
        extra={
            "oldest_s": round(oldest_s),
            "limit_s": settings.QUEUE_ALARM_S,
            "advice": "Check that a runner is alive and takes jobs. /queue/ shows what waits.",
        },
    )
    return begun
