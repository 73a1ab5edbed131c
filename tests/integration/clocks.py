"""A clock that tests set: what the site takes for now."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

BEGIN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class Clock:
    """Stands still until it is moved."""

    def __init__(self, monkeypatch):
        self.now = BEGIN
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def move(self, seconds):
        self.now += timedelta(seconds=seconds)

    def after(self, seconds):
        """Return the instant so many seconds from now."""
        return self.now + timedelta(seconds=seconds)
