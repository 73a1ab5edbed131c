"""The commands that talk to a site, against a small one: what they print, and how they end."""

import json
import sys
from types import SimpleNamespace

import click.termui
import pytest

from botkit import credentials
from botkit.cli import main
from engine.registry import variants
from tests.unit.botkit.homes import drapeau, refusal
from tests.unit.botkit.small_site import BOT, ENTRY, VERSIONS, match, page, problem

NASTY = "a\x1b[31m\x07\x9b1m\u202eb\r\nc\td\x7f"
JOINED = "x\u200d\U0001f469\u200d\U0001f4bb"  # the second joiner makes one picture of two
TAME = "a\ufffd[31m\ufffd\ufffd1m\ufffdb  c d\ufffd"


# --- Untrusted text ---------------------------------------------------------------------------


def test_no_text_of_a_site_steers_the_terminal(site, capfd):
    row = {"slug": NASTY, "variant": JOINED, "entrants_per_match": 2, "is_open": 1, "url": NASTY}
    site.tell("GET /api/v1/ladders", page(row))
    said = drapeau(capfd, "leaderboard").splitlines()
    shown = JOINED.replace("\u200d", "\ufffd", 1)
    assert said[1] == "\t".join([TAME, shown, "2", "open", f"{site.url}{TAME}"])
    said_as_json = drapeau(capfd, "leaderboard", "--json").rstrip("\n")
    assert (json.loads(said_as_json), said_as_json.isascii()) == (page(row), True)
    assert said_as_json.isprintable()

    site.tell("GET /api/v1/ladders", problem(400, "odd", NASTY, NASTY, NASTY))
    assert refusal(capfd, "leaderboard") == f"{TAME}: {TAME}. {TAME}\n"

    step = {"step": "smoke", "log": f"{NASTY}\x1b]0;title\x07\nline"}
    site.tell(f"GET {VERSIONS}/1/log", {"steps": [step]})
    printed = drapeau(capfd, "versions", "rook", "1", "--log")
    assert printed == (
        "== smoke\na\ufffd[31m\ufffd\ufffd1m\ufffdb \nc\td\ufffd\ufffd]0;title\ufffd\nline\n"
    )


def test_terminal_table_has_no_control_characters(site, capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    nasty = f"[red]{NASTY}"
    row = {"slug": nasty, "variant": "v", "entrants_per_match": 2, "is_open": 1, "url": "/x/"}
    site.tell("GET /api/v1/ladders", page(row))
    said = drapeau(capfd, "leaderboard")

    assert f"│ [red]{TAME} │ v " in said
    assert not {"\x07", "\x9b", "\u202e", "\r", "\t", "\x7f"} & set(said)


# --- Logging in -------------------------------------------------------------------------------


@pytest.fixture
def at_a_terminal(monkeypatch):
    """Return a function that says what the person types, one word after the other."""

    def types(*words):
        left = [*words]
        ask = lambda _prompt: left.pop(0)  # noqa: E731 - as click has it
        monkeypatch.setattr(click.termui, "visible_prompt_func", ask)
        monkeypatch.setattr(click.termui, "hidden_prompt_func", ask)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))

    return types


def test_a_password_becomes_a_token_that_is_kept(bare_site, home, at_a_terminal, capfd):
    bare_site.tell("POST /api/v1/tokens", (201, {"id": "t_1", "token": "abcdef_123"}))
    bare_site.tell("GET /api/v1/me", {"username": "ada"})
    at_a_terminal("ada", "a long enough password")

    assert drapeau(capfd, "login", bare_site.url).splitlines() == [
        f"Logged in to {bare_site.url} as ada. The token is in {home}/tokens.json.",
        "Upload a bot: drapeau submit DIR --wait",
    ]
    sent = json.loads(bare_site.asked[0].body)
    assert (sent["username"], sent["password"]) == ("ada", "a long enough password")
    scopes = ["read", "bots:write", "challenges:write", "seats:write", "tournaments:write"]
    assert sent["scopes"] == scopes
    assert credentials.kept(bare_site.url) == {"token": "abcdef_123", "id": "t_1"}
    assert "password" not in (home / "tokens.json").read_text()

    bare_site.tell("GET /api/v1/ladders", page())
    drapeau(capfd, "leaderboard")
    assert bare_site.asked[-1].headers["Authorization"] == "Bearer abcdef_123"


def test_a_second_login_revokes_the_token_before(bare_site, home, monkeypatch, capfd):
    credentials.keep(bare_site.url, "older_token", "t_0")
    bare_site.tell("GET /api/v1/me", {"username": "ada"})
    bare_site.tell("DELETE /api/v1/tokens/t_0", (204, b""))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(readline=lambda: " newer_token\n"))
    drapeau(capfd, "login", bare_site.url, "--token", "-")

    assert credentials.kept(bare_site.url) == {"token": "newer_token", "id": ""}
    gone = bare_site.asked[-1]
    assert (gone.method, gone.path) == ("DELETE", "/api/v1/tokens/t_0")
    assert gone.headers["Authorization"] == "Bearer older_token"


def test_account_with_second_factor_pastes_token(bare_site, home, at_a_terminal, capfd):
    needed = problem(403, "second_factor_needed", "A password is not enough", "It has two.")
    bare_site.tell("POST /api/v1/tokens", needed)
    bare_site.tell("GET /api/v1/me", {"username": "ada"})
    at_a_terminal("ada", "a long enough password", "pasted_token")

    assert main(["login", bare_site.url]) == 0
    assert f"Make a token at {bare_site.url}/account/tokens/ with" in capfd.readouterr().err
    assert credentials.kept(bare_site.url)["token"] == "pasted_token"


def test_a_wrong_password_keeps_nothing(bare_site, home, at_a_terminal, capfd):
    wrong = problem(401, "wrong_credentials", "The sign-in failed", "No such user.", "POST …")
    bare_site.tell("POST /api/v1/tokens", wrong)
    at_a_terminal("ada", "wrong")

    assert refusal(capfd, "login", bare_site.url) == (
        "The sign-in failed: No such user. "
        f"Check both, or make an account: {bare_site.url}/accounts/signup/\n"
    )
    assert not home.exists()


@pytest.mark.parametrize("token", ["", "two words", "abc\x1b[31m", "Bearer:x"])
def test_what_is_no_token_is_sent_nowhere(token, bare_site, home, monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(readline=lambda: token))

    said = refusal(capfd, "login", bare_site.url, "--token", "-", status=2)
    assert said.startswith("this is no token. Copy the whole line")
    assert bare_site.asked == []


def test_without_a_terminal_a_token_must_be_piped(bare_site, home, monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))

    assert "--token - < FILE" in refusal(capfd, "login", bare_site.url, status=2)
    assert refusal(capfd, "token", "create", "CI", "--site", bare_site.url, status=2) == (
        f"there is no terminal to ask for a password. Make the token at {bare_site.url}"
        "/account/tokens/, or run the command in a terminal\n"
    )
    assert "--token takes only -" in refusal(capfd, "login", "x", "--token", "abc", status=2)


def test_plain_http_site_remembered_once_allowed(home, capfd):
    credentials.change_settings(insecure_http=["http://arena.lan"])
    drapeau(capfd, "config", "--site", "http://arena.lan/")
    assert json.loads(drapeau(capfd, "config", "--json")) == {
        "site": "http://arena.lan",
        "settings": str(home / "config.json"),
        "tokens": str(home / "tokens.json"),
    }
    assert "everybody on the way" in refusal(capfd, "bot", "--site", "http://other.lan", status=2)


# --- Reading and the doctor -------------------------------------------------------------------


def test_match_of_another_site_not_looked_for(site, capfd):
    said = refusal(capfd, "logs", "https://other.example/matches/m_1/", status=2)
    assert said.startswith("the match is on https://other.example, and this is")
    assert site.asked == []


def test_challenge_takes_only_ladder_or_asks(site, capfd):
    site.tell("POST /api/v1/challenges", (202, match()))
    site.tell("GET /api/v1/bots/ada/rook", {**BOT, "entries": [ENTRY]})
    said = drapeau(capfd, "challenge", "rook", "bob/raider", "--version", "2")
    assert said == f"Requested: {site.url}/matches/m_1/\n"
    assert json.loads(site.asked[-1].body) == {
        "bot": "ada/rook", "opponents": ["bob/raider"], "ladder": "general", "version": 2,
    }  # fmt: skip

    two = [ENTRY, {**ENTRY, "ladder": "classic"}]
    site.tell("GET /api/v1/bots/ada/rook", {**BOT, "entries": two})
    said = refusal(capfd, "challenge", "rook", "bob/raider", status=2)
    assert "choose one with --ladder; those of ada/rook: general, classic" in said
    site.tell("GET /api/v1/bots/ada/rook", {**BOT, "entries": [ENTRY, {**ENTRY, "ladder": NASTY}]})
    said = refusal(capfd, "challenge", "rook", "bob/raider", status=2)
    assert f"general, {TAME}" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--enter", "rook"], "name the tournament"),
        (["cup", "--enter", "rook", "--withdraw", "rook"], "give --enter, perhaps with --version"),
        (["cup", "--version", "3"], "give --enter, perhaps with --version"),
    ],
)
def test_invalid_entry_refused_before_asking_site(words, said, site, capfd):
    assert said in refusal(capfd, "tournament", *words, status=2)
    assert site.asked == []


@pytest.mark.parametrize(
    "answer",
    [{}, [], 5, None, {"results": 5}, page({}), page(5), {"next": 5, "results": [{"slug": "a"}]}],
)
def test_an_answer_of_another_form_is_no_traceback(answer, site, capfd):
    site.tell("GET /api/v1/ladders", answer)

    said = "the site answers in another form than this kit knows. Compare the versions: "
    assert refusal(capfd, "leaderboard", status=4) == f"{said}drapeau doctor\n"


def findings(capfd, status):
    said = json.loads(drapeau(capfd, "doctor", "--json", status=status))
    return {each["check"]: each for each in said}


def test_the_doctor_finds_a_good_site_and_token(site, capfd):
    games = [{"name": each.name} for each in variants().values()]
    site.tell("GET /api/v1/variants", {"results": games})
    found = findings(capfd, 0)

    assert {found[name]["state"] for name in ("python", "tokens", "site", "token", "games")} == {
        "ok"
    }
    assert found["token"]["text"] == "of ada"
    assert found["clock"]["text"] == "the site does not tell its time"


def test_doctor_names_fault_and_next_command(site, capfd, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    site.tell(
        "GET /api/v1/variants",
        (200, {"results": [{"name": "chess@9"}]}, {"Date": "Mon, 01 Jan 2024 00:00:00 GMT"}),
    )
    site.tell("GET /api/v1/me", problem(403, "forbidden", "You may not do that", NASTY))
    found = findings(capfd, 1)

    assert found["java"] == {
        "check": "java", "state": "warn", "next": "on Debian: apt install default-jdk-headless",
        "text": "no javac, jar, java: Java bots cannot be played here",
    }  # fmt: skip
    assert (found["token"]["state"], found["token"]["next"]) == (
        "fail", f"drapeau login {site.url}",
    )  # fmt: skip
    assert found["clock"]["next"] == "set the clock of this machine"
    assert "chess@9" in found["games"]["text"]
    assert TAME in drapeau(capfd, "doctor", status=1)
