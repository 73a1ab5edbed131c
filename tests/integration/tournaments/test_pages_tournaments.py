"""The pages of tournaments: what they show, to whom, and what they leave out."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.domain.queue import fleet
from arena.domain.tournaments.rounds import directing
from arena.models import (
    ANYBODY,
    TournamentStatus,
)
from arena.web.matches import tournament_of_match
from tests import factories
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.rows import make_tournament

pytestmark = pytest.mark.django_db

PAGES = ("", "standings/", "rounds/", "crosstable/", "entrants/", "log/", "print/", "embed/")


def text_of(client, address, status=200, **headers):
    response = client.get(address, headers=headers)
    assert response.status_code == status, (address, response.status_code)
    return response.content.decode()


def names_in(text, *rows):
    return [row.slug for row in rows if f'href="{row.get_absolute_url()}"' in text]


def test_the_list_has_parts_and_filters(client):
    swiss = make_tournament(entrants=0, slug="swiss", format="swiss")
    over = make_tournament(entrants=0, slug="over", status=TournamentStatus.RELEASED)
    ladder = factories.get_ladder("general")
    soon = make_tournament(
        entrants=0, slug="soon", status=TournamentStatus.REGISTRATION, ladder=ladder
    )
    draft = make_tournament(entrants=0, slug="draft", status=TournamentStatus.DRAFT)
    address = reverse("tournament-list")

    text = text_of(client, address)
    parts = [text.index(f'id="{name}-title"') for name in ("running", "upcoming", "over")]
    assert parts == sorted(parts)
    assert names_in(text, swiss, soon, over, draft) == ["swiss", "soon", "over"]
    for query, found in (
        ("state=over", ["over"]),
        ("variant=general", ["soon"]),
        ("state=upcoming&format=swiss", []),
    ):
        assert names_in(text_of(client, f"{address}?{query}"), swiss, soon, over) == found, query
    client.force_login(draft.created_by)
    assert names_in(text_of(client, f"{address}?mine=on"), swiss, soon, over, draft) == ["draft"]


def test_frame_shows_public_part_to_everybody(client):
    row = playing.hide(playing.play_round(playing.play_round(playing.begin(4))), 2)
    client.force_login(making.organizer(row))

    response = client.get(f"{row.get_absolute_url()}embed/")
    page = client.get(row.get_absolute_url())

    assert "X-Frame-Options" not in response.headers
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    assert "after round 1. Later rounds" in response.content.decode()
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_page_queries_do_not_grow_with_entrants(client):
    swiss = {"format": "swiss", "format_options": {"rounds": 3}}
    few, many = (make_tournament(entrants=count, **swiss) for count in (8, 24))
    directing.advance_all()
    client.force_login(factories.make_user())
    counts = {}
    for page in (*PAGES, "rounds/1/"):
        for row in (few, few, many):  # what is read once for all is read by the first
            with CaptureQueriesContext(connection) as queries:
                text_of(client, f"{row.get_absolute_url()}{page}")
            counts[page, row.slug] = len(queries)

    more = {
        page: counts[page, many.slug] - counts[page, few.slug] for page in (*PAGES, "rounds/1/")
    }
    assert more == dict.fromkeys(more, 0)
    assert max(counts.values()) < 45


def test_match_names_tournament_only_to_round_viewers():
    row = playing.begin(4, release="hidden")
    match = playing.matches_of(row)[0]

    assert tournament_of_match.of(match=match, viewer=ANYBODY) is None
    event = tournament_of_match.of(match=match, viewer=making.organizer(row))
    assert event
    assert (event.tournament, event.title) == (row, "Round 1")


def test_only_organizers_told_that_nobody_would_play(client, monkeypatch):
    monkeypatch.setattr(fleet, "longest_wait_s", lambda: 90.0)  # something waits, nobody takes it
    row = making.make_open()

    told = []
    for user in (None, factories.make_user(), making.organizer(row)):
        if user:
            client.force_login(user)
        told.append("No runner is working" in text_of(client, row.get_absolute_url()))

    assert told == [False, False, True]
