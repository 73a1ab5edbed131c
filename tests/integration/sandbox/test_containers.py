"""Bots in real containers. These tests fail, and are not skipped, where no engine answers."""

import time

import pytest

from engine.protocol import Answer, Ask
from sandbox.levels.isolation import reap
from sandbox.table import Admission
from tests.sandbox.tables import open_for

pytestmark = [pytest.mark.docker]

ECHO = b"import sys\nfor line in sys.stdin: print(line.strip(), flush=True)\n"
USED_MS = 200  # by a turn of either bot
BURN = b"""
import sys, time
for line in sys.stdin:
    until = time.process_time() + 0.2
    while time.process_time() < until: pass
    print(round(1000 * time.process_time()), flush=True)
"""
PONDER = b"""
import sys, time
for line in sys.stdin:
    print(round(1000 * time.process_time()), flush=True)
    until = time.process_time() + 0.2
    while time.process_time() < until: pass
"""


@pytest.mark.parametrize(("code", "turns"), [(BURN, 3), (PONDER, 2)], ids=["burns", "ponders"])
def test_cpu_used_is_charged_whoever_thinks(code, turns, docker, tmp_path):
    with open_for(code, docker, tmp_path, admission=Admission()) as table:
        answers = []
        for _ in range(3):
            answers.append(table.ask({"red": Ask(b"now\n", 5000)})["red"])
            time.sleep(0.3)  # while the opponent thinks

    charged_ms = sum(answer.charged_ms for answer in answers)
    used_ms = int(answers[-1].line)  # with the start of the interpreter
    assert used_ms >= turns * USED_MS
    # What it uses after its answer may be counted at once. The container itself takes a little.
    assert used_ms - 10 <= charged_ms < used_ms + USED_MS + 100


def test_reaping_spares_running_games(docker, tmp_path):
    with open_for(ECHO, docker, tmp_path, admission=Admission()) as table:
        assert reap(isolation=docker, work_dir=tmp_path) == 0
        assert isinstance(table.ask({"red": Ask(b"x\n", 5000)})["red"], Answer)
