# verdict: plays | kept in
# contained by: no capabilities, system-call filter, Docker's seccomp profile
# levels: docker, bubblewrap
"""Mounts, unmounts and changes its root."""

import os

import wire

LIBC = wire.LIBC
FSOPEN, OPEN_TREE, FSMOUNT, PIVOT_ROOT, NAME_TO_HANDLE, OPEN_BY_HANDLE = (
    430,
    428,
    432,
    155,
    303,
    304,
)
BIND, REMOUNT = 4096, 32


def mount(source, target, kind, flags=0):
    wire.checked(LIBC.mount(source, target, kind, flags, None))


wire.probe(
    {
        "tmpfs": lambda: mount(b"none", b"/tmp", b"tmpfs"),
        "proc": lambda: mount(b"none", b"/tmp", b"proc"),
        "bind": lambda: mount(b"/", b"/tmp", None, BIND),
        "writable root": lambda: mount(None, b"/", None, REMOUNT | BIND),
        "executable tmp": lambda: mount(None, b"/tmp", None, REMOUNT | BIND),
        "unmount": lambda: wire.checked(LIBC.umount2(b"/bot", 2)),
        "chroot": lambda: os.chroot("/tmp"),
        "pivot": lambda: wire.syscall(PIVOT_ROOT, b"/tmp", b"/tmp"),
        "fsopen": lambda: wire.syscall(FSOPEN, b"tmpfs", 0),
        "open_tree": lambda: wire.syscall(OPEN_TREE, -100, b"/", 1),
        "by handle": lambda: wire.syscall(OPEN_BY_HANDLE, 0, b"\0" * 64, 0),
    }
)
