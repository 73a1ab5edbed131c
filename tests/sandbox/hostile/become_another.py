# verdict: plays | kept in
# contained by: no capabilities, no new privileges
# levels: docker, bubblewrap
"""Wants to be another user, and to own what it does not."""

import os

import wire

KEEP_CAPS, AMBIENT = 8, 47
wire.probe(
    {
        "user": lambda: os.setuid(0),
        "other user": lambda: os.setuid(os.getuid() + 1),
        "group": lambda: os.setgid(0),
        "groups": lambda: os.setgroups([0]),
        "real users": lambda: os.setresuid(0, 0, 0),
        "ambient": lambda: wire.checked(wire.LIBC.prctl(AMBIENT, 2, 21, 0, 0)),
        "own the root": lambda: os.chown("/", os.getuid(), -1),
        "own its program": lambda: os.chown("/bot/bot.py", os.getuid(), -1),
        "mode of its program": lambda: os.chmod("/bot/bot.py", 0o777),
        "mode of its folder": lambda: os.chmod("/bot", 0o777),
        "mode of the socket's folder": lambda: os.chmod("/arena", 0o777),
        "times of its program": lambda: os.utime("/bot/bot.py", (0, 0)),
        "give away": lambda: os.chown("/tmp", 0, 0),
    }
)
