"""From nothing to a rated game with the command line alone, on a site that runs as the demo's."""

import os
import subprocess
import sys
import time

import httpx2
import pytest

from arena.embedded.site import SiteOptions, running
from tests.tree import ROOT
from tools.demo.api import Account, Api

ENOUGH_S = 600
AUTHOR = Account("maria", "a long enough password")
OPPONENT = Account("dirk", "another long enough password")


@pytest.fixture
def address(tmp_path):
    """Yield the address of a site that runs, without a bot on it."""
    options = SiteOptions(tmp_path / "site", port=0, isolation="process", trust_bots=True)
    with running(options, print) as site:
        yield site.url


@pytest.fixture
def run(tmp_path):
    """Return a function that runs `drapeau` in a home of its own and returns what it printed."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("DRAPEAU_")}
    env |= {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    env |= {name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}

    def run(*words, typed=""):
        done = subprocess.run(
            [sys.executable, "-m", "botkit.cli", *words],
            cwd=tmp_path,
            env=env,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=ENOUGH_S,
        )
        assert done.returncode == 0, done
        return done.stdout

    return run


def token_of(address, account):
    """Register, and make a token as one would on the account page."""
    with Api(address) as api:
        api.sign_up(account)
        words = {"username": account.username, "password": account.password, "name": "laptop"}
        return api.post("/tokens", words)["token"]


def test_four_steps_lead_from_nothing_to_the_ladder(address, run, capsys):
    token, other = token_of(address, AUTHOR), token_of(address, OPPONENT)
    run("login", address, "--token", "-", typed=other)
    run("submit", str(ROOT / "bots" / "drunkard"), "--create")
    run("login", address, "--token", "-", typed=token)

    began_s = time.monotonic()
    run("init", "general", "rook")
    run("play", "rook", "rook")
    said = run("submit", "rook", "--create", "--wait").splitlines()
    took_s = time.monotonic() - began_s

    version, game = said
    assert version == f"{address}/bots/maria/rook/versions/1/"
    for page in said:
        assert httpx2.get(page, timeout=ENOUGH_S).status_code == 200
    match = game.removeprefix(f"{address}/matches/").partition("/")[0]
    with Api(address) as api:
        shown = api.get(f"/matches/{match}")
    assert {each["owner"] for each in shown["entrants"]} == {"maria", "dirk"}
    assert (shown["kind"], shown["ladder"]) == ("ladder", "general")
    with capsys.disabled():
        sys.stdout.write(f"\nFrom `init` to the first ladder game: {took_s:.0f} s\n")
