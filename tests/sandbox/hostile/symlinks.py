# verdict: plays | kept in
# contained by: own mounts: nothing is copied out by path
# levels: docker, bubblewrap
"""Lays links for whoever comes by later, and follows some itself."""

import os
from pathlib import Path

import wire

TARGETS = ("/etc/shadow", "/root", "/proc/1/cwd/../etc/shadow", "/var/run/docker.sock", "/arena")
for number, target in enumerate(TARGETS):
    os.symlink(target, f"/tmp/link{number}")
os.symlink("loop", "/tmp/loop")
wire.probe(
    {
        "shadow": lambda: Path("/tmp/link0").read_bytes(),
        "root": (Path("/tmp/link1") / "x").touch,
        "root of process 1": lambda: Path("/tmp/link2").read_bytes(),
        "engine": lambda: Path("/tmp/link3").read_bytes(),
        "control": lambda: (Path("/tmp/link4") / "control").write_bytes(b""),
        "hard link": lambda: os.link("/etc/passwd", "/tmp/passwd"),
        "replace": lambda: os.rename("/tmp/link0", "/bot/bot.py"),
    }
)
