# verdict: plays | kept in
# contained by: no capabilities, Docker's seccomp profile, system-call filter
# levels: docker, bubblewrap
"""Knocks at what the kernel keeps for administrators, and at what no namespace or filter sees."""

import ctypes
import os
import time

import wire

BPF, PERF, USERFAULT, KEXEC, INIT_MODULE, IOPL, SYSLOG, QUOTA, ACCT, SWAPON, REBOOT, CLOCK = (
    321, 298, 323, 246, 175, 172, 103, 179, 163, 167, 169, 227,
)  # fmt: skip
IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER = 425, 426, 427
ADD_KEY, REQUEST_KEY, KEYCTL = 248, 249, 250
PROCESS_RING, USER_RING, JOIN = -2, -4, 1
GETPID, SOCKET, X32 = 39, 41, 0x40000000  # the second table of numbers of a 64-bit kernel
FANOTIFY, LOOKUP_COOKIE, VHANGUP, SETHOSTNAME, ADJTIME = 300, 212, 153, 170, 159
attributes = ctypes.create_string_buffer(
    (1).to_bytes(4, "little") + (64).to_bytes(4, "little"), 128
)
wire.probe(
    {
        "bpf": lambda: wire.syscall(BPF, 0, attributes, 128),
        "perf": lambda: wire.syscall(PERF, attributes, 0, -1, -1, 0),
        "userfault": lambda: wire.syscall(USERFAULT, 1),
        "kexec": lambda: wire.syscall(KEXEC, 0, 0, None, 0),
        "module": lambda: wire.syscall(INIT_MODULE, attributes, 128, b""),
        "ports": lambda: wire.syscall(IOPL, 3),
        "kernel log": lambda: wire.syscall(SYSLOG, 3, attributes, 128),
        "quota": lambda: wire.syscall(QUOTA, 0x800002 << 8, None, 0, attributes),
        "accounting": lambda: wire.syscall(ACCT, b"/tmp/acct"),
        "swap": lambda: wire.syscall(SWAPON, b"/tmp/swap", 0),
        "reboot": lambda: wire.syscall(REBOOT, 0xFEE1DEAD, 672274793, 0, None),
        "clock": lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
        "notify": lambda: wire.syscall(FANOTIFY, 0, 0),
        "hang up": lambda: wire.syscall(VHANGUP),
        "host name": lambda: wire.syscall(SETHOSTNAME, b"mine", 4),
        "other root": lambda: os.open("/dev/mem", os.O_RDONLY),
        "queue": lambda: wire.syscall(IO_URING_SETUP, 1, attributes),
        "queue entered": lambda: wire.syscall(IO_URING_ENTER, 0, 0, 0, 0, 0, 0),
        "queue changed": lambda: wire.syscall(IO_URING_REGISTER, -1, 17, attributes, 0),
        "key": lambda: wire.syscall(ADD_KEY, b"user", b"name", b"secret", 6, PROCESS_RING),
        "key asked": lambda: wire.syscall(REQUEST_KEY, b"user", b"name", None, USER_RING),
        "keyring": lambda: wire.syscall(KEYCTL, JOIN, None, 0, 0, 0),
        "x32 getpid": lambda: wire.in_child(lambda: wire.syscall(X32 | GETPID)),
        "x32 socket": lambda: wire.in_child(lambda: wire.syscall(X32 | SOCKET, 40, 1, 0)),
    }
)
