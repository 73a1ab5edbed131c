"""The demo as a person at a terminal meets it: whole runs with real processes."""

import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest

from arena.embedded.supervise import end_leftovers
from arena.embedded.tcp import free_port, listens
from engine import registry
from sandbox.doctor.guarantees import CHECKS
from tests.tree import ROOT
from tools.demo.play import HOUSE_BOTS

ENOUGH_S = 600
GAMES = 1  # of each bot on a ladder


class Demo:
    """One `python -m tools.demo` with its output in a file, as `make demo` starts it."""

    def __init__(self, data_dir, *options, **variables):
        self.port = free_port()
        self.data_dir = data_dir
        self.output = data_dir.parent / f"output-{self.port}-{time.monotonic_ns()}"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                (
                    *(sys.executable, "-m", "tools.demo", "--port", str(self.port)),
                    *("--data", str(data_dir), "--isolation", "process", *options),
                ),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={n: v for n, v in os.environ.items() if n != "DRAPEAU_DATA_DIR"} | variables,
                start_new_session=True,
            )

    @property
    def text(self):
        return self.output.read_text()

    def wait_for_text(self, wanted, within_s=ENOUGH_S):
        deadline = time.monotonic() + within_s
        while wanted not in self.text:
            assert self.process.poll() is None, self.text
            assert time.monotonic() < deadline, self.text
            time.sleep(0.05)

    def wait(self, within_s=ENOUGH_S):
        return self.process.wait(within_s)


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Start demos on one folder; what is left of them at the end is ended."""
    started = []
    data_dir = tmp_path_factory.mktemp("demos") / "demo"

    def start(*options, **variables):
        demo = Demo(data_dir, *options, **variables)
        started.append(demo)
        return demo

    yield start
    for demo in started:
        demo.process.kill()
        demo.wait()
        end_leftovers(f"site {demo.data_dir}")


@pytest.fixture(scope="module")
def lives(start):
    """One folder through all that may happen to a demo, one start after the other.

    Each start costs a site, so the tests look at what these have printed and left.
    """
    told = SimpleNamespace()
    told.killed = killed = start()
    killed.wait_for_text("The site is up")
    told.second = start()
    told.second.wait()
    told.ready_beside_the_second = is_ready(killed)
    kill_the_web_server(killed)
    told.ready_after_the_death = is_ready(killed)
    killed.wait_for_text("Rated games")
    while not rated(killed.data_dir):
        assert killed.process.poll() is None, killed.text
        time.sleep(0.1)
    killed.process.kill()
    killed.wait()
    told.rated_when_killed = rated(killed.data_dir)

    told.interrupted = start()
    told.interrupted.wait_for_text("Rated games")
    told.interrupted.process.send_signal(signal.SIGINT)
    told.interrupted.wait()
    told.left_by_the_interrupted = end_leftovers(f"site {killed.data_dir}")

    told.whole = start("--exit", "--games", str(GAMES))
    told.whole.wait()
    told.rated_in_the_end = rated(killed.data_dir)
    return told


def is_ready(demo):
    return httpx2.get(f"http://127.0.0.1:{demo.port}/readyz", timeout=ENOUGH_S).status_code == 200


def kill_the_web_server(demo):
    """Kill it, and wait until another one is started."""
    killed = web_server(demo.process.pid)
    os.kill(killed, signal.SIGKILL)
    while web_server(demo.process.pid) in (killed, None):
        assert demo.process.poll() is None, demo.text
        time.sleep(0.05)


def rated(data_dir):
    """Read which matches were rated, and how often each version in them."""
    with sqlite3.connect(data_dir / "drapeau.sqlite3") as database:
        rows = database.execute(
            "SELECT match_id, version_id, COUNT(*) FROM arena_ratingevent GROUP BY 1, 2"
        ).fetchall()
    return {(match, version): times for match, version, times in rows}


def web_server(demo):
    """Find the child of the demo that is the web server, None while there is none."""
    children = Path(f"/proc/{demo}/task/{demo}/children").read_text().split()
    servers = (
        int(child)
        for child in children
        if b"arena.server" in Path(f"/proc/{child}/cmdline").read_bytes()
    )
    return next(servers, None)


def games_by_bot(text):
    """Read the leaderboards that were printed: {ladder: {owner/bot: games}}."""
    boards = {}
    for part in text.partition("Tournament: ")[0].split("Leaderboard: ")[1:]:
        ladder = part.split()[0]
        rows = re.findall(r"│ +([\w-]+/[\w-]+) +│ +-?\d+ │ +-?\d+ to -?\d+ │ +(\d+) │", part)
        boards[ladder] = {bot: int(games) for bot, games in rows}
    return boards


def places_in_the_cup(text):
    """Read the final standings of the tournament that was printed: {owner/bot: rank}."""
    _before, _title, part = text.partition("Tournament: House cup")
    rows = re.findall(r"│ +(\d+) │ +([\w-]+/[\w-]+) +│", part)
    return {bot: int(rank) for rank, bot in rows}


def house_bots():
    """Read what every house bot of the demo plays: {slug: variants}."""
    folders = {slug: ROOT / "bots" / slug / "drapeau.toml" for slug in HOUSE_BOTS}
    return {
        slug: tomllib.loads(path.read_text())["bot"]["variants"] for slug, path in folders.items()
    }


def ladders_with_house_bots():
    """Return from the rules alone who can meet where: {ladder: slugs of bots}."""
    found = {}
    for slug, variant in registry.variants().items():
        players = {bot for bot, variants in house_bots().items() if slug in variants}
        for entrants in {len(variant.sides), len(variant.seats)}:
            name = slug if entrants == len(variant.sides) else f"{slug}-{entrants}"
            if len(players) >= entrants:
                found[name] = players
    return found


def test_house_bots_play_every_ladder_then_demo_ends(lives):
    demo = lives.whole

    assert demo.process.returncode == 0, demo.text
    boards = games_by_bot(demo.text)
    assert {
        ladder: {name.partition("/")[2] for name in board} for ladder, board in boards.items()
    } == ladders_with_house_bots()
    for board in boards.values():
        assert min(board.values()) >= GAMES
    cup = places_in_the_cup(demo.text)
    assert set(cup) == set(boards["cards"])
    assert sorted(cup.values()) == [*range(1, len(cup) + 1)]
    assert "Isolation: process" in demo.text
    assert not listens(demo.port)


def test_first_start_uploads_and_checks_every_house_bot(lives):
    first = lives.killed

    assert first.text.count("uploaded") == len(house_bots())
    assert first.text.count("✓ ready") == len(house_bots())
    passwords = first.data_dir / "developers.json"
    assert stat.S_IMODE(passwords.stat().st_mode) == 0o600


def test_second_demo_on_same_folder_says_one_runs(lives):
    first, second = lives.killed, lives.second

    assert second.process.returncode == 1
    assert f"a site is running on {first.data_dir} already" in second.text
    assert f"process {first.process.pid}, http://127.0.0.1:{first.port}" in second.text
    assert lives.ready_beside_the_second


def test_ctrl_c_ends_everything_saying_nothing_lost(lives):
    demo = lives.interrupted

    assert demo.process.returncode == 130
    assert "Nothing is lost" in demo.text
    assert "Traceback" not in demo.text
    assert not listens(demo.port)
    assert lives.left_by_the_interrupted == 0


def test_a_killed_demo_started_again_rates_nothing_twice(lives):
    assert lives.rated_when_killed != {}
    assert lives.rated_when_killed.items() <= lives.rated_in_the_end.items()
    assert set(lives.rated_in_the_end.values()) == {1}
    assert "Ended what a killed site had left running." in lives.interrupted.text
    for later in (lives.interrupted, lives.whole):
        assert later.text.count("here already, version 1") == len(house_bots())
        assert "uploaded" not in later.text


def test_a_web_server_that_dies_is_started_again(lives):
    # The listening socket outlived the server: a request waits until the next one is up.
    assert lives.ready_after_the_death


def test_broken_guarantee_of_machine_shown_by_doctor_table(lives, start, tmp_path):
    # Every Python process of the site loads this first: one limit of plain processes is lost.
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom sandbox import limits\n"
        "kept = [each for each in limits.PROCESS_RLIMITS if each.name != 'as']\n"
        "limits.PROCESS_RLIMITS = tuple(kept)\n"
    )

    demo = start("--games", "1000", PYTHONPATH=str(tmp_path))

    assert demo.wait() == 1
    assert "demo: runner died 3 times, last with status 1" in demo.text
    shown = demo.text.partition("demo: runner died")[0]
    assert [each.text for each in CHECKS if each.is_first and each.text not in shown] == []
    assert re.search(r"BROKEN.*memory of one process capped", shown, re.DOTALL)
