"""A bot at home plays on a site: `drapeau connect`, the stream of its seat, and its answers."""

import json

import pytest

from arena.domain.matches import record_compression
from arena.models import GameRecord, Match, MatchStatus, RatingEvent
from botkit.cli import main
from botkit.exit_statuses import FAILED
from engine.outcome import RESIGN
from engine.record import Record, check_game
from engine.registry import find
from tests import factories
from tests.integration.api import rows
from tests.integration.runner import workers
from tests.integration.server.served import ask, watching
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("impatient")]


@pytest.fixture
def ada():
    return rows.user("ada")


@pytest.fixture
def home(site, ada, tmp_path, monkeypatch):
    """Return a folder for bots of ada, who has chosen the site, where persons can play."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("DRAPEAU_SITE", site)
    monkeypatch.setenv("DRAPEAU_TOKEN", rows.token(ada))
    factories.shorten_games(16)
    with workers.playing_persons(tmp_path / "log"):
        yield tmp_path


def opponent(variant):
    """Return a starter of a game on the site, which has a ladder for it."""
    factories.get_ladder(variant)
    source = (ROOT / f"engine/variants/{variant}/starter/bot.py").read_text()
    bot = factories.make_ready_with(source=source, variants=[variant]).bot
    bot.refresh_from_db()
    return bot


@pytest.mark.parametrize("variant", ["siege", pytest.param("cards", marks=pytest.mark.slow)])
def test_bot_at_home_plays_each_side(home, capfd, variant):
    starter = ROOT / f"engine/variants/{variant}/starter"
    words = ("connect", starter, opponent(variant), "--ladder", variant, "-n", 2, "--json")

    said = [json.loads(line) for line in drapeau(capfd, *words).splitlines()]

    sides = {"siege": ["garrison", "besiegers"], "cards": ["red", "blue"]}
    assert [row["side"] for row in said] == sides[variant]
    assert [row["fault"] for row in said] == ["", ""]
    until(lambda: not Match.objects.open().exists())
    for row, match in zip(said, Match.objects.order_by("pk"), strict=True):
        assert row["match"].endswith(match.get_absolute_url())
        assert (match.status, match.is_rated) == (MatchStatus.FINISHED, False)
        blob = bytes(GameRecord.objects.get(game__match=match).blob)
        record = Record.from_json(record_compression.unpacked(blob=blob))
        check_game(record)
        remote = {seat for seat, who in record.players.items() if who.name == "ada, remote"}
        assert {find(variant).side_of(seat) for seat in remote} == {row["side"]}
        points = (record.result.points or {})[row["side"]]
        assert row["result"] == {1.0: "won", 0.0: "lost"}.get(points, "drawn")
    assert not RatingEvent.objects.exists()


def test_bot_that_errs_resigns_and_says_why(home, capfd):
    bot = make_bot(home, "mine", does="""print('{"action": "a1a9"}', flush=True); continue""")

    assert main(["connect", bot, str(opponent("general")), "--ladder", "general"]) == FAILED

    said = capfd.readouterr()

    assert 'mine resigned: "a1a9": ' in said.err
    assert said.out.startswith("lost, resignation: ")


def seats(site, headers):
    """Return how many games a user may have, and those that are open."""
    told = ask(f"{site}/api/v1/seats", headers=headers).json()
    return told["limit"], [row["match"] for row in told["results"]]


def test_cancelled_game_ends_its_stream(home, ada, site):
    headers = {"Authorization": f"Bearer {rows.token(ada)}"}
    body = {"bot": str(opponent("general")), "ladder": "general", "side": "red"}
    match = ask(f"{site}/api/v1/seats", "POST", json=body, headers=headers).json()["id"]
    address = f"{site}/api/v1/seats/{match}"
    entrants = ask(f"{site}/api/v1/matches/{match}").json()["entrants"]
    shown = [(entrant["name"], entrant["is_remote"]) for entrant in entrants]
    assert (shown[0], shown[1][1]) == (("A remote program", True), False)
    assert "A remote program" in ask(f"{site}/matches/").text
    assert seats(site, headers) == (2, [match])
    assert seats(site, {"Authorization": f"Bearer {rows.token(rows.user('eve'))}"}) == (2, [])

    with watching(f"{address}/messages", token=headers) as program:
        ((_, number, told),) = program.read_until("message")
        assert (number, told["message"]["type"]) == (str(told["number"]), "act")
        assert told["start"]["seat"] == "red"
        assert ask(address, "DELETE", headers=headers).status_code == 204

        assert program.has_ended()[-1][0] == "over"
    assert seats(site, headers) == (2, [])
    assert ask(address, "DELETE", headers=headers).status_code == 409


def test_seat_is_its_users_alone(site, ada):
    seat = factories.seat_from_home(user=ada, bot=opponent("general"), ladder="general")
    address = f"{site}/api/v1/seats/{seat.match.public_id}"
    body = {"number": 1, "action": RESIGN}

    for token, status in ((rows.token(rows.user("eve")), 404), (rows.token(ada, "read"), 403)):
        headers = {"Authorization": f"Bearer {token}"}
        assert ask(f"{address}/messages", headers=headers).status_code == status
        assert ask(f"{address}/answers", "POST", json=body, headers=headers).status_code == status
    assert ask(f"{address}/messages").status_code == 401
