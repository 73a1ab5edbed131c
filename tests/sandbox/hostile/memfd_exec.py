# verdict: plays | kept in
# contained by: system-call filter, noexec on the tmpfs
# levels: docker
"""Runs a program from memory, or from the folder that it may write to."""

import os
import shutil
from pathlib import Path

import wire

TRUE = Path("/bin/true").read_bytes()


def from_memory():
    handle = os.memfd_create("program")
    os.write(handle, TRUE)
    os.execve(handle, ["true"], {})


def from_folder():
    shutil.copy("/bin/true", "/tmp/true")
    os.execv("/tmp/true", ["true"])


wire.probe(
    {
        "from memory": lambda: wire.in_child(from_memory),
        "from its folder": lambda: wire.in_child(from_folder),
    }
)
