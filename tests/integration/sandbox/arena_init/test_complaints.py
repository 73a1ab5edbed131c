"""The tools that watch arena_init for errors in memory."""

import pytest

from tests.sandbox.arena_init.first_process import (
    OK,
    SH,
    VALGRIND,
)

pytestmark = pytest.mark.services


def test_optimised_build_runs_clean_under_valgrind(start):
    init = start(program="arena-init-dynamic", under=VALGRIND)
    init.order(*SH, "read line; exit 4")
    assert init.report() == "start"
    assert 0 in init.waits()
    init.stdin.close()
    assert init.report() == "exit 4"
    assert init.hang_up() == OK
