"""A clock that stands still and randomness from a seed, so that two runs give the same bytes.

`begin` must run before Django loads the models: a column's default takes `timezone.now` itself.
"""

import os
import random
from datetime import UTC, datetime, timedelta

from django.db.models.functions import Now
from django.template import defaulttags
from django.utils import timezone

from tests.clocks import NOW_IN_SQL, now_in_sql

BEGIN = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Clock:
    """Stands still until it is moved."""

    def __init__(self):
        self.now = BEGIN

    def move(self, **by):
        """Move forward by some minutes, hours or days, as `timedelta` takes them."""
        self.now += timedelta(**by)


class _TemplateDatetime(datetime):
    """What the template tag `now` asks for the time."""

    @classmethod
    def now(cls, tz=None):
        return timezone.now().astimezone(tz)


clock = Clock()
_random = random.Random(0)


def begin():
    """Stop the clock and take all randomness of this process from the seed.

    `secrets`, `SystemRandom`, `uuid4` and the tokens of knox all read one of these two functions.
    """
    timezone.now = lambda: clock.now
    for method in NOW_IN_SQL:
        setattr(Now, method, now_in_sql(clock))
    vars(defaulttags)["datetime"] = _TemplateDatetime
    os.urandom = vars(random)["_urandom"] = _random_bytes
    seed("begin")


def seed(text):
    """Begin the random numbers anew; the same text gives the same numbers."""
    _random.seed(text)


def _random_bytes(count):
    return _random.randbytes(count)
