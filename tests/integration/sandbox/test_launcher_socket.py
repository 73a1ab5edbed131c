"""The launcher as a process of its own, behind a socket."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.protocol import Answer, Ask, PlatformFault
from sandbox import limits
from sandbox.launcher.client import Client
from sandbox.launcher.embedded import Embedded
from sandbox.levels import container
from sandbox.levels.isolation import choose
from sandbox.refusal import IsolationUnavailable
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack
from tests.sandbox.attack import remains
from tests.sandbox.launchers import (
    NOWHERE,
    ORDER,
    WAIT_S,
    WHO,
    answers,
    ask,
    containers,
    folders,
    nothing_left,
    service,
    start_service,
)
from tests.tree import ROOT
from tests.waiting import until

pytestmark = [pytest.mark.docker]

REFUSED = b"was not let in"
GAME = """
import sys
from pathlib import Path
from engine.protocol import Ask
from sandbox.levels.isolation import choose
from sandbox.uploads.unpacking import unpack
from sandbox.table import Admission, open_table
spin = unpack(b"input(); print('up', flush=True)\\nwhile True: pass", "bot.py")
isolation = choose("auto")
with open_table(isolation=isolation, seats={"red": spin, "blue": spin},
                work_dir=Path("/nowhere/at/all"), admission=Admission()) as table:
    ask = Ask(b"x\\n", 5000)
    said = table.ask({"red": ask, "blue": ask})
    print(isolation.kind, table.clock_basis, *(said[seat].line.decode() for seat in said),
          "docker" in sys.modules, flush=True)
"""


def settled(count):
    """Return a count once it has been the same for a second or more."""
    seen: deque[object] = deque(maxlen=50)

    def same():
        seen.append(count())
        return len(seen) == seen.maxlen and len(set(seen)) == 1

    until(same)
    return seen[0]


def play(isolation, work_dir):
    package = unpack(WHO, "bot.py")
    with open_table(
        isolation=isolation,
        seats={"red": package, "blue": package},
        work_dir=work_dir,
        admission=Admission(),
    ) as table:
        asked = dict.fromkeys(("red", "blue"), Ask(b"x\n", 5000))
        said = table.ask(asked)
        lines = [each.line for each in said.values() if isinstance(each, Answer)]
        return table.clock_basis, [line.split()[1] for line in lines]


def test_game_is_the_same_with_service_and_without(running, monkeypatch, tmp_path):
    direct = choose("docker")
    monkeypatch.setenv("DRAPEAU_LAUNCHER", running.address)
    asked = choose("docker")

    assert asked.languages == direct.languages
    assert play(asked, tmp_path) == play(direct, tmp_path) == ("cpu", [b"x", b"x"])
    assert asked.launcher is not None
    assert asked.launcher.images() == Embedded(tmp_path).images()


def test_a_runner_needs_neither_docker_nor_a_folder(running):
    places = {
        "PYTHONPATH": str(ROOT),
        "DOCKER_HOST": NOWHERE,
        "DRAPEAU_LAUNCHER": running.address,
    }
    command = (sys.executable, "-c", GAME)
    said = subprocess.check_output(command, cwd=ROOT, env=os.environ | places)
    assert said == b"docker cpu up up False\n"


def test_games_leave_no_descriptor_on_either_side(running):
    def opened():
        theirs = Path(f"/proc/{running.process.pid}/fd").iterdir()
        return len(remains.descriptors()), len(list(theirs))

    container.start(running.client, ORDER).close()
    until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)
    until(lambda: len(containers(running.run_dir)) == limits.WARM_CONTAINERS)
    before = settled(opened)
    for _ in range(5):
        program = container.start(running.client, ORDER)
        ask(program)
        program.close()
    # Fewer than before is well too: the launcher may have been talking to the engine then.
    until(lambda: all(now <= then for now, then in zip(opened(), before, strict=True)))


def test_service_out_of_open_files_waits(tmp_path):
    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="0") as full:
        pid = full.process.pid
        assert full.process.stderr is not None
        _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, hard))
        with ThreadPoolExecutor(1) as other:
            began_s = time.monotonic()
            asked = other.submit(answers, full.client)
            said = b""
            while said.count(REFUSED) < 3:
                said += full.process.stderr.readline()
            assert not asked.done()
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (hard, hard))
            assert asked.result(WAIT_S)
            took_s = time.monotonic() - began_s
        full.process.terminate()
        said += full.process.stderr.read()
    assert said.count(REFUSED) <= took_s / limits.LAUNCHER_PAUSE_S + 2  # it does not spin meanwhile


def test_second_service_at_same_socket_is_refused(running):
    second = start_service(running.run_dir, running.socket)
    _, said = second.communicate(timeout=WAIT_S)
    assert second.returncode == 1
    assert b"another one answers" in said
    assert answers(running.client)


def test_killed_service_leaves_game_and_next_clears_up(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "LAUNCHER_AWAY_S", 0.1)
    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="1") as killed:
        program = container.start(killed.client, ORDER)
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
        assert ask(program).endswith(b" x\n")
        with pytest.raises(PlatformFault, match="nobody answers"):
            killed.client.launch(ORDER)
        with pytest.raises(IsolationUnavailable, match="nobody answers"):
            killed.client.images()

    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="0") as following:
        until(lambda: len(folders(following)) == len(containers(following.run_dir)) == 1)
        assert ask(program).endswith(b" x\n")
        other = container.start(following.client, ORDER)
        assert ask(other).split()[0] != ask(program).split()[0]
        other.close()
        program.close()

    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="0") as last:
        until(lambda: nothing_left(last.run_dir))


def test_launch_waits_for_successor_of_killed_service(tmp_path):
    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="0") as killed:
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
        with ThreadPoolExecutor(1) as other:
            launch = other.submit(container.start, killed.client, ORDER)
            time.sleep(3 * limits.LAUNCHER_LOOK_S)
            assert not launch.done()
            with service(tmp_path, DRAPEAU_WARM_CONTAINERS="0"):
                program = launch.result(timeout=limits.LAUNCHER_AWAY_S)
                assert ask(program).endswith(b" x\n")
                program.close()


def test_ending_service_clears_waiting_and_leaves_game(tmp_path):
    with service(tmp_path) as ended:
        program = container.start(ended.client, ORDER)
        until(lambda: len(folders(ended)) == limits.WARM_CONTAINERS + 1)
        ended.process.terminate()
        assert ended.process.wait(WAIT_S) == 0
        assert not ended.socket.exists()
        assert len(containers(ended.run_dir)) == 1
        assert ask(program).endswith(b" x\n")
        assert program.cpu_ms()
        program.close()
        until(lambda: containers(ended.run_dir) == set())


def test_an_address_is_a_path():
    for wrong in ("launcher", "unix://launcher", "tcp://127.0.0.1:1", "/run/launcher.sock"):
        with pytest.raises(IsolationUnavailable, match="unix:///path"):
            Client(wrong)


def test_a_launcher_that_was_promised_is_never_replaced(monkeypatch):
    monkeypatch.setenv("DRAPEAU_LAUNCHER", "unix:///nowhere/launcher.sock")
    for setting in ("auto", "docker"):
        with pytest.raises(IsolationUnavailable, match="nobody answers"):
            choose(setting)
