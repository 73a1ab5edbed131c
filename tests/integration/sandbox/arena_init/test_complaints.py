"""The tools that watch arena_init for errors in memory."""

import socket

import pytest

from tests.sandbox.arena_init.first_process import (
    BAD_ORDER,
    C_SOURCES,
    OK,
    SANITIZED,
    SH,
    VALGRIND,
    FirstProcess,
    Place,
    compile_c,
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


def test_bad_program_runs_clean_under_valgrind(start):
    init = start(program="arena-init-dynamic", under=VALGRIND)
    init.order("/nowhere")
    assert init.report() == "exec 2"
    assert init.hang_up() == OK


def test_bad_order_runs_clean_under_valgrind(start):
    init = start(program="arena-init-dynamic", under=VALGRIND)
    socket.send_fds(init.control, [b"x\0" * 17], [0, 1, 2])
    assert init.status() == BAD_ORDER


@pytest.mark.parametrize(("options", "under"), [(SANITIZED, ()), (("-g",), VALGRIND)])
def test_error_in_memory_would_not_go_unnoticed(place, tmp_path, options, under):
    folder = tmp_path / "bad"
    folder.mkdir()
    folder.chmod(0o755)
    # Optimised, with bounds known to the compiler, it would not get as far as to be found out.
    compile_c(folder / "bad", C_SOURCES / "overflows.c", options=(*options, "-O0"))
    with (
        FirstProcess(Place(folder, folder), program="bad", under=under) as init,
        pytest.raises(AssertionError, match=r"overflows\.c:8"),
    ):
        init.status()
