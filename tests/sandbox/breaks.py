"""What to alter of a container so that a bot sees a guarantee broken, and which ones it sees."""

from sandbox import limits
from sandbox.doctor.probes.calls import CLASSES
from tests.sandbox import doctored
from tests.sandbox.doctored import (
    UNFILTERED,
    body,
    both,
    host,
    init,
    mount,
    scratch,
    ulimit,
    unmasked,
)

CALLS = tuple(CLASSES)
OF_FILTER = {*CLASSES, "foreign_calls", "seccomp"}
SETUID = """RUN ["/usr/bin/python3", "-c", "import os; os.chmod('/usr/bin/env', 0o4755)"]"""
MORE = limits.MEMORY_BYTES + 64 * limits.MIB
NO_COUNTERS = host(Tmpfs=lambda tmpfs: tmpfs | {"/sys/fs/cgroup": "ro"})
ODD_DEVICE = {"PathOnHost": "/dev/zero", "PathInContainer": "/dev/odd", "CgroupPermissions": "rwm"}


def replaced_image(given):
    given["Image"] = doctored.image(SETUID)


def secret_given(given):
    given["Env"] = [*given["Env"], "SECRET=1"]


BREAKS = {
    "network": (both(body(NetworkDisabled=False), host(NetworkMode="host")), {"network"}),
    # Half of the classes of calls, and the other half: no probe takes one for another.
    "calls": (init(CALLS[::2], SecurityOpt=UNFILTERED), {*CALLS[::2]}),
    "other calls": (init(CALLS[1::2], SecurityOpt=UNFILTERED), {*CALLS[1::2]}),
    "foreign_calls": (init("foreign calls", SecurityOpt=UNFILTERED), {"foreign_calls"}),
    "newer calls": (init("new calls", SecurityOpt=UNFILTERED), {"foreign_calls"}),
    "seccomp": (init("no filter", SecurityOpt=UNFILTERED), OF_FILTER),
    "no_new_privileges": (
        init("no filter", SecurityOpt=UNFILTERED[1:]),
        OF_FILTER | {"no_new_privileges"},
    ),
    "capabilities": (host(CapDrop=[]), {"capabilities"}),
    "own_files": (
        host(Mounts=lambda mounts: [each | {"ReadOnly": False} for each in mounts]),
        {"own_files"},
    ),
    "given": (
        both(
            host(ReadonlyRootfs=False, Devices=[ODD_DEVICE], IpcMode="private"),
            mount("/etc", "/home"),
            secret_given,
        ),
        {"read_only", "devices", "shared_memory", "host_files", "environment"},
    ),
    "host_counters": (host(MaskedPaths=["/dev/pts"]), {"host_counters"}),
    "one counter": (unmasked("/proc/locks"), {"host_counters"}),
    "one folder": (unmasked("/proc/sys"), {"host_counters"}),
    "terminals": (unmasked("/dev/pts"), {"terminals"}),
    "scratch": (
        both(scratch("size="), scratch("nr_inodes="), scratch("noexec", "exec")),
        {"scratch_size", "scratch_files", "scratch_programs"},
    ),
    "limits": (
        both(
            ulimit("fsize", 1 << 30),
            ulimit("nofile", 1000),
            ulimit("sigpending", 1000),
            ulimit("memlock", 1 << 20),
            ulimit("core", 1 << 20),
        ),
        {"file_size", "open_files", "signals", "locked_memory", "core_dumps"},
    ),
    "first_to_go": (init("nobody first", OomScoreAdj=0), {"first_to_go"}),
    "processes_seen": (init("crowded"), {"processes_seen"}),
    # Who can look into the first process can write its memory, and reaches its streams.
    "init_hidden": (init("readable"), {"init_hidden", "init_out_of_reach"}),
    "init_out_of_reach": (
        init("keeps streams"),
        {"init_hidden", "init_out_of_reach", "engine_log"},
    ),
    "descriptors": (init("leaks one"), {"descriptors"}),
    # With a terminal the engine gives a variable, too.
    "engine_log": (body(Tty=True), {"engine_log", "environment"}),
}
HARM = {
    "readable": "its memory",
    "keeps streams": "its descriptor 1",
    "has a secret": "its variable LANG",
    "hears signals": "",
}
SLOW_BREAKS = {
    "setuid_files": (replaced_image, {"setuid_files"}),
    "tasks": (host(PidsLimit=-1), {"tasks"}),
    "memory": (host(Memory=0, MemorySwap=0), {"memory", "swap", "all_memory"}),
    "swap": (host(Memory=MORE, MemorySwap=MORE), {"swap"}),
}
