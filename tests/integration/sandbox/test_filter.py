"""The system-call filter: one list, two readers, and bots without a container under it."""

import platform
import re
import subprocess
from pathlib import Path

import pytest

from engine.protocol import Ask
from sandbox.host.seating import BotPlace
from sandbox.levels import filter as system_calls
from sandbox.levels.isolation import choose
from sandbox.refusal import IsolationUnavailable
from tests.sandbox.arena_init.first_process import C_SOURCES, compile_c
from tests.sandbox.tables import answered_by, open_for

MACHINES = ("x86_64", "aarch64")
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
DONE = 0x00050000  # the errno of success, without the call
READ = {"x86_64": 0, "aarch64": 63}
DROPPED_BIT = 1 << 32

WORKS = b"""
import asyncio, multiprocessing, os, subprocess, sys, threading
descriptors = sorted(os.listdir("/proc/self/fd"))
async def aside():
    return await asyncio.to_thread(lambda: "asyncio")
def child(pipe):
    pipe.send("fork")
for line in sys.stdin:
    said = [asyncio.run(aside())]
    thread = threading.Thread(target=said.append, args=("thread",))
    thread.start()
    thread.join()
    said.append(subprocess.check_output(["/bin/echo", "child"]).decode().strip())
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=child, args=(there,))
    process.start()
    said.append(here.recv())
    process.join()
    status = dict(each.split(":", 1) for each in open("/proc/self/status"))
    said += [status["Seccomp"].strip(), *descriptors]
    print(*said, flush=True)
"""
STAYS = b"""
import os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("/proc/self/comm", "w").write("nobody-is-left")
ready, say = os.pipe()
for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        kept = bytearray(b"x") * (40 << 20)  # takes the kernel a while to take back
        os.write(say, b".")
        signal.pause()
for line in sys.stdin:
    for _ in range(8): os.read(ready, 1)
    print("up", flush=True)
"""


def answer_of(program, machine, number, arguments=(), architecture=None):
    """Run a program as the kernel does, for one call. Instructions are code, jumps, constant."""
    data = {0: number, 4: architecture or system_calls.ARCHITECTURES[machine]}
    for argument, value in enumerate(arguments):
        data[16 + 8 * argument] = value & 0xFFFFFFFF
        data[20 + 8 * argument] = value >> 32 & 0xFFFFFFFF
    at, loaded = 0, 0
    while True:
        code, held, failed, constant = program[at]
        at += 1
        if code == 0x06:
            return constant
        if code == 0x20:
            loaded = data[constant]
            continue
        tests = {
            0x15: loaded == constant,
            0x25: loaded > constant,
            0x35: loaded >= constant,
            0x45: bool(loaded & constant),
        }
        at += held if tests[code] else failed


@pytest.fixture(params=MACHINES)
def machine(request):
    return request.param


@pytest.fixture
def answer(machine):
    program = list(system_calls.INSTRUCTION.iter_unpack(system_calls.assembled(machine)))
    return lambda *call, **more: answer_of(program, machine, *call, **more)


def rows_for(machine):
    """Yield each row that a machine has: kind, name, number, and what it says of an argument."""
    for kind, name, rest in system_calls.rows():
        if kind != "REFUSE_X86":
            argument, value = (int(rest[2]), int(rest[4], 0)) if rest[2:] else (-1, 0)
            yield kind, name, int(rest[MACHINES.index(machine)]), argument, value
        elif machine == "x86_64":
            yield kind, name, int(rest[0]), -1, 0


def passing(machine, name):
    """Return arguments with which no row refuses a call that is refused for its arguments alone."""
    arguments = [0] * 6
    for kind, each, _, argument, value in rows_for(machine):
        if kind == "UNLESS_EQUAL" and each == name:
            arguments[argument] = value
    return arguments


def test_every_row_of_the_list_is_read():
    lines = (system_calls.SOURCES / "denied.h").read_text().splitlines()
    rows = [line for line in lines if re.match(r"[A-Z]", line)]
    assert len(system_calls.rows()) == len(rows) > 100
    assert {kind for kind, _, _ in system_calls.rows()} == {
        *("REFUSE", "REFUSE_X86", "NOT_THERE", "PRETEND"),
        *("UNLESS_EQUAL", "IF_EQUAL", "IF_ANY", "PRETEND_IF_EQUAL", "PRETEND_IF_ANY"),
    }


def test_listed_calls_are_answered_as_their_row_says(machine, answer):
    answers = {"REFUSE": EPERM, "REFUSE_X86": EPERM, "NOT_THERE": ENOSYS, "PRETEND": DONE}
    for kind, name, number, *_ in rows_for(machine):
        if kind in answers:
            assert (name, answer(number, [0] * 6)) == (name, answers[kind])


def test_arguments_decide_where_a_row_says_so(machine, answer):
    for kind, name, number, argument, value in rows_for(machine):
        arguments = passing(machine, name)
        if argument < 0:
            continue
        assert (name, answer(number, arguments)) == (name, ALLOW)
        refused = value ^ 1 if kind == "UNLESS_EQUAL" else value
        for each in (refused, refused | DROPPED_BIT):
            arguments[argument] = each
            expected = DONE if kind.startswith("PRETEND") else EPERM
            assert (name, answer(number, arguments)) == (name, expected)


def test_unlisted_calls_pass_and_newer_do_not_exist(machine, answer):
    assert answer(READ[machine], [0] * 6) == ALLOW
    newest = system_calls.newest_call()
    assert [answer(number) for number in (newest - 1, newest + 1)] == [ALLOW, ENOSYS]


def test_calls_of_another_architecture_kill(machine, answer):
    (other,) = set(MACHINES) - {machine}
    i386, x32 = 0x40000003, 0x40000000
    assert answer(READ[machine], architecture=i386) == KILL
    assert answer(READ[machine], architecture=system_calls.ARCHITECTURES[other]) == KILL
    assert answer(READ[machine] | x32) == KILL


def test_machine_without_numbers_has_no_filter():
    with pytest.raises(IsolationUnavailable, match="no system-call filter is written for riscv64"):
        system_calls.assembled("riscv64")


@pytest.mark.services
def test_c_and_python_assemble_the_same_filter(tmp_path):
    printer = tmp_path / "print_filter"
    compile_c(printer, C_SOURCES / "print_filter.c", system_calls.SOURCES / "filter.c")
    printed = subprocess.run([printer], capture_output=True, check=True).stdout
    assert printed == system_calls.assembled(platform.machine())


@pytest.mark.services
def test_aarch64_call_numbers_match_generic_headers():
    """A compiler for x86-64 cannot check them, but the headers of both are on every machine."""
    wanted = (b"__ARCH_WANT_MEMFD_SECRET", b"__ARCH_WANT_SYS_CLONE3")
    header = b"".join(b"#define %s\n" % each for each in wanted)
    header += b"#include <asm-generic/unistd.h>\n"
    listed = subprocess.run(
        ["gcc", "-E", "-dM", "-"], input=header, capture_output=True, check=True
    ).stdout.decode()
    defined = dict(re.findall(r"#define (__NR\w+) (\w+)", listed))
    wrong = []
    for _, name, number, *_ in rows_for("aarch64"):
        here = defined.get(f"__NR_{name}")
        if defined.get(here, here) != str(number):  # some are defined by another name
            wrong.append((name, number, here))
    assert wrong == []


@pytest.mark.services
def test_bot_in_bubblewrap_can_do_what_bots_do(tmp_path):
    works, seccomp, descriptors = "asyncio thread child fork", "2", "0 1 2 3"
    # The last descriptor is the one that the folder is listed through.
    assert answered_by(WORKS, "bubblewrap", tmp_path) == f"{works} {seccomp} {descriptors}"


@pytest.mark.services
def test_nobody_is_left_when_bubblewrap_bot_resets_user(tmp_path, monkeypatch):
    clear = BotPlace.clear
    left = []

    def look_and_clear(place):
        left.append(stayers())
        clear(place)

    monkeypatch.setattr(BotPlace, "clear", look_and_clear)
    with open_for(STAYS, choose("bubblewrap"), tmp_path) as table:
        table.ask({"red": Ask(b"now\n", 10_000)})
        assert stayers() == 9
    assert left == [0]


def stayers():
    return sum(name_of(each) == "nobody-is-left" for each in Path("/proc").glob("[0-9]*"))


def name_of(process):
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return ""
