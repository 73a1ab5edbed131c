"""Launchers to test, and what they are asked for."""

import os
import select
import subprocess
import sys
from contextlib import contextmanager

from sandbox.host.uid_slots import notes
from sandbox.launcher import docker_engine
from sandbox.launcher.client import Client
from sandbox.launcher.order import Order
from sandbox.refusal import IsolationUnavailable
from tests.tree import ROOT
from tests.waiting import until

NOWHERE = "unix:///nowhere/docker.sock"
WHO = b"""
import os, sys
for line in sys.stdin: print(os.getuid(), line.strip(), flush=True)
"""
ORDER = Order("python", "bot.py", {"bot.py": WHO})
WAIT_S = 240  # one engine makes and clears the containers of all tests that run at once


def containers(run_dir):
    """Return the ids of the containers of a run directory, whatever their state."""
    with docker_engine.connected() as engine:
        found = engine.containers(all=True, filters={"label": f"arena.run={run_dir}"})
    return {each["Id"] for each in found}


def nothing_left(run_dir):
    """Return whether a run directory holds no folder, no note and no container."""
    folders = [path for path in run_dir.iterdir() if path.name != "slots"]
    return folders == [] and notes(run_dir) == {} and containers(run_dir) == set()


def ask(program, line=b"x\n"):
    """Send a line to a started program and give the line it answers."""
    os.write(program.stdin, line)
    answer = b""
    while not answer.endswith(b"\n"):
        assert select.select([program.stdout], [], [], WAIT_S)[0], "no answer"
        answer += os.read(program.stdout, 4096) or b"<its end>\n"
    return answer


def folders(running):
    """Return the folders of a service's containers."""
    return list(running.run_dir.glob("bot-*"))


class Service:
    """A running launcher service."""

    def __init__(self, run_dir, socket, process):
        self.run_dir = run_dir
        self.socket = socket
        self.process = process
        self.address = f"unix://{socket}"
        self.client = Client(self.address)


def start_service(run_dir, socket, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.sandbox.serve", socket],
        cwd=ROOT,
        env=os.environ | {"DRAPEAU_RUN_DIR": str(run_dir)} | environment,
        stderr=subprocess.PIPE,
    )


def answers(client):
    try:
        return bool(client.images())
    except IsolationUnavailable:
        return False


@contextmanager
def service(folder, **environment):
    """Run a launcher service below a folder, and end it."""
    run_dir = folder / "run"
    run_dir.mkdir(exist_ok=True)
    process = start_service(run_dir, folder / "socket", **environment)
    running = Service(run_dir, folder / "socket", process)
    try:
        until(lambda: process.poll() is not None or answers(running.client))
        yield running
    finally:
        process.terminate()
        process.communicate()
