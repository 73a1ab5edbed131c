# verdict: plays | kept in
# contained by: own mounts and network
# levels: docker
"""Looks for any socket through which somebody could be asked for something."""

import os
import socket
import stat
from pathlib import Path

import wire


def in_folders():
    for folder, _, files in os.walk("/"):
        if folder.startswith(("/proc", "/sys")):
            continue
        for path in (Path(folder, name) for name in files):
            if stat.S_ISSOCK(path.lstat().st_mode):
                yield str(path)


def without_a_folder():
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        name = line.split()[-1]
        if name.startswith(("@", "/")) and wire.opens(lambda name=name: connects(name)):
            yield name


def connects(name):
    with socket.socket(socket.AF_UNIX) as out:
        out.connect(name.replace("@", "\0"))


start = wire.hear()
names = ["/run/docker.sock", "/var/run/docker.sock", "\0/containerd-shim"]
found = [
    *in_folders(),
    *without_a_folder(),
    *(n for n in names if wire.opens(lambda n=n: connects(n))),
]
wire.note(", ".join(found) or "kept in")
wire.play(start)
