"""Calendars: what the library reads in them, that events keep their names, and what is not told."""

from datetime import timedelta

import icalendar
import pytest
from django.utils import timezone

from arena.domain.tournaments import calendars, changes, releases, stages
from arena.models import Release, Tournament, TournamentRound
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def address(path):
    return f"https://arena.example{path}"


def events(data):
    """Return the events of a calendar by their text; the library has to understand all of it."""
    calendar = icalendar.Calendar.from_ical(data)
    found = calendar.walk("VEVENT")
    assert [part.errors for part in calendar.walk() if part.errors] == []
    for event in found:
        assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "URL"} <= set(event)
    uids = [str(event["UID"]) for event in found]
    assert len(set(uids)) == len(uids)
    return {str(event["SUMMARY"]): event for event in found}


def of(tournament):
    return events(calendars.of_one(tournament=tournament, address=address))


@pytest.fixture
def planned():
    """Return a tournament whose times are all to come."""
    tournament = making.make_open(
        name="Cup, 1; a\\b",
        opens_at=making.ahead(days=1),
        freezes_at=making.ahead(days=2),
        starts_at=making.ahead(days=3),
        description="Bring\nbots; win, or lose.",
    )
    return making.fresh(tournament)


def test_it_has_what_will_be_with_its_page(planned):
    found = of(planned)

    assert {text: event.start.date() for text, event in found.items()} == {
        "Cup, 1; a\\b: registration opens": planned.opens_at.date(),
        "Cup, 1; a\\b: versions are frozen": planned.freezes_at.date(),
        "Cup, 1; a\\b begins": planned.starts_at.date(),
    }
    for event in found.values():
        assert event["URL"] == f"https://arena.example/tournaments/{planned.slug}/"
        assert event["DESCRIPTION"] == "Bring\nbots; win, or lose."
        assert event["STATUS"] == "CONFIRMED"
        assert event.start.utcoffset() == timedelta(0)


def test_events_keep_names_when_times_and_titles_change(planned):
    before = {str(event["UID"]) for event in of(planned).values()}

    Tournament.objects.update(name="Other", starts_at=making.ahead(days=9))

    after = of(making.fresh(planned))
    assert {str(event["UID"]) for event in after.values()} == before
    assert after["Other begins"].start.date() == making.ahead(days=9).date()
    stages.cancel(tournament=planned, by=None, reason="No hall.")
    after = of(making.fresh(planned))
    assert {str(event["STATUS"]) for event in after.values()} == {"CANCELLED"}


def test_what_has_happened_is_told_as_it_was():
    tournament = making.make_running(2, starts_at=making.ahead(days=3))
    stages.complete(tournament=tournament, by=None)

    found = of(tournament)

    name = tournament.name
    assert set(found) == {f"{name}: versions are frozen", f"{name} begins", f"{name} is played"}
    assert found[f"{name} begins"].start == tournament.started_at.replace(microsecond=0)


def test_nonpublic_rounds_change_no_byte_of_calendar():
    tournament = making.make_running(2, rounds=1)
    now = timezone.now()
    tournament.rounds.update(finished_at=now)
    before = calendars.of_one(tournament=tournament, address=address)
    TournamentRound.objects.create(
        tournament=tournament, number=2, release="entrants", finished_at=now
    )
    changes.bump(tournament=tournament)

    assert calendars.of_one(tournament=tournament, address=address) == before
    name = f"{tournament.name}: round"
    assert {text for text in of(tournament) if ": round" in text} == {f"{name} 1 is over"}
    by = making.organizer(tournament)
    releases.set_release(tournament=tournament, round_number=2, release=Release.PUBLIC, by=by)
    assert {text for text in of(tournament) if ": round" in text} == {
        f"{name} 1 is over", f"{name} 2 is over",
    }  # fmt: skip


def test_calendar_of_all_has_public_tournaments_only():
    assert events(calendars.of_all()) == {}
    planned = making.make_open(name="First", freezes_at=making.ahead(days=2))
    draft = making.make_draft(name="Draft", starts_at=making.ahead(days=1))
    second = making.make_open(name="Second", starts_at=making.ahead(days=1))
    old = making.make_open(name="Old", starts_at=making.ahead(days=1))
    Tournament.objects.filter(pk=old.pk).update(created_at=making.ahead(days=-366))

    found = events(calendars.of_all(address=address))

    assert {text.partition(":")[0] for text in found if "frozen" in text} == {
        planned.name, second.name,
    }  # fmt: skip
    assert draft.name not in str(found)
