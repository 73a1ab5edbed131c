"""Places that can be written to and that two containers share: none, whatever runs in them."""

from contextlib import closing
from pathlib import Path

from sandbox.launcher import docker_engine
from sandbox.launcher.containers import Container
from sandbox.launcher.embedded import Embedded
from sandbox.launcher.order import Purpose

KERNELS = {"proc", "sysfs", "cgroup", "cgroup2", "devpts", "mqueue"}  # keep no files of anybody


def shared(run_dir: Path, runtime: str, purposes: tuple[Purpose, Purpose]) -> set[str]:
    """Return what two containers of a runtime can both write to."""
    with closing(Embedded(run_dir)) as launcher:
        started = [launcher._start_now(runtime, purpose) for purpose in purposes]
        try:
            one, other = (_writable(each) for each in started)
        finally:
            for each in started:
                each.drop()
                launcher.give_back(each)
    return {one[device] for device in one.keys() & other.keys()}


def _writable(container: Container) -> dict[str, str]:
    """Return the file systems that a container can write to: device and path, with their place."""
    with docker_engine.connected() as engine:
        process = engine.inspect_container(container.id)["State"]["Pid"]
    found = {}
    for line in Path(f"/proc/{process}/mountinfo").read_text().splitlines():
        mount, _, system = line.partition(" - ")
        device, root, place, options = mount.split()[2:6]
        kind, _, of_all = system.split()[:3]
        read_only = "ro" in options.split(",") or "ro" in of_all.split(",")
        if not read_only and kind not in KERNELS:
            found[f"{device} {root}"] = place
    return found
