"""A clock that tests set: what the site and its database take for now."""

from datetime import UTC, datetime, timedelta

from django.db.models import DateTimeField, Value
from django.db.models.functions import Now
from django.utils import timezone

BEGIN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


# How Django writes the time of the database, by vendor.
NOW_IN_SQL = ("as_sql", "as_postgresql", "as_sqlite")


def now_in_sql(clock):
    """Return the method by which a database takes the time of a clock for its own."""

    def compiled(_now, compiler, _connection, **_context):
        return compiler.compile(Value(clock.now, output_field=DateTimeField()))

    return compiled


class Clock:
    """Stands still until it is moved."""

    def __init__(self, monkeypatch):
        self.now = BEGIN
        monkeypatch.setattr(timezone, "now", lambda: self.now)
        for method in NOW_IN_SQL:
            monkeypatch.setattr(Now, method, now_in_sql(self))

    def move(self, seconds):
        self.now += timedelta(seconds=seconds)

    def after(self, seconds):
        """Return the instant so many seconds from now."""
        return self.now + timedelta(seconds=seconds)
