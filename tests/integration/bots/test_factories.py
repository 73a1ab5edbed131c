"""What a test writes as rows is what the site would have left."""

import pytest

from tests import factories

# What differs between any two: keys, names, and what is counted or timed anew.
OWN = {"id", "owner", "slug", "name", "username", "password", "digest", "bot", "version"}
OWN |= {"active_version", "created_at", "date_joined", "entered_at", "waits_since"}
TIMES = {"queued_at", "sent_at", "taken_at", "left_at"}


def left(version):
    """Return the rows of a version and its bot, with times only as present or not."""
    rows = [version, version.bot, version.bot.owner, version.archive]
    rows += [*version.checks.order_by("position"), *version.bot.entries.order_by("ladder")]
    return [
        {
            field.name: bool(getattr(row, name)) if field.name in TIMES else getattr(row, name)
            for field in row._meta.concrete_fields
            if field.name not in OWN
            for name in [field.attname]
        }
        for row in rows
    ]


@pytest.mark.django_db
def test_ready_version_equals_what_upload_and_checks_leave():
    written, uploaded = factories.make_ready(), factories.make_ready(factories.make_bot())

    assert left(written) == left(uploaded)
    for version in (written, uploaded):
        version.bot.refresh_from_db()
        assert version.bot.active_version == version
