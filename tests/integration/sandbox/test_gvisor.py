"""Bots under gVisor: containers, options and pipes are the same, the kernel is another."""

import os
import platform

import pytest

from botkit.package import pack
from engine.clock import ClockSpec
from engine.protocol import Answer, Ask, Fault
from engine.record import PlayerId
from engine.referee import play
from sandbox import limits
from sandbox.__main__ import main
from sandbox.doctor import onlooker
from sandbox.launcher import docker_engine, image_files
from sandbox.launcher.embedded import OWN_INODES
from sandbox.launcher.oci_runtime import GVISOR
from sandbox.levels.isolation import choose
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack
from tests.sandbox import cold, doctored
from tests.sandbox.attack import remains
from tests.sandbox.attack.match import OPTIONS, VARIANT
from tests.sandbox.attack.processes import soon
from tests.tree import ROOT

pytestmark = [
    pytest.mark.docker,
    pytest.mark.alone,
    pytest.mark.usefixtures("under_gvisor"),
]

ALLOWANCE_MS = 10_000
KERNEL = b"""
import platform
input()
print(platform.release())
"""
FORKS = b"""
import os, time
input()
started = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
        started += 1
except OSError:
    print(started, flush=True)
time.sleep(60)
"""
SHOOTS = b"""
import ctypes, os, signal
from contextlib import suppress
libc = ctypes.CDLL(None)
doors = ["/proc/1/" + name for name in ("mem", "oom_score_adj", "task/1/mem", "comm", "clear_refs")]
with suppress(OSError):
    doors += ["/proc/1/fd/" + name for name in os.listdir("/proc/1/fd")]
while True:
    input()
    for number in map(int, signal.valid_signals()):
        for target in (1, -1):
            with suppress(OSError):
                os.kill(target, number)
        libc.tgkill(1, 1, number)
        libc.sigqueue(1, number, None)
    opened = []
    for door in doors:
        with suppress(OSError):
            opened.append((door, os.write(os.open(door, os.O_WRONLY | os.O_NONBLOCK), b"x")))
    print(opened, flush=True)
"""
HOG = b"""
input()
kept = []
while True:
    kept.append(bytearray(b"x") * (1 << 24))
"""


def asked(code, work_dir, times=1):
    program = unpack(code, "bot.py")
    with open_table(
        isolation=choose("docker"),
        seats={"red": program},
        work_dir=work_dir,
        admission=Admission(),
    ) as table:
        return [table.ask({"red": Ask(b"go\n", ALLOWANCE_MS)})["red"] for _ in range(times)][-1]


def test_gate_opens(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DRAPEAU_RUN_DIR", str(tmp_path))

    assert main(["doctor", "--level", "docker"]) == 0
    printed = capsys.readouterr().out
    assert "under runsc (as DRAPEAU_DOCKER_RUNTIME says)\n" in printed
    assert "first process out of reach" in printed
    assert "image files not shared              yes       yes" in printed


def test_gate_shut_where_signals_reach_first_process(tmp_path, monkeypatch):
    doctored.altering(monkeypatch)(doctored.init("no filter"))
    with onlooker.sitting(choose("docker"), tmp_path, ("one",)) as seated:
        held, seen = seated.see({"one": "init_out_of_reach"})["init_out_of_reach"]

    assert not held
    assert "ended from outside" in seen


def test_bot_shooting_at_first_process_harms_nothing(tmp_path):
    answer = asked(SHOOTS, tmp_path, times=3)

    assert isinstance(answer, Answer)
    assert answer.line == b"[]"


def test_house_bots_play_on_another_kernel_cpu_clock(tmp_path):
    bots = {seat: unpack(pack(ROOT / "bots" / "drunkard"), "b.zip") for seat in VARIANT.seats}
    with open_table(
        isolation=choose("docker"), seats=bots, work_dir=tmp_path, admission=Admission()
    ) as table:
        record = play(
            VARIANT,
            options=OPTIONS,
            rng_seed=7,
            game="under-gvisor",
            players={seat: PlayerId("drunkard", bot.digest) for seat, bot in bots.items()},
            clock=ClockSpec(),
            table=table,
            isolation="docker",
        )

    assert (record.result.fault, record.clock["basis"]) == (None, "cpu")
    assert len(record.actions) > 2
    answer = asked(KERNEL, tmp_path)
    assert isinstance(answer, Answer)
    assert answer.line.decode() != platform.release()


def test_forks_end_as_elsewhere_and_bot_lives(tmp_path):
    answer = asked(FORKS, tmp_path)

    assert isinstance(answer, Answer)
    assert int(answer.line) == limits.TASKS - 2  # beside itself and the first process


def test_memory_ends_as_elsewhere_and_bot_to_blame(tmp_path):
    assert asked(HOG, tmp_path).fault is Fault.MEMORY_LIMIT
    assert soon(lambda: not any(remains.of(tmp_path).values())) is not None


MIDDLE = 32 * 1024


def is_in_memory(file):
    """Return whether the middle of a file is in the memory of the host, without reading it."""
    with file.open("rb", buffering=0) as opened:
        try:
            return os.preadv(opened.fileno(), [bytearray(1)], MIDDLE, os.RWF_NOWAIT) == 1
        except BlockingIOError:
            return False


def test_image_files_are_read_into_host_memory():
    """They lie in the layers of the images, which all containers share."""
    modules = "usr/lib/python3*/**/*.py"
    paths = [f"/{path.relative_to(each)}" for each in cold.layers() for path in each.glob(modules)]
    files = [file for file in cold.places(paths) if file.stat().st_size > 2 * MIDDLE]
    cold.drop(paths)
    were_cold = [file for file in files if not is_in_memory(file)]

    read = image_files.read_all(GVISOR)

    with docker_engine.connected() as engine:
        if docker_engine.storage_driver(engine) in OWN_INODES:
            assert read == []  # no container has the files of another
            return
    assert "python" in read
    assert len(were_cold) > 10, "nothing was cold, so this test shows nothing"
    assert all(map(is_in_memory, were_cold))
