"""Hosts that are short of CPU, and bots that work or sleep there: who is blamed?

    python -m tools.services run -- python -m tests.sandbox.starving

prints a table: what came of each bot on each host, with the wall clock alone and with the measure
of the host's share. A bot that works must answer everywhere. A bot that sleeps must be late.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from subprocess import Popen
from unittest.mock import patch

from engine.protocol import Answer, Ask, Fault, PlatformFault
from sandbox.host import cgroup
from sandbox.launcher import host_counters
from sandbox.levels.container import ContainerProgram
from sandbox.levels.isolation import Isolation, choose
from sandbox.table import BotTable
from tests.sandbox.attack import dockers
from tests.sandbox.tables import open_for

ALLOWANCE_MS = 250.0  # so that the deadline is 2.75 s
THINK_S = 0.2
PERIOD_US = 100_000
SHARE = 0.04  # of a core, where the host gives no more: 5 s for THINK_S
FROZEN_S = 4.0
HOGS = 24  # each in a session of its own, for a kernel that groups the programs of a session
HOG_NICE = -12

HEAD = """
import os, signal, sys, threading, time
def think(seconds=%(think_s)f):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
def two():
    each = [threading.Thread(target=think) for _ in "ab"]
    for thread in each: thread.start()
    for thread in each: thread.join()
def child():
    if os.fork() == 0:
        think(); os._exit(0)
    os.wait()
def nap_in_threads():
    def nap():
        while True: time.sleep(0.001)
    for _ in range(20): threading.Thread(target=nap, daemon=True).start()
    time.sleep(600)
print(sys.stdin.readline().strip(), flush=True)
for line in sys.stdin:
    %(act)s
    print("done", flush=True)
"""
WORKERS = {"one thread": "think()", "two threads": "two()", "a child": "child()"}
SLEEPERS = {
    "sleeps": "time.sleep(600)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "reads nothing": "os.read(os.pipe()[0], 1)",
    "naps in threads": "nap_in_threads()",
}
BOTS = {**WORKERS, **SLEEPERS}


@contextmanager
def idle(_container: str) -> Iterator[None]:
    """Take nothing away."""
    yield


@contextmanager
def throttled(container: str) -> Iterator[None]:
    """Limit the container to a small share of a core, as a limit around all bots would."""
    quota_us = round(PERIOD_US * SHARE)
    _limit(container, "cpu", "cpu.cfs_quota_us", "cpu.max", str(quota_us))
    yield


@contextmanager
def crowded(container: str) -> Iterator[None]:
    """Put the container on one core beside programs with more weight."""
    core = max(os.sched_getaffinity(0))
    _limit(container, "cpuset", "cpuset.cpus", "cpuset.cpus", str(core))
    with ExitStack() as cleanup:
        for _ in range(HOGS):
            hog = cleanup.enter_context(
                Popen(("sh", "-c", "while :; do :; done"), start_new_session=True)
            )
            cleanup.callback(hog.kill)
            os.sched_setaffinity(hog.pid, {core})
            os.setpriority(os.PRIO_PROCESS, hog.pid, HOG_NICE)
        yield


@contextmanager
def frozen(container: str) -> Iterator[None]:
    """Freeze the container for a while."""
    api = dockers.engine()
    api.pause(container)
    thaw = threading.Timer(FROZEN_S, api.unpause, (container,))
    thaw.start()
    try:
        yield
    finally:
        thaw.join()
        api.close()


HOSTS: dict[str, Callable[[str], AbstractContextManager[None]]] = {
    "idle": idle,
    "throttled": throttled,
    "crowded": crowded,
    "frozen": frozen,
}


def outcome(isolation: Isolation, folder: Path, *, host: str, bot: str) -> str:
    """Ask a bot for one answer on such a host; return "answers", its fault, or "void"."""
    with seated(isolation, folder, BOTS[bot]) as table:
        (container,) = dockers.containers(folder)
        with HOSTS[host](container):
            try:
                answer = table.ask({"red": Ask(b"act\n", ALLOWANCE_MS)})["red"]
            except PlatformFault:
                return "void"
    return "answers" if isinstance(answer, Answer) else str(answer.fault)


@contextmanager
def seated(isolation: Isolation, folder: Path, act: str) -> Iterator[BotTable]:
    """Seat a bot that has started."""
    code = HEAD % {"act": act, "think_s": THINK_S}
    with open_for(code.encode(), isolation, folder) as table:
        started = table.ask({"red": Ask(b"start\n", 10_000.0, starting=True)})["red"]
        assert isinstance(started, Answer), started
        yield table


def _limit(container: str, controller: str, old: str, new: str, value: str) -> None:
    """Write to the control group of a container, which Docker cannot change after its start."""
    for place in host_counters.GROUPS:
        group = place.format(id=container)
        path = group + "/" + new if cgroup.unified() else f"{controller}/{group}/{old}"
        if (file := cgroup.ROOT / path).exists():
            file.write_text(value)
            return
    raise RuntimeError(f"no control group of container {container} is here")


def main() -> int:
    """Print the table; return 1 if the measure leaves the wrong one blamed."""
    isolation = choose("docker")
    _say(f"{'bot':<18}{'measured':<10}" + "".join(f"{host:<12}" for host in HOSTS))
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for bot in BOTS:
            right = "answers" if bot in WORKERS else str(Fault.TIMEOUT)
            for measured in (False, True):
                row = []
                for host in HOSTS:
                    folder = Path(name).resolve() / f"{bot}-{host}-{measured}".replace(" ", "-")
                    folder.mkdir()
                    with nullcontext() if measured else unmeasured():
                        row.append(outcome(isolation, folder, host=host, bot=bot))
                wrong += measured and row != [right] * len(HOSTS)
                cells = "".join(f"{cell:<12}" for cell in row)
                _say(f"{bot:<18}{'yes' if measured else 'no':<10}{cells}")
    return int(wrong > 0)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def unmeasured() -> AbstractContextManager[object]:
    """Have nothing tell how long a bot waited for the CPU."""
    return patch.object(ContainerProgram, "cpu_waits", lambda _self: None)


if __name__ == "__main__":
    sys.exit(main())
