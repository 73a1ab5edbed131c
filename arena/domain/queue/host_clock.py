"""The clock of this host against the clock of the database.

Leases use the database's time. But what a host writes has the times of its own clock, such as when
a match finished, so a host whose clock is off takes no jobs.
"""

from django.db.models.functions import Now
from django.utils import timezone

from arena.models import Ladder

MOST_SKEW_S = 5.0


class ClockIsOff(Exception):
    """The clock of this host differs too much from the database's."""


def skew_s() -> float:
    """Return how far the clock of this host is ahead of the database's, in seconds.

    The database looked at its clock at some moment of the query, so that a slow query adds nothing.
    Without ladders, which a site has from its first migration on, return 0.
    """
    before = timezone.now()
    now = Ladder.objects.order_by().values_list(Now(), flat=True).first()
    after = timezone.now()
    if now is None or before <= now <= after:
        return 0.0
    skew = (before if now < before else after) - now
    return float(skew.total_seconds())


def check() -> None:
    """Raise ClockIsOff if the clock of this host is off by more than `MOST_SKEW_S`."""
    skew = skew_s()
    if abs(skew) > MOST_SKEW_S:
        direction = "ahead of" if skew > 0 else "behind"
        raise ClockIsOff(
            f"the clock of this host is {abs(skew):.0f} s {direction} the database's; "
            "synchronize it (NTP), then this runner goes on by itself"
        )
