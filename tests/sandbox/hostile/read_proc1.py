# verdict: plays | kept in
# contained by: process 1 is not dumpable
# levels: docker, bubblewrap
# under gvisor: plays | open: files, environment, maps | names and variables of the bot, no contents
"""Looks at what process 1 has: its files, its environment, its memory."""

import os
from pathlib import Path

import wire

wire.probe(
    {
        "files": lambda: os.listdir("/proc/1/fd"),
        "environment": lambda: Path("/proc/1/environ").read_bytes(),
        "maps": lambda: Path("/proc/1/maps").read_text(),
        "program": lambda: os.readlink("/proc/1/exe"),
        "root": lambda: os.listdir("/proc/1/root"),
        "system call": lambda: Path("/proc/1/syscall").read_text(),
        **{
            f"descriptor {number}": lambda number=number: os.open(f"/proc/1/fd/{number}", 0)
            for number in range(9)
        },
    }
)
