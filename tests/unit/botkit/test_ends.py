"""How commands end where the output, the disk or the user takes no more: in a line, or none."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.registry import variants
from tests.tree import ROOT
from tests.unit.botkit.homes import make_bot, refusal
from tests.unit.engine.refereed import record_of

FULL = "the output cannot be written: No space left on device\n"


def start(*words, stdout=subprocess.PIPE):
    """Start a command that heeds signals, whatever the process of the tests ignores."""
    return subprocess.Popen(
        ["env", "--default-signal=INT,TERM,PIPE", sys.executable, "-m", "botkit.cli",
         *map(str, words)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    """Keep what commands write among the files of the test."""
    for name in ("STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(record_of(variants()["general"], 1, {"max_plies": 3000}).to_json())
    return path


PRINTING = {
    "more than a buffer": ["replay", "RECORD", "--json"],
    "a table": ["play", "drunkard", "drunkard", "--variant", "classic", "--option", "max_plies=9"],
}


@pytest.mark.parametrize("what", PRINTING)
def test_a_full_output_is_told_in_a_line(what, record):
    words = [str(record) if word == "RECORD" else word for word in PRINTING[what]]
    with Path("/dev/full").open("w") as full:
        run = start(*words, stdout=full)
    assert (run.communicate()[1], run.returncode) == (FULL, 1)


def test_a_closed_output_is_told_in_a_line():
    command = '"$0" -m botkit.cli replay nowhere.json >&-'
    words = ["sh", "-c", command, sys.executable]
    run = subprocess.run(words, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    said = "the output cannot be written: Bad file descriptor\n"
    assert (run.stderr, run.returncode) == (said, 1)


@pytest.mark.parametrize("what", PRINTING)
def test_unread_pipe_is_no_fault_to_tell(what, record):
    words = [str(record) if word == "RECORD" else word for word in PRINTING[what]]
    reads, writes = os.pipe()
    os.close(reads)
    run = start(*words, stdout=writes)
    os.close(writes)
    assert (run.communicate()[1], run.returncode) == ("", 1)


def test_sigterm_ends_workers_and_bots(tmp_path):
    """Both bots are stuck, so a worker that is not ended goes on."""
    note = tmp_path / "pids"
    noted = f"print(__import__('os').getpid(), file=open({str(note)!r}, 'a'))"
    stuck = make_bot(tmp_path, "stuck", does=f"{noted}; time.sleep(3600)")
    run = start("play", stuck, stuck, "-n", 2, "-j", 2, "--clock", "9000+0/9000")
    try:
        while not (note.exists() and note.read_text()) and run.poll() is None:
            time.sleep(0.05)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        run.send_signal(signal.SIGTERM)
        out, err = run.communicate()
    finally:
        run.kill()

    assert (run.returncode, out, err) == (143, "", "")
    pids = [*children, *note.read_text().split()]
    assert len(pids) >= 3
    while any(Path(f"/proc/{pid}").exists() for pid in pids):  # until the system has cleared them
        time.sleep(0.05)


def test_stopped_check_says_what_is_missing(tmp_path):
    note = tmp_path / "asked"
    stuck = make_bot(tmp_path, "stuck", does=f"open({str(note)!r}, 'w'); time.sleep(3600)")
    run = start("check", stuck, "-n", 2, "-j", 2, "--clock", "9000+0/9000")
    while not note.exists() and run.poll() is None:
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    assert run.communicate()[1].splitlines()[-1] == "Stopped after 0 of 2 checks, 0 rejected."


def full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("is_there", [True, False])
def test_full_disk_leaves_no_part_of_starter(is_there, tmp_path, monkeypatch, capfd):
    folder = tmp_path / "mine"
    if is_there:
        folder.mkdir()
    monkeypatch.setattr(Path, "write_bytes", full_disk)

    said = refusal(capfd, "init", "classic", folder)

    assert said == f"{folder}: cannot be made: No space left on device\n"
    assert [*tmp_path.rglob("*")] == [folder] * is_there
