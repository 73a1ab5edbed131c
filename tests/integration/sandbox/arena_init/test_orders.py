"""Orders that arena_init takes, and those it does not."""

import errno
import os
import socket

import pytest

from tests.sandbox.arena_init.first_process import (
    BAD_ORDER,
    BAD_USAGE,
    NO_CONTROL,
    OK,
    SH,
    FirstProcess,
)

pytestmark = pytest.mark.services


def test_bot_has_three_descriptors_nothing_else_open(run):
    reads, writes = os.pipe()  # left open, as by whoever starts containers
    list_all = "for n in $(seq 0 255); do [ -e /proc/$$/fd/$n ] && echo -n $n,; done; echo; read x"
    init = run(list_all, inherited=(writes,))
    os.close(writes)
    assert init.stdout.readline() == "0,1,2,\n"
    with os.fdopen(reads) as everybody:
        assert everybody.read() == ""  # the end of it comes when nobody has it open
    assert not init.says_more(0)


def test_what_is_sent_arrives_and_said_returns(run):
    init = run("read line; echo got $line; echo aside >&2")
    init.stdin.write("this\n")
    assert init.report() == "exit 0"
    assert (init.stdout.read(), init.stderr.read()) == ("got this\n", "aside\n")
    assert init.hang_up() == OK


def test_bot_starts_with_no_signal_blocked(start):
    init = start()
    init.order("/bin/grep", "SigBlk", "/proc/self/status")  # no shell: one would clear its mask
    assert init.stdout.read() == "SigBlk:\t0000000000000000\n"


@pytest.mark.parametrize(
    ("script", "report"),
    [
        ("exit 0", "exit 0"),
        ("exit 255", "exit 255"),
        ("kill -KILL $$", "signal 9"),
        ("kill -SEGV $$", "signal 11"),
    ],
)
def test_end_of_a_bot_is_reported(run, script, report):
    init = run(script)
    assert init.report() == report
    assert not init.says_more(0.1)
    assert init.hang_up() == OK


@pytest.mark.parametrize(
    ("program", "report"),
    [
        ("/nowhere", "exec 2"),
        ("", "exec 2"),
        ("/usr", "exec 13"),
        ("/programs/no-program", "exec 8"),
    ],
)
def test_program_that_cannot_run_is_reported_nothing_after(start, program, report):
    init = start()
    init.order(program)
    assert init.report() == report
    assert init.stdout.read() == ""
    assert not init.says_more(0.1)
    assert init.hang_up() == OK


@pytest.mark.parametrize(
    ("limit", "report"),
    [("--nproc=1", f"fork {errno.EAGAIN}"), ("--nofile=6", f"fork {errno.EMFILE}")],
)
def test_bot_without_process_differs_from_unrunnable_program(start, limit, report):
    init = start(program="arena-init-static", under=("prlimit", limit))
    init.order("/bin/true")
    assert init.report() == report
    assert not init.says_more(0.1)
    assert init.hang_up() == OK


@pytest.mark.parametrize("descriptors", [0, 1, 2, 4, 8])
def test_order_with_another_number_of_descriptors_is_none(start, descriptors):
    init = start()
    socket.send_fds(init.control, [b"/bin/true\0"], [1] * descriptors)
    assert init.status() == BAD_ORDER


@pytest.mark.parametrize(
    "text",
    [
        b"/bin/true",
        b"/bin/echo\0without an end",
        b"/bin/true\0" * 17,
        b"/bin/true\0" + b"x" * 4086,
        b"/bin/true\0" + b"x" * 4085 + b"\0and more\0",
    ],
    ids=["no NUL", "no last NUL", "too many arguments", "too long", "too long, and cut at a NUL"],
)
def test_order_that_is_malformed_is_none(start, text):
    init = start()
    theirs = init.pipes()
    socket.send_fds(init.control, [text], theirs)
    for each in theirs:
        os.close(each)
    assert init.status() == BAD_ORDER
    assert init.stdout.read() == ""


@pytest.mark.parametrize(
    "arguments",
    [[*SH, 'echo $#"$*" | wc -c', *["x"] * 13], ["/bin/echo", "x" * (4096 - 11)]],
    ids=["arguments", "bytes"],
)
def test_largest_order_is_accepted(start, arguments):
    init = start()
    init.order(*arguments)
    assert [init.report(), init.report()] == ["start", "exit 0"]
    assert init.stdout.read() in ("26\n", "x" * 4085 + "\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["1"],
        ["1", "1", "1"],
        ["0", "1"],
        ["1", "0"],
        ["-1", "1"],
        ["1s", "1"],
        ["", "1"],
        ["1", "86401"],
    ],
    ids=" ".join,
)
def test_bad_command_line_is_refused(place, arguments):
    with FirstProcess(place, *arguments) as init:
        assert init.status() == BAD_USAGE


def test_no_socket_ends_it(start, place):
    (place.root / "arena").chmod(0o777)
    init = start(call=False, under=(*SH, 'rm /arena/control; exec "$0" 1 1'))
    assert init.status() == NO_CONTROL
