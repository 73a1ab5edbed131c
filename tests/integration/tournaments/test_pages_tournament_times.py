"""When a tournament does what: the card of its overview, as far as it has come."""

import pytest
from django.utils import formats

from arena.domain.queue import fleet
from arena.domain.tournaments import stages
from tests import factories
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.pages_consoling import text

pytestmark = pytest.mark.django_db
NOBODY_PLAYS = "No runner is working"


def card(client, row):
    """Return the words of the card, from its title on to the next."""
    said = text(client.get(row.get_absolute_url()))
    return said[said.index(" When ") :].split(" Export ")[0].split(" Rules ")[0]


def shown(at):
    return f"{formats.date_format(at, 'j M Y, H:i')} UTC"


def test_what_is_ahead_says_what_it_waits_for(client):
    draft = making.make_draft()
    later = making.make_draft(making.organizer(draft), starts_at=making.ahead(days=3))
    client.force_login(making.organizer(draft))

    said = card(client, draft)

    assert "Entries as soon as the registration is opened" in said
    assert "Freeze when the organizers decide" in said
    assert "Start when the organizers decide" in said
    assert f"Start {shown(later.starts_at)}" in card(client, later)
    assert "Opened" not in said


def test_running_or_cancelled_tournament_has_nothing_ahead(client):
    row = playing.begin()

    running = card(client, row)
    stages.cancel(tournament=row, by=making.organizer(row), reason="No hall.")
    cancelled = card(client, row)

    assert f"Started {shown(row.started_at)}" in running
    assert "Cancelled" not in running
    assert f"Cancelled {shown(row.log.get(action='cancelled').at)}" in cancelled
    for said in (running, cancelled):
        assert f"Frozen {shown(row.frozen_at)}" in said
        assert "when the organizers decide" not in said


def test_only_organizers_told_that_nobody_would_play(client, monkeypatch):
    monkeypatch.setattr(fleet, "longest_wait_s", lambda: 90.0)  # something waits, nobody takes it
    row = making.make_open()

    visitor = card(client, row)
    client.force_login(factories.make_user())
    user = card(client, row)
    client.force_login(making.organizer(row))
    organizer = card(client, row)

    assert NOBODY_PLAYS not in visitor + user
    assert "It takes" not in visitor + user
    assert NOBODY_PLAYS in organizer
    assert "The operator of this site has to start one" in organizer
