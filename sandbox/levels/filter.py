"""The system-call filter without a container: the same program that arena_init builds.

Both read `arena_init/denied.h`; a test compares the two programs byte by byte. That file explains
the rows, and `arena_init/filter.c` how they become instructions.
"""

import os
import platform
import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sandbox.refusal import IsolationUnavailable

SOURCES = Path(__file__).parents[1] / "arena_init"
ROW = re.compile(r"^([A-Z][A-Z0-9_]*)\((\w+), (.+)\)$", re.MULTILINE)
NEWEST_CALL = re.compile(r"^#define NEWEST_CALL (\d+)$", re.MULTILINE)

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*
X32_CALLS = 0x40000000
EPERM, ENOSYS = 1, 38
DONE = 0  # the errno of success

# linux/bpf_common.h and linux/seccomp.h: an instruction is a code, two jumps and a constant.
INSTRUCTION = struct.Struct("=HBBI")
LOAD, EQUAL, GREATER, GREATER_EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
NR, ARCH, ARGUMENTS = 0, 4, 16  # offsets in seccomp_data; the lower half of each argument is first
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000

# The errno that a row returns, always or after a test of an argument with its two jumps.
ALWAYS = {"REFUSE": EPERM, "REFUSE_X86": EPERM, "NOT_THERE": ENOSYS, "PRETEND": DONE}
BY_ARGUMENT = {
    "UNLESS_EQUAL": (EQUAL, 1, 0, EPERM),
    "IF_EQUAL": (EQUAL, 0, 1, EPERM),
    "IF_ANY": (ANY_BIT, 0, 1, EPERM),
    "PRETEND_IF_EQUAL": (EQUAL, 0, 1, DONE),
    "PRETEND_IF_ANY": (ANY_BIT, 0, 1, DONE),
}

Instruction = tuple[int, int, int, int]


def descriptor() -> int:
    """Return an open file with the program for bubblewrap's --seccomp; the caller closes it.

    Raise `IsolationUnavailable` if the list has no numbers for this machine.
    """
    program = assembled(platform.machine())
    handle = os.memfd_create("filter")
    os.write(handle, program)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


@lru_cache
def assembled(machine: str) -> bytes:
    """Return the program for a machine in the kernel's format. Raise `IsolationUnavailable`."""
    if machine not in ARCHITECTURES:
        raise IsolationUnavailable(f"no system-call filter is written for {machine}")
    return b"".join(INSTRUCTION.pack(*instruction) for instruction in _program(machine))


def rows() -> list[tuple[str, str, list[str]]]:
    """Return the rows of the list: the kind of each, the name of its call, and its arguments."""
    text = (SOURCES / "denied.h").read_text()
    return [(kind, name, rest.split(", ")) for kind, name, rest in ROW.findall(text)]


def newest_call() -> int:
    """Return the highest number of a system call that a bot may use."""
    match = NEWEST_CALL.search((SOURCES / "filter.h").read_text())
    if match is None:
        raise ValueError("filter.h does not define NEWEST_CALL")
    return int(match[1])


def _program(machine: str) -> Iterator[Instruction]:
    yield LOAD, 0, 0, ARCH
    yield EQUAL, 1, 0, ARCHITECTURES[machine]
    yield RETURN, 0, 0, KILL_PROCESS
    yield LOAD, 0, 0, NR
    yield GREATER_EQUAL, 0, 1, X32_CALLS
    yield RETURN, 0, 0, KILL_PROCESS
    yield GREATER, 0, 1, newest_call()
    yield RETURN, 0, 0, ERRNO | ENOSYS
    for kind, _, rest in rows():
        yield from _row(machine, kind, rest)
    yield RETURN, 0, 0, ALLOW


def _row(machine: str, kind: str, rest: list[str]) -> list[Instruction]:
    if kind == "REFUSE_X86" and machine != "x86_64":
        return []
    number = int(rest[0 if machine == "x86_64" else 1])
    if kind in ALWAYS:
        return [(EQUAL, 0, 1, number), (RETURN, 0, 0, ERRNO | ALWAYS[kind])]
    argument, _, value = rest[2:]
    test, held, failed, error = BY_ARGUMENT[kind]
    return [
        (EQUAL, 0, 4, number),
        (LOAD, 0, 0, ARGUMENTS + 8 * int(argument)),
        (test, held, failed, int(value, 0)),
        (RETURN, 0, 0, ERRNO | error),
        (LOAD, 0, 0, NR),
    ]
