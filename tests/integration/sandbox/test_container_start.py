"""Whose doing it is when no bot starts: what arena_init reports, as the runner takes it."""

import errno
import os
import socket

import pytest

from engine.protocol import PlatformFault
from sandbox.launcher.order import Launched
from sandbox.levels.container import NOT_EXECUTABLE, ContainerProgram
from sandbox.wire.program import Exit


@pytest.fixture
def reporting():
    """Make a program whose container has made a report."""
    ends = []

    def reporting(report):
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        theirs.send(report.encode())
        stdin, stdout, stderr = (os.open(os.devnull, os.O_RDWR) for _ in range(3))
        launched = Launched(stdin, stdout, stderr, control, (), lambda: False, lambda: None)
        program = ContainerProgram(launched)
        ends.extend([program.close, theirs.close])
        return program

    yield reporting
    for close in ends:
        close()


def test_unexecutable_bot_file_is_how_bot_ended(reporting):
    program = reporting(f"exec {errno.ENOEXEC}")
    program.await_start(own_program=True)
    assert program.exit(0) == Exit(NOT_EXECUTABLE)


@pytest.mark.parametrize(
    ("report", "own_program", "said"),
    [
        (f"exec {errno.ENOENT}", False, "cannot run a bot: No such file or directory"),
        (f"fork {errno.EAGAIN}", True, "to run its bot in: Resource temporarily unavailable"),
        (f"fork {errno.EMFILE}", False, "to run its bot in: Too many open files"),
        ("exit 0", True, "in place of its start"),
    ],
)
def test_nothing_else_is_a_bot_s_doing(reporting, report, own_program, said):
    with pytest.raises(PlatformFault, match=said):
        reporting(report).await_start(own_program=own_program)
