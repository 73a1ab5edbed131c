"""A game of three seats from upload to rating, with the real engine and real processes."""

import json
import re
from random import Random

import pytest

from arena.domain.matches import replays
from arena.domain.queue import matchmaking
from arena.domain.ratings import recomputation
from arena.models import Entrant, GameLog, MatchStatus, RatingEvent, VersionStatus
from arena.runner import programs
from engine.record import Record, verify
from tests import factories

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

SAYS_ITS_SEAT = factories.RANDOM_BOT.replace(
    'print(json.dumps({"type": "ready"}), flush=True)',
    'print(message["seat"], file=sys.stderr, flush=True)\n'
    '        print(json.dumps({"type": "ready"}), flush=True)',
)
DESERTER = SAYS_ITS_SEAT.replace(
    "    elif message",
    '        deserts = message["seat"] == "white"\n    elif deserts:\n        sys.exit(3)\n'
    "    elif message",
    1,
)


def next_match(slug):
    return next(match for match in matchmaking.fill(random=Random(1)) if match.ladder.slug == slug)


def play_through(match):
    """Run the match as two deliveries of its message do, one after the other."""
    assert factories.play_match(match_pk=match.pk) is True
    assert factories.play_match(match_pk=match.pk) is False
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED


def test_upload_is_checked_on_every_side():
    version = factories.admit(variants=["siege"], source=SAYS_ITS_SEAT)

    assert (version.status, version.reason) == (VersionStatus.READY, "")
    smoke = version.checks.get(step="smoke")
    inside, outside = [line for line in smoke.log.splitlines() if line.startswith("== ")]
    assert inside == "== siege@1, garrison"
    assert outside in {"== siege@1, white", "== siege@1, black"}
    assert [smoke.message.count(line.rpartition(" ")[2]) for line in (inside, outside)] == [1, 1]
    assert {entrant.ladder.slug for entrant in version.entries.all()} == {"siege", "siege-3"}


def test_upload_failing_on_one_side_is_refused():
    source = SAYS_ITS_SEAT.replace(
        'print("thinking"',
        'message["view"]["observer"] != "garrison" and sys.exit(3)\n        print("x"',
    )

    version = factories.admit(variants=["siege"], source=source)

    assert version.status == VersionStatus.REJECTED
    assert re.match(r"Siege, \w+: \w+ crashed: ", version.reason)


def test_siege_is_played_in_every_seating_rated_once():
    entrants = 3
    for _ in range(entrants):
        factories.make_ready_with(variants=["siege"], source=SAYS_ITS_SEAT)
    match = next_match("siege-3")

    play_through(match)

    games = list(match.games.order_by("number"))
    assert [game.seats["garrison"] for game in games] == list(range(entrants))
    for game in games:
        assert len(set(game.seats.values())) == entrants
        verify(Record.from_json(json.dumps(replays.record(game=game))))
        for seat, position in game.seats.items():
            log = GameLog.objects.get(game=game, seat=seat)
            assert (log.position, log.stderr.splitlines()[0]) == (position, seat)
        assert replays.replay(game=game, view="white")["plies"] == game.plies > 0
    assert RatingEvent.objects.filter(match=match).count() == entrants
    assert {event.games for event in RatingEvent.objects.all()} == {entrants}
    surprises = [event.score - event.expected for event in RatingEvent.objects.all()]
    assert sum(surprises) == pytest.approx(0)
    assert recomputation.rerate(ladder=match.ladder) == []


@pytest.mark.docker
def test_bot_with_two_seats_has_container_for_each(settings):
    settings.ISOLATION = "docker"
    source = SAYS_ITS_SEAT.replace(
        "        print(message",
        '        open("/tmp/here", "x").close()  # fails where another has been here\n'
        "        print(message",
        1,
    )
    for _ in range(2):
        factories.make_ready_with(variants=["siege"], source=source)
    match = next_match("siege")

    play_through(match)

    level = programs.level()
    for game in match.games.all():
        assert (game.isolation, game.is_unsafe, game.fault) == (level.name, False, "")
        assert replays.record(game=game)["isolation"] == programs.named(level=level)
        told = {log.seat: log.stderr.splitlines()[0] for log in game.logs.all()}
        assert told == {seat: seat for seat in ("garrison", "white", "black")}


def test_deserting_besieger_loses_for_side_and_own_rating():
    deserter = factories.make_ready_with(variants=["siege"], source=DESERTER)
    for _ in range(2):
        factories.make_ready_with(variants=["siege"])
    match = next_match("siege-3")

    play_through(match)

    position = match.entrants.get(version=deserter).position
    games = list(match.games.order_by("number"))
    (deserted,) = (game for game in games if game.seats["white"] == position)
    assert (deserted.termination, deserted.fault) == ("crash", "white")
    assert deserted.outcome == {"garrison": 1.0, "besiegers": 0.0}
    counts = {event.version: event.games for event in match.rating_events.all()}
    assert counts.pop(deserter) == 3
    assert set(counts.values()) == {2}
    assert match.rating_events.get(version=deserter).losses >= 1
    assert Entrant.objects.get(ladder=match.ladder, version=deserter).games == 3
    assert recomputation.rerate(ladder=match.ladder) == []
