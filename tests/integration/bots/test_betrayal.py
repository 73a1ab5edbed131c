"""Bots that behave while they are checked and misbehave on the ladder, in real processes."""

import json
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from arena.domain.queue import matchmaking
from arena.domain.ratings import recomputation
from arena.models import Entrant, Ladder, MatchStatus, RatingEvent, VersionStatus
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alone]

PLIES = 60
# The arena says nothing by which a bot could tell. Outside of a container, it sees files of others.
TURNCOAT = factories.RANDOM_BOT.replace(
    "    message = json.loads(line)\n",
    """    message = json.loads(line)
    rated = __import__("os").path.exists("SIGN")
    if rated and message.get("phase", message["type"]) == "MOMENT":
        print("now", file=sys.stderr, flush=True)
        BETRAYAL
""",
)
WAYS = {
    "answers late": ("turn", '__import__("time").sleep(60)', "timeout", "1000"),
    "crash in the game": ("turn", "1 / 0", "crash", "exit status 1 during the game"),
    "long line": ("turn", 'print("x" * 5000, flush=True)', "output_limit", "4096 bytes"),
    "illegal deployment": (
        "deploy",
        'print(\'{"action":"FFFF"}\', flush=True); continue',
        "illegal_deployment",
        "24 home squares",
    ),
}
ANSWERS = {
    "long line": b"x" * 4097,
    "illegal deployment": b'{"action":"FFFF"}',
}


@pytest.fixture(autouse=True)
def short_games_in_processes(settings):
    settings.ISOLATION = "process"
    settings.TRUST_BOTS = True
    factories.shorten_games(PLIES)
    Ladder.objects.update(startup_ms=2000, action_ms=1000)


@pytest.fixture
def sign():
    """Return the path of a file that every bot can see, which the test makes and removes."""
    path = Path("/tmp") / f"sign-{uuid4()}"
    yield path
    path.unlink(missing_ok=True)


@pytest.mark.parametrize("way", WAYS)
def test_admitted_bot_forfeits_with_reason_and_ladder_continues(way, sign):
    moment, code, termination, words = WAYS[way]
    source = TURNCOAT.replace("MOMENT", moment).replace("BETRAYAL", code)
    source = source.replace("SIGN", str(sign))
    turncoat = factories.make_upload(source=source, variants=["general"])
    assert factories.validate(version_pk=turncoat.pk) is True
    honest = factories.make_ready_with(variants=["general"])
    (match, *_) = matchmaking.fill(random=Random(1))
    sign.touch()

    assert factories.play_match(match_pk=match.pk) is True

    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    points = {entrant.version: entrant.points for entrant in match.entrants.all()}
    assert points == {turncoat: 0, honest: 2}
    position = match.entrants.get(version=turncoat).position
    for game in match.games.all():
        assert (game.termination, game.seats[game.fault]) == (termination, position)
        assert words in game.detail
        log = game.logs.get(position=position).stderr.splitlines()
        assert next(line for line in log if not line.startswith("[arena] ")) == "now"
        (kept,) = game.evidence.all()
        assert (kept.position, kept.seat) == (position, game.fault)
        asked = json.loads(bytes(kept.request))
        assert asked.get("phase", asked["type"]) == moment
        assert bytes(kept.received).rstrip(b"\n") == ANSWERS.get(way, b"")
        assert kept.exit_status == (1 if way == "crash in the game" else None)
        assert 0 < kept.charged_ms <= kept.wall_ms + 1
    assert RatingEvent.objects.count() == 2
    assert recomputation.rerate(ladder=match.ladder) == []
    assert Entrant.objects.get(bot=turncoat.bot).losses == 2
    turncoat.refresh_from_db()
    assert turncoat.status == VersionStatus.READY
    assert matchmaking.fill(random=Random(1)) != []
