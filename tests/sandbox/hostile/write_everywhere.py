# verdict: plays | kept in
# contained by: read-only root, no capabilities
# levels: docker, bubblewrap
"""Tries to leave something outside /tmp."""

from pathlib import Path

import wire

PLACES = (
    "/",
    "/bot",
    "/arena",
    "/usr",
    "/etc",
    "/opt",
    "/var/tmp",
    "/run",
    "/root",
    "/dev",
    "/dev/shm",
    "/sys",
    "/sys/fs/cgroup",
    "/proc/sys",
)
wire.probe(
    {place: lambda place=place: (Path(place) / "left-behind").write_text("x") for place in PLACES}
)
