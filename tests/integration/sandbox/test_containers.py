"""Bots in real containers. These tests fail, and are not skipped, where no engine answers."""

import time

import pytest

from engine.protocol import Answer, Ask
from sandbox.levels.isolation import reap
from sandbox.table import Admission
from tests.sandbox.tables import open_for

pytestmark = [pytest.mark.docker]

ECHO = b"import sys\nfor line in sys.stdin: print(line.strip(), flush=True)\n"
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


def ask_often(code, docker, work_dir):
    rounds = []
    with open_for(code, docker, work_dir, admission=Admission()) as table:
        ask = Ask(b"now\n", 5000)
        for _ in range(3):
            rounds.append(table.ask({"red": ask}))
            time.sleep(0.3)
    return rounds


def test_cpu_used_is_what_is_charged(docker, tmp_path):
    rounds = ask_often(BURN, docker, tmp_path)
    charged = [answers["red"].charged_ms for answers in rounds]
    assert all(100 <= each < 190 for each in charged[1:]), charged


def test_thinking_while_the_opponent_thinks_is_paid_for(docker, tmp_path):
    rounds = ask_often(PONDER, docker, tmp_path)
    charged = [answers["red"].charged_ms for answers in rounds]
    assert all(190 <= each < 375 for each in charged[1:]), charged


def test_reaping_spares_running_games(docker, tmp_path):
    with open_for(ECHO, docker, tmp_path, admission=Admission()) as table:
        assert reap(isolation=docker, work_dir=tmp_path) == 0
        assert isinstance(table.ask({"red": Ask(b"x\n", 5000)})["red"], Answer)
