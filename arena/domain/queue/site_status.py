"""What visitors may know of the state of the site, without names of hosts and processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.core.cache import cache
from django.utils import timezone

from arena.domain.queue import alarms, fleet, health
from arena.models import ANYBODY, Match, Version

CACHE_KEY = "site_status.1"
KEPT_S = 10  # so that any number of visitors costs one look
COUNTED = timedelta(hours=1)


class Activity(StrEnum):
    """What the arena does: it plays, nothing waits to be played, jobs wait, or it is stuck."""

    PLAYING = "playing"
    IDLE = "idle"
    STARTING = "starting"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """The state of the site at a time. `problems` are the names of health checks that failed."""

    at: datetime
    activity: Activity
    finished_lately: int
    matches_in_work: int
    matches_waiting: int
    versions_waiting: int
    oldest_wait_s: float
    problems: Sequence[str]


def present() -> SiteStatus:
    """Return the state of the site, at most some seconds old. Raise DatabaseError."""
    known: SiteStatus | None = cache.get(CACHE_KEY)
    if known is not None:
        return known
    now = timezone.now()
    oldest_wait_s = fleet.longest_wait_s()
    matches_waiting = Match.objects.of_bots().waiting().count()
    versions_waiting = Version.objects.waiting().count()
    matches_in_work = Match.objects.in_work().count()
    in_work = matches_in_work + Version.objects.in_work().count()
    if in_work:
        activity = Activity.PLAYING
    elif alarms.of(oldest_s=oldest_wait_s):
        activity = Activity.STUCK
    else:
        activity = Activity.STARTING if oldest_wait_s else Activity.IDLE
    finished = Match.objects.visible_to(ANYBODY).finished()
    known = SiteStatus(
        at=now,
        activity=activity,
        finished_lately=finished.filter(finished_at__gte=now - COUNTED).count(),
        matches_in_work=matches_in_work,
        matches_waiting=matches_waiting,
        versions_waiting=versions_waiting,
        oldest_wait_s=oldest_wait_s,
        problems=[check.name for check in health.ready().checks if not check.ok],
    )
    cache.set(CACHE_KEY, known, KEPT_S)
    return known
