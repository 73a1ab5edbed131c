"""The database or the engine away for a while: nobody is blamed, nothing is lost or done twice."""

from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection
from django.test import Client

from arena.domain import finishing
from arena.domain.bots import versions
from arena.domain.matches import lifecycle
from arena.models import CheckStep, GameRecord, MatchStatus, RatingEvent, VersionStatus
from arena.runner import outages
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_store]


class Database:
    """The connection of this test, which can be led to where there is no database."""

    def __init__(self):
        self._name = connection.settings_dict["NAME"]

    def go_away(self):
        connection.close()
        connection.settings_dict["NAME"] = "/nowhere/at/all"

    def come_back(self):
        connection.settings_dict["NAME"] = self._name


@pytest.fixture
def database():
    found = Database()
    yield found
    connection.close()
    found.come_back()


@contextmanager
def back_when_waited_for(database, monkeypatch):
    """Let the database come back the moment somebody waits for it; yield how often that was."""
    waits = []

    def wait(seconds):
        waits.append(seconds)
        database.come_back()

    with monkeypatch.context() as patch:
        patch.setattr("arena.runner.outages.time.sleep", wait)
        yield waits


def test_pages_and_api_say_unavailable_and_come_again(database):
    client = Client(raise_request_exception=False)
    database.go_away()

    page, api = client.get("/queue/"), client.get("/api/v1/matches")
    alive = client.get("/healthz")

    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert b"Back in a moment" in page.content
    assert (api.status_code, api.headers["Retry-After"]) == (503, "5")
    assert api.headers["Content-Type"] == "application/problem+json"
    assert api.json()["code"] == "unavailable"
    assert alive.status_code == 200


@pytest.mark.usefixtures("short_games_in_processes")
def test_match_goes_on_while_database_away_stored_later(database, monkeypatch):
    versions = [factories.make_ready_with(variants=["general"]) for _ in range(2)]
    match = factories.make_match(*versions, ladder=factories.get_ladder("general"))
    note_progress = lifecycle.note_progress

    def cut_off(**noted):
        database.go_away()
        note_progress(**noted)

    monkeypatch.setattr(lifecycle, "note_progress", cut_off)

    with back_when_waited_for(database, monkeypatch) as waits:
        finished = factories.play_match(match_pk=match.pk)

    match.refresh_from_db()
    assert (finished, match.status, match.attempt) == (True, MatchStatus.FINISHED, 1)
    assert len(waits) >= 2  # once for each game
    assert RatingEvent.objects.count() == 2


def test_endless_outage_is_told_and_no_match_fault(database):
    match = factories.make_match()
    lease = factories.claim(match)
    database.go_away()

    with pytest.raises(OperationalError):
        outages.retried(finishing.finish, patience_s=0.0)(lease=lease)
    database.come_back()

    match.refresh_from_db()
    assert (match.status, match.attempt) == (MatchStatus.LEASED, 1)


def test_game_with_unanswered_commit_is_stored_once():
    match = factories.make_match()
    lease = factories.claim(match)
    game = match.games.get(number=1)
    lifecycle.begin_game(lease=lease, game=game)

    factories.store(lease, game, 1.0)
    factories.store(lease, game, 0.0)

    game.refresh_from_db()
    seat_of = {position: seat for seat, position in game.seats.items()}
    assert game.outcome[seat_of[0]] == 1.0
    assert GameRecord.objects.filter(game=game).count() == 1


@pytest.mark.usefixtures("short_games_in_processes")
def test_version_waits_where_database_went_away_during_checks(database, monkeypatch):
    version = factories.make_upload(variants=["general"])
    begin_step = versions.begin_step

    def cut_off(*, lease, step):
        if step == CheckStep.PROTOCOL:
            database.go_away()
        begin_step(lease=lease, step=step)

    monkeypatch.setattr(versions, "begin_step", cut_off)

    with back_when_waited_for(database, monkeypatch):
        assert factories.validate(version_pk=version.pk) is False

    version.refresh_from_db()
    assert (version.status, version.attempt) == (VersionStatus.UPLOADED, 0)
    assert version.waiting_reason == "The database was down during the checks."


def test_vanishing_within_transaction_does_not_keep_locks_forever():
    question = {
        "postgresql": "SHOW idle_in_transaction_session_timeout",
        "sqlite": "PRAGMA locking_mode",  # locks of a file die with their process
    }
    with connection.cursor() as cursor:
        cursor.execute(question[connection.vendor])
        (answer,) = cursor.fetchone()

    assert answer == {"postgresql": "2min", "sqlite": "normal"}[connection.vendor]
