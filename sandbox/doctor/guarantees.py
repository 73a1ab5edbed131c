"""Every guarantee about bots: its name, the levels that make it, and the remedy if it is broken.

The name of a guarantee is also that of its experiment. Experiments that a bot can run alone are
functions of `sandbox.doctor.probes`; those that need an observer are in `sandbox.doctor.onlooker`.
"""

from dataclasses import dataclass
from typing import Literal

from botkit.languages import LANGUAGES
from sandbox.levels.isolation import Kind

CONTAINERS: tuple[Kind, ...] = ("docker",)
CONTAINED: tuple[Kind, ...] = ("docker", "bubblewrap")
EVERYWHERE: tuple[Kind, ...] = ("docker", "bubblewrap", "process")

# Who can test it: a bot alone; an observer of several bots; only the owner of the engine.
Sight = Literal["bot", "onlooker", "owner"]

OPTION = (
    "the engine was told so and does not do it: look for warnings in `docker info`, update engine, "
    "runc and kernel, and compare with sandbox/launcher/container_options.py"
)
GROUPS = (
    "the control group that counts it is missing: see the warnings of `docker info`, and boot with "
    "cgroup v2, or with cgroup_enable=memory swapaccount=1"
)
FILTER = (
    "the filter is not what sandbox/arena_init/denied.h says: build the images again "
    "(python -m sandbox build-image --all), and take a kernel with CONFIG_SECCOMP_FILTER"
)
IMAGE = "the image is not what its sources say: python -m sandbox build-image --all"
ENGINE = (
    "the engine gives all containers the same files of an image: use gVisor, or move its data to "
    "btrfs (docs/how-to/keep-image-files-apart.md)"
)
RUN_DIR = "look who else works in the run directory, and start the runner again"


# What separates strangers from the host and from each other. The doctor tries all the others too.
AT_START = frozenset(
    (
        *("network", "sockets", "namespaces", "mounts", "other_processes", "kernel_interfaces"),
        *("seccomp", "no_new_privileges", "capabilities", "read_only", "own_files", "host_files"),
        *("devices", "processes_seen", "memory", "tasks", "environment", "descriptors"),
        *("own_user", "images"),
    )
)


@dataclass(frozen=True, slots=True)
class Check:
    """One guarantee. `remedy` is for the operator of a machine on which it does not hold."""

    name: str
    text: str
    guaranteed_by: tuple[Kind, ...]
    remedy: str
    sight: Sight = "bot"
    # A second kernel between bots and the host's, such as gVisor's, counts and refuses differently.
    of_kernel: bool = False
    # Only some engines can: elsewhere it is tried and named, and bots run without it.
    by_engine: bool = False

    @property
    def is_first(self) -> bool:
        """Return whether a runner tries it at each start."""
        return self.name in AT_START


CHECKS = (
    Check("network", "network closed", CONTAINED, OPTION),
    Check("sockets", "sockets of every family refused", CONTAINED, FILTER),
    Check("namespaces", "no new namespaces", CONTAINED, FILTER),
    Check("mounts", "no mounts, no files by handle", CONTAINED, FILTER),
    Check("keyrings", "no keyrings of the kernel", CONTAINED, FILTER),
    Check("io_uring", "no io_uring", CONTAINED, FILTER),
    Check("memory_programs", "no programs run from memory", CONTAINED, FILTER),
    Check("other_processes", "no look into other processes", CONTAINED, FILTER),
    Check("limits_of_others", "limits of others out of reach", CONTAINED, FILTER),
    Check("kernel_interfaces", "no bpf, perf and the like", CONTAINED, FILTER),
    Check("host_disk", "host's disk cannot be flushed", CONTAINED, FILTER),
    Check("locks", "no locks, leases, watches of files", CONTAINED, FILTER),
    Check("page_cache", "no questions about cached files", CONTAINED, FILTER),
    Check("numbers_of_host", "no calls that count the host", CONTAINED, FILTER),
    Check("others_work", "no work for workers of the kernel", CONTAINED, FILTER),
    Check("machine", "clock, modules, swap out of reach", CONTAINED, FILTER),
    Check("shared_queues", "no System V or POSIX queues", CONTAINED, FILTER),
    Check("pipe_size", "pipes cannot be enlarged", CONTAINED, FILTER),
    Check("foreign_calls", "calls of other tables refused", CONTAINED, FILTER),
    Check("seccomp", "system calls filtered", CONTAINED, FILTER),
    Check("no_new_privileges", "no new privileges", EVERYWHERE, OPTION),
    Check("capabilities", "no capabilities", CONTAINED, OPTION),
    Check("read_only", "system read-only", CONTAINED, OPTION, of_kernel=True),
    Check("own_files", "bot's own files read-only", CONTAINED, OPTION, of_kernel=True),
    Check("host_files", "files of the host hidden", CONTAINED, OPTION),
    Check("host_counters", "counters of the host hidden", CONTAINED, OPTION, of_kernel=True),
    Check("terminals", "no pseudo-terminals", CONTAINED, OPTION, of_kernel=True),
    Check("devices", "only harmless devices", CONTAINED, OPTION, of_kernel=True),
    Check("setuid_files", "no setuid files", CONTAINERS, IMAGE),
    Check("shared_memory", "no shared memory folder", CONTAINED, OPTION),
    Check("scratch_size", "scratch folder capped in size", CONTAINED, OPTION),
    Check("scratch_files", "scratch folder capped in files", CONTAINERS, OPTION, of_kernel=True),
    Check("scratch_programs", "no programs run from scratch", CONTAINERS, OPTION),
    Check("file_size", "size of a file capped", EVERYWHERE, OPTION),
    Check("open_files", "open files capped", EVERYWHERE, OPTION),
    Check("signals", "pending signals capped", CONTAINERS, OPTION),
    Check("locked_memory", "no locked memory", CONTAINED, OPTION),
    Check("priority", "priority cannot be raised", CONTAINED, FILTER, of_kernel=True),
    Check("core_dumps", "no core dumps", EVERYWHERE, OPTION),
    Check("first_to_go", "killed first when memory is short", CONTAINERS, OPTION, of_kernel=True),
    Check("tasks", "number of processes capped", CONTAINED, GROUPS, of_kernel=True),
    Check("cores", "share of the processors capped", CONTAINERS, GROUPS, of_kernel=True),
    Check("memory", "memory of one process capped", EVERYWHERE, GROUPS, of_kernel=True),
    Check("swap", "no swap beyond the memory", CONTAINERS, GROUPS, of_kernel=True),
    Check("all_memory", "memory of all its processes capped", CONTAINERS, GROUPS, of_kernel=True),
    Check("processes_seen", "other processes hidden", CONTAINED, OPTION),
    Check("environment", "no environment variables of ours", EVERYWHERE, OPTION),
    Check("descriptors", "no descriptors but three pipes", EVERYWHERE, IMAGE),
    Check("engine_log", "engine's log out of reach", CONTAINERS, OPTION),
    Check("init_hidden", "first process cannot be read", CONTAINERS, IMAGE, of_kernel=True),
    Check("init_out_of_reach", "first process out of reach", CONTAINERS, IMAGE),
    Check("own_user", "a user id of its own", CONTAINERS, OPTION, "onlooker"),
    Check(
        "own_counters",
        "counters of a user not shared",
        CONTAINERS,
        OPTION,
        "onlooker",
        of_kernel=True,
    ),
    Check(
        "own_image_files",
        "image files not shared",
        CONTAINERS,
        ENGINE,
        "onlooker",
        by_engine=True,
    ),
    Check(
        "cpu_clock", "CPU time charged correctly", CONTAINERS, GROUPS, "onlooker", of_kernel=True
    ),
    Check(
        "own_clock",
        "neighbour's CPU time not charged",
        CONTAINERS,
        GROUPS,
        "onlooker",
        of_kernel=True,
    ),
    Check("out_of_memory", "out of memory told from a crash", CONTAINERS, GROUPS, "onlooker"),
    Check("flood", "flood of stdout is stopped", EVERYWHERE, FILTER, "onlooker"),
    Check("life_line", "bots die with the control socket", CONTAINED, IMAGE, "onlooker"),
    *(
        Check(
            f"plays_{language.name}",
            f"plays bots in {language.title}",
            CONTAINERS,
            IMAGE,
            "onlooker",
        )
        for language in LANGUAGES
    ),
    Check("images", "images are the pinned ones", CONTAINERS, IMAGE, "owner"),
    Check("nothing_left", "nothing left afterwards", EVERYWHERE, RUN_DIR, "owner"),
)
