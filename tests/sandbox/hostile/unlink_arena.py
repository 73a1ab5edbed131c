# verdict: plays | kept in
# contained by: read-only mounts, socket removed
# levels: docker
"""Takes away, replaces or calls the socket by which process 1 was reached."""

import os
import shutil
import socket
from pathlib import Path

import wire


def call():
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as out:
        out.connect("/arena/control")


wire.probe(
    {
        "unlink": lambda: os.unlink("/arena/control"),
        "call": call,
        "listen": lambda: socket.socket(socket.AF_UNIX).bind("/arena/control"),
        "remove": lambda: os.rmdir("/arena"),
        "rename": lambda: os.rename("/arena", "/arena2"),
        "remove its program": lambda: os.unlink("/bot/bot.py"),
        "remove its folder": lambda: shutil.rmtree("/bot"),
        "list": lambda: Path("/arena/control").lstat(),
    }
)
