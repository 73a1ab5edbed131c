"""What arena_init says about waiting for the CPU."""

import os
import time

import pytest

from tests.sandbox.arena_init.first_process import OK, WAIT_S

pytestmark = pytest.mark.services

OURSELVES = 0
FIRST_PROCESS = 1
SLEEPERS = 20
SPINNERS = 2 * (os.cpu_count() or 1)
LONG_MS = 500


def test_every_task_is_named_whenever_it_is_asked(run):
    init = run(f"for n in $(seq {SLEEPERS}); do sleep 1000 & done; echo up; read line")
    assert init.stdout.readline() == "up\n"
    tasks = init.waits().keys()
    assert {OURSELVES, FIRST_PROCESS} < tasks
    assert len(tasks) >= SLEEPERS + 3
    assert init.waits().keys() == tasks
    assert init.hang_up() == OK


def test_sleeping_task_does_not_wait_for_cpu(run):
    init = run("sleep 1000 & echo $!; read line")
    sleeper = int(init.stdout.readline())
    before_ms, end_s = None, time.monotonic() + WAIT_S
    while (now_ms := init.waits()[sleeper]) != before_ms:  # at first it has to get to its sleep
        assert time.monotonic() < end_s, "it waits on and on"
        before_ms = now_ms
        time.sleep(0.5)


def test_tasks_that_could_run_do(run):
    spin = "(while :; do :; done) &"
    init = run(f"for n in $(seq {SPINNERS}); do {spin} done; echo up; read line")
    assert init.stdout.readline() == "up\n"
    before, end_s = init.waits(), time.monotonic() + WAIT_S
    while max(ms - before[task] for task, ms in init.waits().items()) < LONG_MS:
        assert time.monotonic() < end_s, "nobody waited"
        time.sleep(0.1)
