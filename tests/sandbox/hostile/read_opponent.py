# verdict: plays | kept in
# contained by: PID namespace, own mounts and user id
# levels: docker, bubblewrap
"""Looks for the opponent: its processes, its folder, its program."""

import os
from pathlib import Path

import wire

MINE = Path(__file__).parent
start = wire.hear()
found = []
for process in (path for path in Path("/proc").iterdir() if path.name.isdigit()):
    if process.name != str(os.getpid()):
        found += [str(process) for _ in process.glob("root/bot/*")]
        found += [str(process) for _ in process.glob("cwd/*")]
for place in (MINE.parent, Path("/tmp"), Path("/arena"), Path("/srv"), Path("/var/lib/docker")):
    if place.is_dir() and place != Path("/"):
        found += [str(path) for path in place.iterdir() if path != MINE]
wire.note(", ".join(found) or "kept in")
wire.play(start)
