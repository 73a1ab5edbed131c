"""The commands against the API itself: what they ask it for is what it has."""

import json
import sys
from types import SimpleNamespace

import click.termui
import pytest

from arena.domain.tournaments.setup import drafts
from arena.models import ApiToken, Match
from tests import factories
from tests.integration.api import rows
from tests.integration.tournaments import making
from tests.unit.botkit.homes import drapeau, refusal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada():
    return rows.user("ada")


@pytest.fixture
def site(live_server, ada, tmp_path, monkeypatch):
    """Return the address of a site that is chosen, with a token of ada's that may do all."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("DRAPEAU_SITE", live_server.url)
    monkeypatch.setenv("DRAPEAU_TOKEN", rows.token(ada))
    return live_server.url


@pytest.fixture
def played(ada):
    """Return a finished match on `general` between two ready bots; the first is ada's."""
    bots = [factories.make_bot(owner=ada, slug="rook"), factories.make_bot(slug="raider")]
    versions = [factories.make_ready(bot=bot, variants=["general"]) for bot in bots]
    match = factories.make_match(*versions, ladder=factories.get_ladder("general"))
    versions[0].checks.filter(step="smoke").update(log="told of smoke")
    factories.play_out(match, [1.0] * match.games.count())
    return match


def api(site, client, path, token):
    headers = {"Authorization": f"Bearer {token}", "Host": site.removeprefix("http://")}
    return client.get(f"/api/v1/{path}", headers=headers).json()


ASKED = {
    "bot": "bots?owner=ada",
    "bot rook": "bots/ada/rook",
    "versions rook": "bots/ada/rook/versions",
    "versions rook 1": "bots/ada/rook/versions/1",
    "versions rook 1 --log": "bots/ada/rook/versions/1/log",
    "matches rook --kind ladder": "matches?bot=ada/rook&kind=ladder",
    "matches --ladder classic": "matches?ladder=classic",
    "leaderboard": "ladders",
    "leaderboard general": "ladders/general/entries",
    "challenge": "challenges",
    "tournament": "tournaments",
}


def test_json_is_what_the_api_answers(ada, played, site, client, capfd):
    token = rows.token(ada)
    for words, path in ASKED.items():
        said = json.loads(drapeau(capfd, *words.split(), "--json"))

        assert said == api(site, client, path, token), words
        assert drapeau(capfd, *words.split())


def test_a_tournament_comes_with_its_standings(site, ada, client, capfd):
    made = drafts.create(
        by=ada, values={"name": "Cup", "ladder": "general", "format": "round_robin"}
    )
    said = json.loads(drapeau(capfd, "tournament", made.slug, "--json"))
    token = rows.token(ada)

    assert said["tournament"] == api(site, client, f"tournaments/{made.slug}", token)
    assert said["standings"] == api(site, client, f"tournaments/{made.slug}/standings", token)
    assert drapeau(capfd, "tournament", made.slug).startswith("Cup: draft, ")


def test_bot_is_entered_in_tournament_and_withdrawn(site, played, capfd):
    cup = making.make_open(by=rows.user("grace"), ladder="general")

    said = drapeau(capfd, "tournament", cup.slug, "--enter", "rook", "--version", "1")

    assert said == f"Entered: ada/rook in {cup.slug}\n"
    entrant = cup.entrants.get()
    assert (str(entrant.bot), entrant.status) == ("ada/rook", "entered")
    drapeau(capfd, "tournament", cup.slug, "--withdraw", "rook")
    entrant.refresh_from_db()
    assert entrant.status == "withdrawn"


def test_match_log_shows_only_own_bot(site, played, capfd):
    for game in played.games.all():
        for seat, position in game.seats.items():
            words = {"position": position, "stderr": f"words of {position}\x1b[1m"}
            game.logs.update_or_create(seat=seat, defaults=words)
    said = drapeau(capfd, "logs", f"{site}{played.get_absolute_url()}")

    assert said.count("words of 0\ufffd[1m") == played.games.count()
    assert "words of 1" not in said
    one = json.loads(drapeau(capfd, "logs", f"/matches/{played.public_id}/games/1/", "--json"))
    assert [each["number"] for each in one["games"]] == [1]


def test_challenge_is_requested_listed_and_older_version_activated(site, played, capfd):
    said = drapeau(capfd, "challenge", "rook", str(played.entrants.get(position=1).version.bot))
    asked = Match.objects.get(kind="challenge")

    assert said == f"Requested: {site}{asked.get_absolute_url()}\n"
    assert asked.public_id in drapeau(capfd, "challenge")

    drapeau(capfd, "challenge", "--cancel", f"{site}{asked.get_absolute_url()}")
    asked.refresh_from_db()
    assert asked.status == "cancelled"

    newer = factories.make_ready(bot=played.entrants.get(position=0).version.bot)
    said = drapeau(capfd, "versions", "rook", "1", "--activate")

    assert "It is the active version.\n" in said
    newer.bot.refresh_from_db()
    assert newer.bot.active_version.number == 1


def test_a_bot_is_renamed_retired_and_deleted(site, played, ada, capfd):
    assert drapeau(capfd, "bot", "rename", "rook", "Tower") == "ada/rook is shown as Tower.\n"
    assert drapeau(capfd, "bot", "show", "rook").startswith("ada/rook: Tower\n")
    assert "has no slash" in refusal(capfd, "bot", "rename", "rook", "a/b", status=2)

    assert "add --yes" in refusal(capfd, "bot", "retire", "rook", status=2)
    said = json.loads(drapeau(capfd, "bot", "retire", "rook", "--yes", "--json"))
    assert said["active_version"] is None
    assert "It has played" in refusal(capfd, "bot", "delete", "rook", "--yes")

    factories.make_bot(owner=ada, slug="empty")
    assert drapeau(capfd, "bot", "delete", "empty", "--yes") == "ada/empty is deleted.\n"
    assert [bot.slug for bot in ada.bots.all()] == ["rook"]


def test_login_makes_token_and_revoking_ends_it(site, ada, monkeypatch, capfd):
    monkeypatch.delenv("DRAPEAU_TOKEN")
    typed = ["ada", rows.PASSWORD, "ada", rows.PASSWORD]
    monkeypatch.setattr(click.termui, "visible_prompt_func", lambda _prompt: typed.pop(0))
    monkeypatch.setattr(click.termui, "hidden_prompt_func", lambda _prompt: typed.pop(0))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    drapeau(capfd, "login")
    made = ApiToken.objects.get(name__startswith="drapeau on ")
    scopes = ["bots:write", "challenges:write", "read", "seats:write", "tournaments:write"]
    assert made.scopes == scopes

    other = drapeau(capfd, "token", "create", "for CI", "--scope", "read").strip()
    monkeypatch.setenv("DRAPEAU_TOKEN", other)
    assert "for CI" in drapeau(capfd, "token", "list")
    assert "no other token" in refusal(capfd, "token", "revoke", "t_another")
    monkeypatch.delenv("DRAPEAU_TOKEN")
    assert drapeau(capfd, "token", "revoke") == f"Revoked {made.public_id}.\n"

    assert "Log in" in refusal(capfd, "bot", status=5)
    monkeypatch.setenv("DRAPEAU_TOKEN", other)
    assert drapeau(capfd, "bot")
