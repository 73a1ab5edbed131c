"""The commands that talk to a site, against a small one: what they print, and how they end."""

import json
import signal
import subprocess
import sys
from types import SimpleNamespace

import click.termui
import pytest

from botkit import credentials
from botkit.cli import main
from botkit.commands import submitting
from engine.registry import variants
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot, refusal
from tests.unit.botkit.small_site import problem

NASTY = "a\x1b[31m\x07\x9b1m\u202eb\r\nc\td\x7f"
TAME = "a\ufffd[31m\ufffd\ufffd1m\ufffdb  c d\ufffd"
ACTIVATE = "drapeau versions ada/rook 1 --activate"
VERSIONS = "/api/v1/bots/ada/rook/versions"
BOT = {
    "owner": "ada", "slug": "rook", "name": "Rook", "active_version": 1, "is_paused": False,
    "tries_versions_first": False, "url": "/bots/ada/rook/",
}  # fmt: skip
ENTRY = {
    "ladder": "general", "version": 1, "rating": None, "games": 0, "wins": 0, "draws": 0,
    "losses": 0, "active": True, "idle": None,
}  # fmt: skip


def page(*rows):
    return {"next": None, "previous": None, "results": [*rows]}


def version(status, *, reason="", waiting_reason="", **states):
    checks = [
        {"step": step, "state": state, "message": f"told of {step}"}
        for step, state in states.items()
    ]
    return {
        "bot": "ada/rook", "number": 1, "status": status, "reason": reason, "is_active": True,
        "waiting_reason": waiting_reason, "pause_reason": "", "url": "/bots/ada/rook/versions/1/",
        "language": "python", "created_at": "2026-11-25T10:00:00Z", "checklist": checks,
    }  # fmt: skip


def match(number=1, **columns):
    return {
        "id": "m_1", "ladder": "general", "kind": "ladder", "status": "running",
        "created_at": "2026-11-25T10:00:00Z", "url": "/matches/m_1/",
        "entrants": [{"owner": "ada", "bot": "rook", "version": number, "points": 1.5}],
        "games": [{"number": 1, "url": "/matches/m_1/games/1/"}], **columns,
    }  # fmt: skip


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(submitting, "LOOK_EVERY_S", 0.0)


@pytest.fixture
def folder(tmp_path):
    return make_bot(tmp_path, "rook")


@pytest.fixture
def uploads(site):
    """Return the small site, which takes an upload, finds it good and lets it play."""
    site.tell("GET /api/v1/bots", page(BOT))
    site.tell(f"POST {VERSIONS}", (202, version("uploaded", received="passed", smoke="waiting")))
    site.tell(
        f"GET {VERSIONS}/1",
        version("checking", received="passed", smoke="running"),
        version("ready", received="passed", smoke="passed"),
    )
    site.tell("GET /api/v1/bots/ada/rook", {**BOT, "entries": [ENTRY]})
    site.tell("GET /api/v1/matches", page(), page(match(number=2)), page(match(), match(number=2)))
    return site


# --- Untrusted text ---------------------------------------------------------------------------


def test_no_text_of_a_site_steers_the_terminal(site, capfd):
    row = {"slug": NASTY, "variant": NASTY, "entrants_per_match": 2, "is_open": 1, "url": NASTY}
    site.tell("GET /api/v1/ladders", page(row))
    said = drapeau(capfd, "leaderboard").splitlines()
    assert said[1] == "\t".join([TAME, TAME, "2", "open", f"{site.url}{TAME}"])

    site.tell("GET /api/v1/ladders", problem(400, "odd", NASTY, NASTY, NASTY))
    assert refusal(capfd, "leaderboard") == f"{TAME}: {TAME}. {TAME}\n"

    step = {"step": "smoke", "log": f"{NASTY}\x1b]0;title\x07\nline"}
    site.tell(f"GET {VERSIONS}/1/log", {"steps": [step]})
    printed = drapeau(capfd, "versions", "rook", "1", "--log")
    assert printed == (
        "== smoke\na\ufffd[31m\ufffd\ufffd1m\ufffdb \nc\td\ufffd\ufffd]0;title\ufffd\nline\n"
    )


def test_json_escapes_what_steers_a_terminal(site, capfd):
    found = page({"slug": NASTY})
    site.tell("GET /api/v1/ladders", found)
    said = drapeau(capfd, "leaderboard", "--json")

    assert json.loads(said) == found
    assert said.rstrip("\n").isprintable()
    assert said.isascii()


def test_a_terminal_gets_a_table_without_what_steers_it(site, capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    nasty = f"[red]{NASTY}"
    row = {"slug": nasty, "variant": "v", "entrants_per_match": 2, "is_open": 1, "url": "/x/"}
    site.tell("GET /api/v1/ladders", page(row))
    said = drapeau(capfd, "leaderboard")

    assert f"│ [red]{TAME} │ v " in said
    assert not {"\x07", "\x9b", "\u202e", "\r", "\t", "\x7f"} & set(said)


# --- Submitting -------------------------------------------------------------------------------


def test_a_bot_is_uploaded_checked_and_followed_to_its_first_game(uploads, folder, capfd):
    assert main(["submit", folder, "--wait"]) == 0
    said = capfd.readouterr()

    assert said.out == (
        f"{uploads.url}/bots/ada/rook/versions/1/\n{uploads.url}/matches/m_1/games/1/\n"
    )
    assert said.err.splitlines() == [
        f"Uploaded ada/rook, version 1: {uploads.url}/bots/ada/rook/versions/1/",
        "received: passed  told of received",
        "smoke: running  told of smoke",
        "smoke: passed  told of smoke",
        "Waiting for its first ladder game. Ctrl-C ends the waiting, nothing else.",
    ]


def test_json_has_the_version_and_the_match_of_the_site(uploads, folder, capfd):
    said = json.loads(drapeau(capfd, "submit", folder, "--wait", "--json"))

    assert said["version"] == version("ready", received="passed", smoke="passed")
    assert said["match"] == match()


def test_a_bot_that_is_missing_is_made_with_the_name_of_its_manifest(uploads, folder, capfd):
    uploads.tell("GET /api/v1/bots", page())
    uploads.tell("POST /api/v1/bots", (201, BOT))
    drapeau(capfd, "submit", folder)
    drapeau(capfd, "submit", folder, "--bot", "Another")

    bodies = [each.body for each in uploads.asked if each.path == "/api/v1/bots" and each.body]
    assert [json.loads(body) for body in bodies] == [{"name": "rook"}, {"name": "Another"}]


def test_a_rejected_bot_ends_with_the_reason_and_where_to_read_on(uploads, folder, capfd):
    why = "General: it crashed"
    rejected = version("rejected", reason=why, received="passed", smoke="failed")
    uploads.tell(f"GET {VERSIONS}/1", rejected)

    assert main(["submit", folder, "--wait"]) == 1
    said = capfd.readouterr()
    assert said.out == f"{uploads.url}/bots/ada/rook/versions/1/\n"
    assert said.err.splitlines()[-4:] == [
        "Rejected: General: it crashed",
        "smoke: told of smoke",
        "What it wrote: drapeau versions ada/rook 1 --log",
        f"What a bot must answer: {uploads.url}/protocol/",
    ]


def test_a_busy_site_is_asked_again(uploads, folder, capfd):
    busy = problem(503, "unavailable", "The site is busy", "It restarts.")
    ready = version("ready", smoke="passed")
    uploads.tell(f"GET {VERSIONS}/1", busy, (502, b""), (0, None), ready)

    assert drapeau(capfd, "submit", folder) == f"{uploads.url}/bots/ada/rook/versions/1/\n"


def test_a_refusal_ends_the_watching(uploads, folder, capfd):
    uploads.tell(f"GET {VERSIONS}/1", problem(403, "forbidden", "You may not do that", "No."))

    assert main(["submit", folder]) == 1
    assert capfd.readouterr().err.endswith("You may not do that: No.\n")


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (
            {"active_version": 3, "tries_versions_first": True},
            "version 1 is ready. A trial decides whether it replaces 3",
        ),
        (
            {"active_version": 3},
            f"version 1 is ready, but 3 is active. Change that: {ACTIVATE}",
        ),
        ({"entries": []}, "version 1 is ready, but the site has no open ladder for its games"),
        (
            {"entries": [{**ENTRY, "idle": {"why": "paused", "reason": "Its owner paused it."}}]},
            "version 1 is ready, but plays no rated match: Its owner paused it.",
        ),
    ],
)
def test_waiting_ends_where_it_would_not_help(bot, said, uploads, folder, capfd):
    uploads.tell("GET /api/v1/matches", page())
    uploads.tell("GET /api/v1/bots/ada/rook", {**BOT, "entries": [ENTRY], **bot})

    assert main(["submit", folder, "--wait"]) == 3
    printed = capfd.readouterr()
    assert printed.out == f"{uploads.url}/bots/ada/rook/versions/1/\n"
    assert printed.err.splitlines()[-1] == said


def test_the_reason_of_a_wait_is_told_once(uploads, folder, capfd):
    idle = {"why": "no_opponent", "reason": "Too few bots can play here."}
    uploads.tell("GET /api/v1/bots/ada/rook", {**BOT, "entries": [{**ENTRY, "idle": idle}]})
    uploads.tell("GET /api/v1/matches", page(), page(), page(match()))

    assert main(["submit", folder, "--wait"]) == 0
    assert capfd.readouterr().err.count("general: Too few bots can play here.\n") == 1


def test_ctrl_c_leaves_the_upload_to_the_site(uploads, folder):
    uploads.tell(f"GET {VERSIONS}/1", version("checking", smoke="running"))
    # A test run in the background may ignore Ctrl-C, and what is ignored stays so in a child.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    running = subprocess.Popen(
        [sys.executable, "-m", "botkit.cli", "submit", folder],
        cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    signal.signal(signal.SIGINT, before)
    while "smoke: running" not in running.stderr.readline():  # type: ignore[union-attr] # a pipe
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)

    assert (running.returncode, out) == (130, "")
    address = f"{uploads.url}/bots/ada/rook/versions/1/"
    assert err == f"Stopped waiting. The site goes on with version 1: {address}\n"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda place: place, "there is no drapeau.toml at the top"),
        (lambda place: place / "nowhere", "No such file or directory"),
        (lambda place: written(place / "notes.txt", b"x"), "a bot is a folder, or a file in .py"),
        (lambda place: written(place / "bot.py", b"a\0b"), "the Python file is not text"),
        (lambda place: written(place / "b.zip", b"0" * (5 * 2**20 + 1)), "a site takes 5 MiB"),
    ],
)
def test_what_is_no_bot_is_not_uploaded(make, said, site, tmp_path, capfd):
    assert said in refusal(capfd, "submit", make(tmp_path), status=2)
    assert site.asked == []


def written(path, content):
    path.write_bytes(content)
    return path


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
    assert sent["scopes"] == ["read", "bots:write", "challenges:write"]
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


def test_an_account_with_a_second_factor_pastes_a_token(bare_site, home, at_a_terminal, capfd):
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
    assert "--token takes only -" in refusal(capfd, "login", "x", "--token", "abc", status=2)


def test_a_site_of_plain_http_is_remembered_once_it_is_allowed(home, capfd):
    credentials.change_settings(insecure_http=["http://arena.lan"])
    drapeau(capfd, "config", "--site", "http://arena.lan/")
    assert json.loads(drapeau(capfd, "config", "--json")) == {
        "site": "http://arena.lan",
        "settings": str(home / "config.json"),
        "tokens": str(home / "tokens.json"),
    }
    assert "everybody on the way" in refusal(capfd, "bot", "--site", "http://other.lan", status=2)


def test_without_a_site_the_next_command_is_named(home, capfd):
    said = "no site is chosen. Log in to one: drapeau login https://arena.example\n"
    for words in (["bot"], ["submit", "x"], ["token", "list"], ["login"]):
        assert refusal(capfd, *words, status=2) == said


def test_a_revoked_token_is_forgotten(bare_site, home, monkeypatch, capfd):
    credentials.keep(bare_site.url, "abc", "t_1")
    monkeypatch.setenv("DRAPEAU_SITE", bare_site.url)
    bare_site.tell("DELETE /api/v1/tokens/t_1", (204, b""))

    assert drapeau(capfd, "token", "revoke") == "Revoked t_1.\n"
    assert credentials.kept(bare_site.url) == {}
    assert "drapeau token list" in refusal(capfd, "token", "revoke", status=2)


# --- Reading and the doctor -------------------------------------------------------------------


def test_a_match_of_another_site_is_not_looked_for_here(site, capfd):
    said = refusal(capfd, "logs", "https://other.example/matches/m_1/", status=2)
    assert said.startswith("the match is on https://other.example, and this is")
    assert site.asked == []


def test_a_challenge_takes_the_only_ladder_or_asks_for_one(site, capfd):
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
    "answer",
    [{}, [], 5, None, {"results": 5}, page({}), page(5), {"next": 5, "results": [{"slug": "a"}]}],
)
def test_an_answer_of_another_form_is_no_traceback(answer, site, capfd):
    site.tell("GET /api/v1/ladders", answer)

    said = "the site answers in another form than this kit knows. Compare the versions: "
    assert refusal(capfd, "leaderboard", status=4) == f"{said}drapeau doctor\n"


@pytest.mark.parametrize("status", [200, 400])
def test_json_that_is_nested_too_deeply_is_no_traceback(status, site, capfd):
    site.tell("GET /api/v1/ladders", (status, b"[" * 100_000))

    assert main(["leaderboard"]) in {1, 4}
    assert capfd.readouterr().err.count("\n") == 1


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


def test_the_doctor_names_what_is_wrong_and_the_next_command(site, capfd, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    site.tell(
        "GET /api/v1/variants",
        (200, {"results": [{"name": "chess@9"}]}, {"Date": "Mon, 01 Jan 2024 00:00:00 GMT"}),
    )
    site.tell("GET /api/v1/me", problem(401, "bad_token", "The token is not accepted", NASTY))
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


def test_the_doctor_goes_no_further_where_nothing_answers(site, capfd, monkeypatch):
    monkeypatch.setenv("DRAPEAU_SITE", "http://127.0.0.1:1")
    found = findings(capfd, 1)

    assert found["site"]["state"] == "fail"
    assert "token" not in found
