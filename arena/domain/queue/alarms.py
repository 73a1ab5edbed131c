"""The alarm of the queue: somebody has to look when the oldest job has waited too long."""

import logging
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.domain.queue import fleet
from arena.models import QueueAlarm

logger = logging.getLogger(__name__)

CALM = 0.5  # of the limit: below it the log says that it is over


@dataclass(frozen=True, slots=True)
class Alarm:
    """The oldest job that is due has waited longer than the operator allows."""

    oldest_s: float
    limit_s: float


def present() -> Alarm | None:
    """Return whether there is an alarm now. It hangs on no task: it is there when nothing runs."""
    return of(oldest_s=fleet.longest_wait_s())


def of(*, oldest_s: float) -> Alarm | None:
    """Return the alarm for such a wait, where it is one."""
    limit_s = float(settings.QUEUE_ALARM_S)
    return Alarm(oldest_s, limit_s) if oldest_s > limit_s else None


def watch() -> QueueAlarm | None:
    """Log that an alarm began or ended, each once; return the one that goes on.

    It ends when the oldest has waited no more than half as long as is allowed, so that a queue at
    the edge does not fill the log. Two that watch at the same moment log once.
    """
    oldest_s = fleet.longest_wait_s()
    running = QueueAlarm.objects.filter(goes_on=True).first()
    if running is None:
        return _begin(oldest_s) if of(oldest_s=oldest_s) else None
    if oldest_s <= CALM * settings.QUEUE_ALARM_S:
        _end(running, oldest_s)
        return None
    running.oldest_s = oldest_s
    running.save(update_fields=["oldest_s"])
    return running


def _begin(oldest_s: float) -> QueueAlarm | None:
    try:
        with transaction.atomic():
            begun = QueueAlarm.objects.create(began_at=timezone.now(), oldest_s=oldest_s)
    except IntegrityError:  # somebody else has said so
        return None
    logger.error(
        "queue_alarm",
        extra={
            "oldest_s": round(oldest_s),
            "limit_s": settings.QUEUE_ALARM_S,
            "advice": "Is a runner alive, and does it take jobs? /queue/ says what waits.",
        },
    )
    return begun


def _end(running: QueueAlarm, oldest_s: float) -> None:
    now = timezone.now()
    ended = QueueAlarm.objects.filter(pk=running.pk, goes_on=True).update(
        goes_on=False, ended_at=now, oldest_s=oldest_s
    )
    if ended:
        lasted_s = round((now - running.began_at).total_seconds())
        logger.info("queue_alarm_over", extra={"lasted_s": lasted_s, "oldest_s": round(oldest_s)})
