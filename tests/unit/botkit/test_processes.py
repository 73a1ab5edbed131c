"""What the processes of a bot may hold at home, how they end, and what they leave behind."""

import os
import sys
from textwrap import indent

import pytest

from botkit.program import LocalProgram, LocalTable
from engine import faults
from engine.protocol import Answer, Ask, Failure, Fault
from tests.unit.botkit.homes import drapeau, make_bot

ONE_LINE = "import mmap, os, subprocess, sys, time; sys.stdin.readline(); "
READY = "print('ready', flush=True); sys.stdin.read()"
HOARDS = "hoard = b'x' * 400_000_000; "
HOARDER = "import time; hoard = b'x' * 400_000_000; time.sleep(600)"
IN_A_CHILD = f"subprocess.run([sys.executable, '-c', {HOARDER!r}]); "
RESERVES = "place = mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000); "


def says(code, **given):
    return LocalProgram((sys.executable, "-c", ONE_LINE + code), **given)


def asked(program):
    return program.ask(Ask(b"\n", 60_000.0, starting=True))


def test_addresses_that_are_only_reserved_are_no_memory():
    """As a virtual machine of Java reserves its heap: 8 GiB that may be written."""
    with says(RESERVES + READY) as program:
        assert isinstance(asked(program), Answer)


@pytest.mark.parametrize("does", [HOARDS + READY, IN_A_CHILD + READY])
def test_bot_exhausting_memory_is_ended_like_in_arena(does):
    with says(does) as program:
        outcome = asked(program)

    assert (outcome.fault, outcome.detail) == (Fault.MEMORY_LIMIT, faults.OUT_OF_MEMORY)


def test_child_shares_memory_of_its_parent():
    shares = "own = b'x' * 150_000_000; reads, writes = os.pipe(); "
    child = "os.fork() or (os.close(writes), os.read(reads, 1), os._exit(0)); "
    wait = "time.sleep(0.2); "  # for a look at the memory of both
    with says(shares + child + wait + READY) as program:
        assert isinstance(asked(program), Answer)


def test_bot_that_is_not_asked_is_watched_too():
    gone = "0 0 0 0 0 0 0\n"  # what the system tells of the memory of a process that has ended
    with says("print(os.getpid(), flush=True); " + HOARDS + "sys.stdin.read()") as red:
        pid = int(asked(red).line)
        waits = f"\nwhile open('/proc/{pid}/statm').read() != {gone!r}: time.sleep(0.01)\n"
        with says(waits + READY) as blue:
            table = LocalTable({"red": red, "blue": blue})
            assert isinstance(table.ask({"blue": Ask(b"\n", 60_000.0)})["blue"], Answer)
        failed = table.ask({"red": Ask(b"\n", 60_000.0)})["red"]

    assert isinstance(failed, Failure)
    assert failed.fault is Fault.MEMORY_LIMIT


ENDS_BY_ITSELF = """print('ready', flush=True)
message = sys.stdin.read()
os.close(1)
time.sleep(0.5)
print('x' * 300_000, file=sys.stderr)
open({path!r}, 'w').write(message)
"""


@pytest.mark.parametrize("size", [10, 1_000_000])  # the second does not fit into a pipe
def test_bot_reads_whole_end_and_has_exit_time(size, tmp_path, monkeypatch):
    monkeypatch.setattr("botkit.program.END_READ_S", 60.0)
    log: list[bytes] = []
    path = tmp_path / "heard"
    code = ENDS_BY_ITSELF.format(path=str(path))
    with says(code, log=log.append) as program:
        asked(program)
        program.tell(b"x" * size)

    assert len(path.read_text()) == size
    assert b"".join(log) == b"x" * 300_000 + b"\n"


def test_a_bot_that_stays_is_ended(monkeypatch):
    monkeypatch.setattr("botkit.program.END_READ_S", 0.05)
    with says("print('ready', flush=True); time.sleep(600)") as program:
        asked(program)
        program.tell(b"the end\n")

    assert program._process.returncode == -9


DAEMON = """
if TURNS == 1:
    import os
    told, tells = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open({path!r}, "a") as file:
                print(os.getpid(), file=file)
            os.close(tells)
            time.sleep(3600)
        os._exit(0)
    os.close(tells)
    os.read(told, 1)
if TURNS == 2:
    sys.exit(3)
"""


@pytest.mark.parametrize("command", ["play", "check"])
def test_daemon_of_bot_ends_with_the_command(command, tmp_path, capfd):
    path = tmp_path / "pids"
    does = indent(DAEMON.format(path=str(path)), " " * 8).strip()
    bot = make_bot(tmp_path, "demon", does=does)
    bots = {"play": [bot, bot], "check": [bot, "--fail-fast"]}[command]
    said = drapeau(capfd, command, *bots, "--record-dir", tmp_path / "games", status=1)

    assert "ended with exit status 3" in said

    pids = [int(line) for line in path.read_text().split()]
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
