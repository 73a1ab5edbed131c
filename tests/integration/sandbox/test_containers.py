"""Bots in real containers. These tests fail, and are not skipped, where no engine answers."""

import subprocess
import sys
import time

import pytest

from engine.protocol import Answer, Ask
from sandbox import limits
from sandbox.levels.isolation import choose, reap
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack

pytestmark = [pytest.mark.docker]

ECHO = b"import sys\nfor line in sys.stdin: print(line.strip(), flush=True)\n"
SELF = b"""
import os, pathlib, sys
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
for line in sys.stdin:
    print(os.getuid(), status["CapEff"].strip(), status["CapBnd"].strip(),
          status["NoNewPrivs"].strip(), status["Seccomp"].strip(), len(os.listdir("/arena")))
"""
BURN = b"""
import sys, time
for line in sys.stdin:
    until = time.process_time() + 0.1
    while time.process_time() < until: pass
    print("done")
"""
PONDER = b"""
import sys, threading, time
for line in sys.stdin:
    print("done", flush=True)
    until = time.process_time() + 0.2
    while time.process_time() < until: pass
"""


@pytest.fixture(scope="module")
def docker():
    return choose("docker")


def ask_all(code, docker, work_dir, seat_names=("red",), *, asks=1):
    package = unpack(code, "bot.py")
    rounds = []
    with open_table(
        isolation=docker,
        seats=dict.fromkeys(seat_names, package),
        work_dir=work_dir,
        admission=Admission(),
    ) as table:
        ask = Ask(b"now\n", 5000)
        for _ in range(asks):
            rounds.append(table.ask(dict.fromkeys(seat_names, ask)))
            time.sleep(0.3)
    return rounds


def test_each_bot_is_own_user_without_privilege(docker, tmp_path):
    (answers,) = ask_all(SELF, docker, tmp_path, ("red", "blue"))
    lines = [answer.line.decode().split() for answer in answers.values()]
    uids = {int(line[0]) for line in lines}
    assert len(uids) == 2
    assert min(uids) >= limits.FIRST_UID
    for _, effective, bounding, no_new_privileges, seccomp, sockets in lines:
        assert (int(effective, 16), int(bounding, 16)) == (0, 0)
        assert (no_new_privileges, seccomp) == ("1", "2")
        assert sockets == "0"


def test_cpu_used_is_what_is_charged(docker, tmp_path):
    rounds = ask_all(BURN, docker, tmp_path, asks=3)
    charged = [answers["red"].charged_ms for answers in rounds]
    assert all(100 <= each < 190 for each in charged[1:]), charged


def test_thinking_while_the_opponent_thinks_is_paid_for(docker, tmp_path):
    rounds = ask_all(PONDER, docker, tmp_path, asks=3)
    charged = [answers["red"].charged_ms for answers in rounds]
    assert all(190 <= each < 375 for each in charged[1:]), charged


def test_busy_neighbour_is_not_charged_to_a_bot(docker, tmp_path):
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        rounds = ask_all(BURN, docker, tmp_path, asks=3)
    finally:
        burner.kill()
        burner.wait()
    assert all(100 <= answers["red"].charged_ms < 195 for answers in rounds[1:])


def test_reaping_spares_running_games(docker, tmp_path):
    package = unpack(ECHO, "bot.py")
    with open_table(
        isolation=docker, seats={"red": package}, work_dir=tmp_path, admission=Admission()
    ) as table:
        assert reap(isolation=docker, work_dir=tmp_path) == 0
        assert isinstance(table.ask({"red": Ask(b"x\n", 5000)})["red"], Answer)
