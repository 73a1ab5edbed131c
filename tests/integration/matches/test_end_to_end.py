"""Upload, validation, match and rating with the real engine and real processes."""

import json
import re
import threading
from random import Random

import pytest
from django.db import connection

from arena.domain.matches import lifecycle, replays
from arena.domain.queue import matchmaking, sweeping
from arena.domain.ratings import recomputation
from arena.models import GameLog, GameStatus, Ladder, Match, MatchStatus, RatingEvent, VersionStatus
from botkit.verification import Known, examine
from engine.chance import game_seed
from engine.record import Record, verify
from engine.signature import check_signature, read_keys
from sandbox import limits
from tests import factories

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]


def test_two_uploads_meet_in_rated_replayable_pair(anyone):
    for _ in range(2):
        assert factories.admit(variants=["general"]).status == VersionStatus.READY
    (match, *_) = matchmaking.fill(random=Random(1))

    assert factories.play_match(match_pk=match.pk) is True
    assert factories.play_match(match_pk=match.pk) is False  # the message is delivered again

    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    assert RatingEvent.objects.filter(match=match).count() == 2
    assert sum(event.games for event in RatingEvent.objects.all()) == 4
    assert recomputation.rerate(ladder=match.ladder) == []
    records = {game: replays.record(game=game) for game in match.games.all()}
    ids = {record["game"] for record in records.values()}
    assert [len(ids), *(bool(re.fullmatch(r"g_\w{12}", each)) for each in ids)] == [2, True, True]
    for game, record in records.items():
        assert (game.isolation, game.is_unsafe) == ("process", True)
        assert record["isolation"] == "process, unsafe"
        kept = Record.from_json(json.dumps(record))
        verify(kept)
        found = examine(kept, Known(commitment=match.commitment))
        assert [str(each).split(": ")[1] for each in found[-2:]] == ["holds", "holds"]
        check_signature(kept, read_keys(anyone.get("/record-keys").content))
        assert (record["variant"], len(record["actions"])) == ("general@1", game.plies + 2)
        assert replays.replay(game=game, view="public")["plies"] == game.plies > 0
        assert "thinking" in GameLog.objects.get(game=game, position=0).stderr


def test_runner_that_lost_its_lease_changes_nothing(monkeypatch):
    versions = [factories.make_ready_with(variants=["general"]) for _ in range(2)]
    match = factories.make_match(versions[0], versions[1], ladder=factories.get_ladder("general"))
    note_progress = lifecycle.note_progress

    def lose_first(*, lease, game, plies):
        Match.objects.filter(pk=match.pk).update(lease_token="somebody else's")
        note_progress(lease=lease, game=game, plies=plies)

    monkeypatch.setattr(lifecycle, "note_progress", lose_first)

    assert factories.play_match(match_pk=match.pk) is False

    match.refresh_from_db()
    assert (match.status, match.lease_token) == (MatchStatus.RUNNING, "somebody else's")
    assert not match.games.filter(status=GameStatus.FINISHED).exists()
    assert not RatingEvent.objects.exists()


@pytest.mark.alone
def test_bot_stalling_beyond_lease_loses_without_void(settings, monkeypatch):
    settings.LEASE_S = 4
    monkeypatch.setattr(limits, "WAIT_STEP_S", 0.1)  # a lease is renewed in time on a busy machine
    Ladder.objects.update(startup_ms=5000)
    sleeper = factories.make_ready_with(source="import time\ntime.sleep(60)\n")
    match = factories.make_match(
        factories.make_ready_with(), sleeper, ladder=factories.get_ladder("general")
    )
    over = threading.Event()
    expired = []

    def sweep():
        try:
            while not over.wait(0.5):
                expired.append(sweeping.sweep().expired)
        finally:
            connection.close()

    sweeper = threading.Thread(target=sweep)
    sweeper.start()
    try:
        finished = factories.play_match(match_pk=match.pk)
    finally:
        over.set()
        sweeper.join(timeout=120)

    assert (finished, set(expired)) == (True, {0})
    assert {game.termination for game in match.games.all()} == {"startup_timeout"}


def test_match_interrupted_after_first_game_keeps_it():
    versions = [factories.make_ready_with(variants=["general"]) for _ in range(2)]
    match = factories.make_match(versions[0], versions[1], ladder=factories.get_ladder("general"))
    lease = factories.claim(match)
    first = match.games.get(number=1)
    lifecycle.begin_game(lease=lease, game=first)
    factories.store(lease, first, 1.0)
    lifecycle.begin_game(lease=lease, game=match.games.get(number=2))
    lifecycle.void_attempt(lease=lease, reason="power cut")
    Match.objects.update(not_before=None)

    assert factories.play_match(match_pk=match.pk) is True

    first.refresh_from_db()
    assert (first.termination, first.plies) == ("flag_captured", 12)
    assert RatingEvent.objects.count() == 2
    match.refresh_from_db()
    again = Record.from_json(json.dumps(replays.record(game=match.games.get(number=2))))
    assert again.rng_seed == game_seed(match.secret, game=2, take=2)
    assert str(examine(again, Known(commitment=match.commitment))[-1]) == (
        f"rng_seed: holds: that of game 2, take 2, of {match.public_id}"
    )


def test_unplayable_match_is_voided_with_reason(settings):
    match = factories.make_match()  # of versions that are not what was scanned

    for _ in range(settings.MATCH_ATTEMPTS):
        Match.objects.update(not_before=None)
        assert factories.play_match(match_pk=match.pk) is False

    match.refresh_from_db()
    assert match.status == MatchStatus.FAILED
    assert match.failure == "a stored version is not what was scanned"
    assert not RatingEvent.objects.exists()
