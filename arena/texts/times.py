"""Instants in the language of the reader."""

from datetime import UTC, datetime

from django.utils import formats, timezone


def in_utc(instant: datetime) -> str:
    """Return an instant as a date and a time in UTC: "23 Nov 2026, 08:14 UTC"."""
    return f"{formats.date_format(timezone.localtime(instant, UTC), 'j M Y, H:i')} UTC"
