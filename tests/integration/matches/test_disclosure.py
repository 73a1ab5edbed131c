"""Nobody sees inside a game before its whole match is over: every door, and everybody."""

import pytest
from django.utils import timezone

from arena.domain.matches import lifecycle, replays
from arena.models import Match, Release, User
from tests import embargoes
from tests.clocks import Clock
from tests.integration.web.played import SECRET

pytestmark = pytest.mark.django_db

IN_WORK = {"lease_token": "x", "lease_until": timezone.now(), "finished_at": None}
PUBLIC = {"record", "detail", "board"}
EVERYBODY = {
    "anonymous": PUBLIC,
    "stranger": PUBLIC,
    "loser": {*PUBLIC, "log", "request"},  # the owner of the bot that forfeited
    "winner": {*PUBLIC, "log"},
    "organizer": PUBLIC,
    "operator": {*PUBLIC, "log", "request"},
}


@pytest.fixture
def world(monkeypatch):
    """Return a world in which the first game of a public match is over, and the second is played.

    A bot forfeited the first game.
    """
    Clock(monkeypatch)
    world = embargoes.draw_round(embargoes.make_world(), Release.PUBLIC)
    world.operator = User.objects.create_superuser("operator")
    game = world.played.games.get(number=1)
    owners = [world.versions[position].bot.owner for position in (0, 1)]
    world.loser, world.winner = owners[game.seats["red"]], owners[game.seats["blue"]]
    world.played.games.filter(number=1).update(detail="red: illegal: one rank too many")
    world.inside = {
        "record": replays.record(game=game)["chain"],
        "detail": "one rank too many",
        "log": SECRET,
        "request": "the view of red",
        "board": 'class="piece ',  # that of a running match has none
    }
    Match.objects.filter(pk=world.played.pk).update(status="running", **IN_WORK)
    world.played.games.filter(number=2).update(status="running", outcome=None, termination="")
    return world


@pytest.fixture
def walk(client, signed_in, anyone, world):
    """Return a function that walks through the site as somebody, and says what is told where."""

    def told(who, *only):
        client.logout()
        caller = anyone
        if who != "anonymous":
            client.force_login(getattr(world, who))
            caller = signed_in(getattr(world, who))
        answers = embargoes.walk(client, world, under="", only=only or [""])
        answers |= embargoes.walk(caller, world, under="/api/v1/", only=only or [""])
        assert len(answers) > 10, "the walk went nowhere"
        return {
            (address, name)
            for address, (_status, text) in answers.items()
            for name, secret in world.inside.items()
            if secret in text.replace(address, "") and (name != "board" or inner(address))
        }

    def inner(address):  # pages about rules have boards too
        return address == "/" or world.played.public_id in address

    return told


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.kept("loser")
def test_nobody_sees_inside_game_before_match_is_over(world, walk, who):
    asked = [] if who == "operator" else [world.played.public_id, "/bots/owner-of"]
    assert walk(who, *asked) == set()

    Match.objects.filter(pk=world.played.pk).update(status="finished", finished_at=timezone.now())

    assert {name for _address, name in walk(who, world.played.public_id)} == EVERYBODY[who]


def test_short_result_is_public_while_match_runs(client, anyone, signed_in, world):
    """The rows that staff may see say no more, and the API says when to ask again."""
    page = client.get(world.played.get_absolute_url()).content.decode()
    (game, running) = anyone.get(f"/matches/{world.played.public_id}").json()["games"]
    client.force_login(world.operator)
    row = f"/admin/arena/match/{world.played.pk}/change/"

    ended = (game["status"], game["termination"], game["fault"])
    assert ended == ("finished", "illegal_deployment", "red")
    assert game["outcome"] == {"red": 0.0, "blue": 1.0}
    assert (game["detail"], running["status"]) == ("", "running")
    assert "set up illegally" in page
    assert world.inside["detail"] not in client.get(row).content.decode()
    for what in ("record", "replay", "log", "evidence"):
        answer = signed_in(world.loser).get(f"/games/{world.played.public_id}/1/{what}")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_finished")
        assert "shows the match as finished" in answer.json()["hint"]

    Match.objects.filter(pk=world.played.pk).update(status="finished", finished_at=timezone.now())

    assert world.inside["detail"] in client.get(row).content.decode()


def test_failed_match_is_open_because_rerun_changes_secret(world):
    game = world.played.games.get(number=1)
    lifecycle.void(match=world.played, reason="the host was lost")
    again = world.played.reruns.get()

    assert type(game).objects.get(pk=game.pk).is_disclosed
    assert again.secret != world.played.secret
    assert again.shown_secret == ""
