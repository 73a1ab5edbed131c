"""Files of records: by the day on which they became public, and nothing that is not."""

import gzip
import hashlib
import json
from datetime import UTC, date, datetime

import pytest

from arena.domain.matches import record_files, replays
from arena.domain.ratings import annulments
from arena.domain.tournaments import releases
from arena.models import GameRecord, Match, RecordFile, Release
from engine.record import Record
from tests import embargoes, factories
from tests.integration.web.played import finished_match

pytestmark = pytest.mark.django_db

DAY_S = 24 * 3600
FIRST = date(2026, 3, 1)  # of the clock
THIRD = date(2026, 3, 3)
FOURTH = date(2026, 3, 4)
LIST = "/ladders/general/records"


def made(clock):
    """Return how many files are made after a day has passed."""
    clock.move(DAY_S)
    return record_files.make_due()


def content(caller, day=FIRST, number=1):
    """Return the games in a file, as (match, number)."""
    answer = caller.get(f"{LIST}/{day}/{number}")
    assert answer.status_code == 200
    lines = gzip.decompress(answer.content).decode().splitlines()
    told = [json.loads(line)["chance"] for line in lines]
    return [(each["match"], each["game"]) for each in told]


def games_of(*matches):
    return [(match.public_id, game.number) for match in matches for game in match.games.all()]


def test_day_file_has_records_as_site_shows_them(anyone, clock):
    match = finished_match()
    assert made(clock) == 1

    listed = anyone.get(LIST).json()
    (file,) = listed["results"]
    answer = anyone.get(file["url"].removeprefix("/api/v1"))

    assert listed["complete_until"] == "2026-03-01"
    assert (file["name"], file["games"]) == ("general-2026-03-01-1.ndjson.gz", 2)
    assert file["sha256"] == hashlib.sha256(answer.content).hexdigest()
    assert file["size_bytes"] == len(answer.content)
    assert answer["Content-Type"] == "application/gzip"
    assert answer["Content-Disposition"] == f'attachment; filename="{file["name"]}"'
    lines = gzip.decompress(answer.content).splitlines()
    shown = [replays.record(game=game) for game in match.games.order_by("number")]
    assert [json.loads(line) for line in lines] == shown
    for line in lines:
        Record.from_json(line)

    # Who has the file does not get it again, and other addresses have none.
    address = f"{LIST}/{FIRST}/1"
    again = anyone.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == answer["Cache-Control"] == "public, no-cache"
    assert anyone.get(address, headers={"If-None-Match": '"another"'}).status_code == 200
    for day in ("2026-02-30", "today", "2026-03-05"):
        assert anyone.get(f"{LIST}/{day}/1").status_code == 404


def test_day_is_listed_when_over_and_matches_stored(anyone, clock):
    finished_match()
    clock.now = datetime(2026, 3, 2, 0, 59, tzinfo=UTC)
    assert (record_files.make_due(), anyone.get(LIST).json()["complete_until"]) == (
        0,
        "2026-02-28",
    )

    clock.now = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)

    assert record_files.make_due() == 1
    assert record_files.make_due() == 0
    assert anyone.get(LIST).json()["complete_until"] == "2026-03-01"


def test_file_of_incomplete_day_is_not_there(anyone, clock, monkeypatch):
    monkeypatch.setattr(record_files, "FILE_MATCHES", 2)
    monkeypatch.setattr(record_files, "FILES_AT_ONCE", 1)
    matches = [finished_match() for _ in range(3)]
    assert made(clock) == 1

    assert anyone.get(LIST).json()["results"] == []
    assert anyone.get(f"{LIST}/{FIRST}/1").status_code == 404

    assert record_files.make_due() == 1
    found = [content(anyone, number=number) for number in (1, 2)]
    assert found == [games_of(*matches[:2]), games_of(matches[2])]


def test_days_without_a_match_have_no_file(anyone, clock):
    first = finished_match()
    clock.move(3 * DAY_S)
    last = finished_match()
    assert made(clock) == 2

    days = [each["day"] for each in anyone.get(LIST).json()["results"]]

    assert days == ["2026-03-01", "2026-03-04"]
    assert content(anyone) == games_of(first)
    assert content(anyone, days[1]) == games_of(last)
    assert anyone.get(f"{LIST}?since=2026-03-02").json()["results"][0]["day"] == days[1]
    assert anyone.get(f"{LIST}?until=2026-03-02").json()["results"][0]["day"] == days[0]


def test_round_enters_release_day_file_until_hidden(anyone, signed_in, clock):
    world = embargoes.draw_round(embargoes.make_world())
    public = finished_match()

    def set_release(release):
        releases.set_release(
            tournament=world.tournament, round_number=1, release=release, by=world.organizer
        )

    made(clock)
    before = anyone.get(f"{LIST}/{FIRST}/1").content
    set_release(Release.ENTRANTS)
    assert made(clock) == 0
    for caller in (anyone, signed_in(world.owner), signed_in(world.organizer)):
        assert content(caller) == games_of(public)
    (file,) = RecordFile.objects.all()
    assert (file.games, file.revision) == (2, 1)  # it never was in there

    set_release(Release.PUBLIC)
    other = finished_match()
    record_files.make_due()
    assert anyone.get(LIST).json()["complete_until"] == "2026-03-02"
    made(clock)
    assert anyone.get(f"{LIST}/{FIRST}/1").content == before
    assert sorted(content(anyone, THIRD)) == sorted(games_of(world.played, other))

    set_release(Release.HIDDEN)
    assert content(anyone, THIRD) == games_of(other)
    (_first, file) = anyone.get(LIST).json()["results"]
    assert (file["revision"], file["games"]) == (2, 2)
    assert file["sha256"] == hashlib.sha256(anyone.get(f"{LIST}/{THIRD}/1").content).hexdigest()

    set_release(Release.PUBLIC)
    made(clock)
    assert content(anyone, FOURTH) == games_of(world.played)


def test_annulled_match_and_deleted_record_leave_file_once(anyone, clock):
    match, other = finished_match(), finished_match()
    made(clock)
    before = RecordFile.objects.get()

    annulments.annul(matches=[match], by=factories.make_user(), reason="a bug of the rules")
    assert record_files.make_due() == 1

    (file,) = anyone.get(LIST).json()["results"]
    assert (file["revision"], file["games"]) == (2, 2)
    assert content(anyone) == games_of(other)
    made(clock)
    assert RecordFile.objects.count() == 1
    # Processes that have waited for the first one make nothing again.
    assert [record_files._make_again(before).revision for _process in range(2)] == [2, 2]
    other.games.get(number=1).record.delete()
    assert content(anyone) == [(other.public_id, 2)]


def test_unreadable_record_stops_files_of_its_ladder_only(anyone, clock):
    broken = finished_match()
    finished_match(ladder="classic")
    GameRecord.objects.filter(game__match=broken).update(blob=b"no record")

    assert made(clock) == 1

    assert anyone.get(LIST).json()["results"] == []
    assert len(anyone.get("/ladders/classic/records").json()["results"]) == 1
    assert anyone.get("/ladders/cards/records").json()["results"] == []


def test_two_processes_make_a_file_once(clock, monkeypatch):
    finished_match()
    clock.move(DAY_S)
    fill = record_files._fill

    def beside(file, matches):
        assert record_files.make_due() == 0
        fill(file, matches)

    monkeypatch.setattr(record_files, "_fill", beside)

    assert record_files.make_due() == 1
    assert Match.objects.exclude(record_file=None).count() == 1
