"""The command `submit`, against a small site: what it prints, and how it ends."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace

import click.termui
import pytest

from botkit.cli import main
from botkit.commands import submitting
from tests.sandbox import zips
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot, refusal
from tests.unit.botkit.small_site import BOT, ENTRY, VERSIONS, match, page, problem, version

LISTED = [  # of the folder `rook`
    "To ada/rook, version 1: 2 files, 686 bytes",
    "  bot.py  643 bytes",
    "  drapeau.toml  43 bytes",
]
WHOLE = [("drapeau.toml", zips.MANIFEST), ("bot.py", b"")]
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
    site.tell(f"GET {VERSIONS}", page())
    site.tell(f"POST {VERSIONS}", (202, version("uploaded", received="passed", smoke="waiting")))
    site.tell(
        f"GET {VERSIONS}/1",
        version("checking", received="passed", smoke="running"),
        version("ready", received="passed", smoke="passed"),
    )
    site.tell("GET /api/v1/bots/ada/rook", {**BOT, "entries": [ENTRY]})
    site.tell("GET /api/v1/matches", page(), page(match(number=2)), page(match(), match(number=2)))
    return site


def test_bot_is_uploaded_checked_and_followed_to_game(uploads, folder, capfd):
    assert main(["submit", folder, "--wait"]) == 0
    said = capfd.readouterr()

    assert said.out == (
        f"{uploads.url}/bots/ada/rook/versions/1/\n{uploads.url}/matches/m_1/games/1/\n"
    )
    assert said.err.splitlines() == [
        *LISTED,
        f"Uploaded ada/rook, version 1: {uploads.url}/bots/ada/rook/versions/1/",
        "received: passed  told of received",
        "smoke: running  told of smoke",
        "smoke: passed  told of smoke",
        "Waiting for its first ladder game. Ctrl-C ends the waiting, nothing else.",
    ]


def posted(site):
    return [each.path for each in site.asked if each.method == "POST"]


@pytest.mark.parametrize("words", [(), ("rook",), ("ada/rook",), ("Rook",), ("ROOK!",)])
def test_own_bot_is_named_like_for_other_commands(words, uploads, folder, capfd):
    uploads.tell(f"GET {VERSIONS}", page({"number": 4}))

    assert drapeau(capfd, "submit", folder, *(["--bot", *words] if words else [])) != ""
    assert posted(uploads) == [VERSIONS]


MADE: dict[tuple[str, ...], dict[str, str]] = {  # what is named, and what the site is asked for
    (): {"name": "rook", "slug": "rook"},
    ("--bot", "marshal"): {"name": "marshal", "slug": "marshal"},
    ("--bot", "ada/marshal"): {"name": "marshal", "slug": "marshal"},
    ("--bot", "The Marshal!"): {"name": "The Marshal!", "slug": "the-marshal"},
    ("--bot", "Ünï"): {"name": "Ünï"},
}


@pytest.mark.parametrize("words", MADE)
def test_missing_bot_is_made_with_create_option(words, uploads, folder, capfd):
    uploads.tell("GET /api/v1/bots", page())
    uploads.tell("POST /api/v1/bots", (201, BOT))
    drapeau(capfd, "submit", folder, *words, "--create")

    made = [each.body for each in uploads.asked if each.path == "/api/v1/bots" and each.body]
    assert [json.loads(body) for body in made] == [MADE[words]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "you have no bot rook at {}. List yours: drapeau bot. To make it, add --create\n"),
        (["--bot", "ada/marshal"], "you have no bot marshal at {}. List yours: drapeau bot. To "),
        (["--bot", "bob/raider", "--create"], "bob/raider: you are ada, and a bot takes versions"),
        (["--bot", "ada/", "--create"], "--bot is followed by a name"),
    ],
)
def test_no_bot_is_made_by_a_slip(words, said, uploads, folder, capfd):
    uploads.tell("GET /api/v1/bots", page())

    assert refusal(capfd, "submit", folder, *words, status=2).startswith(said.format(uploads.url))
    assert posted(uploads) == []


@pytest.mark.parametrize("answer", ["y", "n"])
def test_at_a_terminal_a_question_shows_the_address(answer, uploads, folder, monkeypatch, capfd):
    uploads.tell("GET /api/v1/bots", page())
    uploads.tell("POST /api/v1/bots", (201, BOT))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    asked: list[str] = []

    def answered(text):
        asked.append(text)
        return answer

    monkeypatch.setattr(click.termui, "visible_prompt_func", answered)
    ended = main(["submit", folder])

    assert (ended, posted(uploads)) == (
        (0, ["/api/v1/bots", VERSIONS]) if answer == "y" else (1, [])
    )
    assert capfd.readouterr().err.splitlines()[: len(LISTED)] == [
        "To ada/rook, a new bot, version 1: 2 files, 686 bytes", *LISTED[1:],
    ]  # fmt: skip
    assert f"{uploads.url}/bots/ada/rook/" in asked[0]


def test_no_bot_is_made_for_upload_site_refuses(uploads, folder, capfd):
    quota = {"key": "uploads", "remaining": 0, "reset_at": "2026-11-26T10:00:00Z"}
    uploads.tell("GET /api/v1/me", {"username": "ada", "quotas": [quota]})
    uploads.tell("GET /api/v1/bots", page())

    assert refusal(capfd, "submit", folder, "--create") == (
        "you may upload no more until 2026-11-26T10:00:00Z. So ada/rook was not made\n"
    )
    assert posted(uploads) == []


def test_a_dry_run_lists_and_stops(uploads, folder, capfd):
    uploads.tell(f"GET {VERSIONS}", page({"number": 4}))
    (Path(folder) / "env").mkdir()
    (Path(folder) / "env/pyvenv.cfg").touch()
    (Path(folder) / "env/python").symlink_to(sys.executable)

    assert drapeau(capfd, "submit", folder, "--dry-run").splitlines() == [
        LISTED[0].replace("version 1", "version 5"), *LISTED[1:], "Left out: env",
    ]  # fmt: skip
    said = json.loads(drapeau(capfd, "submit", folder, "--dry-run", "--json", "--bot", "new"))
    assert (said["bot"], said["exists"], said["version"]) == ("ada/new", False, 1)
    assert [each["path"] for each in said["files"]] == ["bot.py", "drapeau.toml"]
    assert posted(uploads) == []


def test_a_dry_run_needs_no_site(folder, home, monkeypatch, capfd):
    assert json.loads(drapeau(capfd, "submit", folder, "--dry-run", "--json"))["bot"] is None

    monkeypatch.setenv("DRAPEAU_SITE", "http://127.0.0.1:1")
    assert main(["submit", folder, "--dry-run"]) == 0
    said = capfd.readouterr()
    assert said.out.splitlines() == ["rook: 2 files, 686 bytes", *LISTED[1:]]
    why = "http://127.0.0.1:1 does not answer: Connection refused. Check the address and the"
    assert said.err == f"Its place on the site is not known: {why} network: drapeau doctor\n"


def test_rejected_bot_ends_with_reason_and_reference(uploads, folder, capfd):
    why = "General: it crashed"
    rejected = version("rejected", reason=why, received="passed", smoke="failed")
    uploads.tell(f"GET {VERSIONS}/1", rejected)

    assert main(["submit", folder, "--wait"]) == 1
    said = capfd.readouterr()
    assert said.out == f"{uploads.url}/bots/ada/rook/versions/1/\n"
    assert said.err.splitlines()[-5:] == [
        "Rejected: General: it crashed",
        "smoke: told of smoke",
        "What it wrote: drapeau versions ada/rook 1 --log",
        f"What each check asks for: {uploads.url}/docs/reference/version-checks/",
        f"What a bot must answer: {uploads.url}/docs/reference/protocol/",
    ]


def test_a_busy_site_is_asked_again(uploads, folder, capfd):
    busy = problem(503, "unavailable", "The site is busy", "It restarts.")
    ready = version("ready", smoke="passed")
    uploads.tell(f"GET {VERSIONS}/1", busy, (502, b""), (0, None), ready)

    assert drapeau(capfd, "submit", folder) == f"{uploads.url}/bots/ada/rook/versions/1/\n"


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


def test_ctrl_c_leaves_the_upload_to_the_site(uploads, folder):
    uploads.tell(f"GET {VERSIONS}/1", version("checking", smoke="running"))
    running = subprocess.Popen(
        [sys.executable, "-m", "botkit.cli", "submit", folder],
        cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
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
        (lambda place: written(place / "bot.py", b"a\0b"), "the Python file is not text"),
        (lambda place: written(place / "b.zip", b"0" * (5 * 2**20 + 1)), "a site takes 5 MiB"),
        (lambda place: written(place / "b.zip", b""), "the file is empty"),
        (lambda place: written(place / "b.zip", b"PK"), "it cannot be read as a zip. Zip the"),
        (
            lambda place: written(
                place / "b.zip", zips.zipped([*((f"{n}.py", b"") for n in range(200)), *WHOLE])
            ),
            "a site takes at most 200 files and 20 MiB, unpacked. Leave out what the bot",
        ),
    ],
)
def test_what_is_no_bot_is_not_uploaded(make, said, site, tmp_path, capfd):
    assert said in refusal(capfd, "submit", make(tmp_path), "--create", status=2)
    assert site.asked == []


def test_large_folder_is_refused_with_largest_parts(folder, site, capfd, monkeypatch):
    for name, mib in (("data/a.bin", 30), ("data/b.bin", 2), ("model.bin", 9)):
        path = Path(folder, name)
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            file.truncate(mib * 2**20)
    monkeypatch.setattr(Path, "read_bytes", None)  # nothing of it is read

    assert refusal(capfd, "submit", folder, "--create", status=2) == (
        f"{folder}: a site takes at most 200 files and 20 MiB, unpacked. Leave out what the bot "
        "does not need, with lines in .drapeauignore. Its largest parts, at least: "
        "data (32.0 MiB in 2 files), model.bin (9.0 MiB), bot.py (643 bytes)\n"
    )
    assert site.asked == []


def written(path, content):
    path.write_bytes(content)
    return path


def test_folder_packing_too_large_is_refused_with_parts(folder, site, capfd):
    Path(folder, "model.bin").write_bytes(Random(1).randbytes(6 * 2**20))

    said = refusal(capfd, "submit", folder, "--create", status=2)
    assert f"{folder}: packed it has 6.0 MiB, and a site takes 5 MiB. Leave out what" in said
    assert "model.bin (6.0 MiB)" in said
    assert site.asked == []
