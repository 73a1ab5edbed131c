"""What the kit does on a system that cannot fork, lock a file or hang up: that of Windows."""

import json
import os
import subprocess
import sys

import pytest

from botkit.commands import START_BOTS
from engine.registry import variants
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot, refusal
from tests.unit.engine.refereed import record_of

AS_ON_WINDOWS = """
import json, multiprocessing, signal, ssl, sys, urllib.request, webbrowser
import click, rich.console  # which look for the system when they are imported

def no_fork(kind=None):
    raise ValueError(f"cannot find context for {kind!r}")

multiprocessing.get_context = no_fork
sys.modules["fcntl"] = sys.modules["resource"] = None
del signal.SIGHUP
sys.platform = "win32"
from botkit.cli import main

print(json.dumps([main(words) for words in json.loads(sys.argv[1])]), file=sys.stderr)
"""


@pytest.mark.parametrize("command", START_BOTS)
def test_command_that_starts_bots_names_supported_systems(command, monkeypatch, capfd):
    monkeypatch.setattr(sys, "platform", "win32")

    assert refusal(capfd, command, status=2) == (
        f"drapeau {command} starts bots, which it can on Linux and macOS. "
        "On Windows, install and run it in WSL\n"
    )


def test_macos_refuses_to_kill_what_has_ended(tmp_path, monkeypatch, capfd):
    kill = os.killpg

    def refuse(pid, number):
        kill(pid, number)
        raise PermissionError

    monkeypatch.setattr(os, "killpg", refuse)
    assert drapeau(capfd, "check", make_bot(tmp_path, "mine"), "--seed", 5)


def test_the_other_commands_need_nothing_that_windows_lacks(tmp_path):
    record = tmp_path / "record.json"
    record.write_text(record_of(variants()["skirmish"], 1, {"max_plies": 30}).to_json())
    bot = make_bot(tmp_path, "łódź", variant="skirmish")  # for a pipe that has no ł
    expected = {
        ("--version",): 0,
        ("replay", str(record)): 0,
        ("verify", str(record)): 3,  # nobody has signed it
        ("init", "skirmish", str(tmp_path / "new")): 0,
        ("config",): 0,
        ("submit", bot, "--dry-run"): 0,
        ("leaderboard",): 2,  # no site is chosen
    }
    home = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "STATE", "CACHE")}
    env = {**os.environ, **home, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252"}
    run = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, json.dumps([*expected])],
        env={name: value for name, value in env.items() if not name.startswith("DRAPEAU_")},
        capture_output=True,
        encoding="cp1252",
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stderr.splitlines()[-1]) == [*expected.values()], run.stderr
