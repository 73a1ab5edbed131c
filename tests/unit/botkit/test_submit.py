"""The command `submit`, against a small site: what it prints, and how it ends."""

import json
import signal
import subprocess
import sys

import pytest

from botkit.cli import main
from botkit.commands import submitting
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot, refusal
from tests.unit.botkit.small_site import BOT, ENTRY, VERSIONS, match, page, problem, version

ACTIVATE = "drapeau versions ada/rook 1 --activate"


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
