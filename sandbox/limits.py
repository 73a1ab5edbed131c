"""All limits of the sandbox. No other module of this package defines a limit."""

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB

# Uploads. Refusals name the limit, so bot authors read these.
UPLOAD_MAX_BYTES = 5 * MIB
UNPACKED_MAX_BYTES = 20 * MIB
ENTRIES_MAX = 200
PATH_MAX_BYTES = 200
UNPACKED_HEADER_MAX_BYTES = 512 * KIB  # the names of all entries as JSON, with a margin

# The temporary process that reads an uploaded zip.
INSPECT_MEMORY_BYTES = 512 * MIB
INSPECT_CPU_S = 10
INSPECT_WALL_S = 30

# One running bot.
MEMORY_BYTES = 256 * MIB
TASKS = 64
OPEN_FILES = 256
FILE_BYTES = 16 * MIB
SCRATCH_BYTES = 16 * MIB
SCRATCH_INODES = 1024
PENDING_SIGNALS = 256
CORE_BYTES = 1  # in effect none: with 0, a host that pipes core dumps would still get them
CPU_SECONDS = 600
CORES = 1
CPU_SHARES = 1024  # the default of all groups: with less, a busy host would starve bots
LIFETIME_S = 3600
"""How long a bot may exist, whatever its clock shows: more than every seat's `SEAT_WALL_MS`."""

# Only the address space of a plain process can be limited; an interpreter maps more than it uses.
ADDRESS_SPACE_BYTES = 512 * MIB
BUBBLEWRAP_WAIT_S = 10  # for it to start, or to report that it cannot

# One build of a compiled language; limits not named here are those of a running bot.
BUILD_MEMORY_BYTES = 768 * MIB
BUILD_SCRATCH_BYTES = 128 * MIB  # counts as memory too
BUILD_SCRATCH_INODES = 8192
BUILD_FILE_BYTES = 64 * MIB  # the largest file that a compiler may write
BUILD_CPU_SECONDS = 60  # of each process: on a busy host, wall time is a poor measure
BUILD_WALL_S = 120
BUILD_LIFETIME_S = 240  # its container then ends by itself, even if this process is gone
ARTEFACT_MAX_BYTES = 8 * MIB

# Output of a bot (`engine.protocol.LINE_CAP_BYTES` is the cap of one line).
READ_BYTES = 64 * KIB
STDERR_KEEP_BYTES = 16 * KIB  # of its beginning, and as much of its end
STDERR_MAX_BYTES = 800 * KIB
EVIDENCE_REQUEST_BYTES = 64 * KIB  # kept of the last line sent to a bot

# Time. If CPU is charged, a wall deadline also applies.
WALL_FACTOR = 3
WALL_EXTRA_MS = 2_000
SEAT_WALL_MS = 900_000
"""The total wall time that one seat may keep a game waiting, because sleeping costs no CPU."""
STARVED_LEAST_MS = 50.0  # shorter waits for the CPU are usual, and not counted
STARVED_MAX_MS = 60_000.0
"""How long the host may keep a bot from the CPU during one game; then the game is void."""
WAITS_S = 10.0  # for the first process of a container to report them; longer if it is frozen
RUNNER_LATE_S = 0.5  # if the runner itself runs so much later than it asked for, no bot is charged
WAIT_STEP_S = 1.0  # how often the owner of a table hears that it still waits for a bot
CLOCK_LOOK_MS = 2.0  # shortest interval between two checks of a CPU clock
END_READ_S = 2.0  # for the bots to read how the game ended and to exit, before they are ended
EXIT_WAIT_MS = 1_000  # for the exit status of a bot whose output has ended
EXIT_LOOK_MS = 2.0  # interval of the checks for it meanwhile
LAUNCH_WAIT_S = 20.0  # from asking the engine for a container until its init calls back
ORDER_WAIT_S = 3600  # how long a started container waits for its bot
REMOVE_WAIT_S = 10
REMOVE_LOOK_S = 1  # interval after which it is asked again

# What the disks of a host need for the folders and containers of its bots.
DISK_LEAST_BYTES = 256 * MIB
DISK_LEAST_FILES = 10_000

# The engine.
ENGINE_WAIT_S = 30  # for its answer
IMAGE_BUILD_WAIT_S = 1200  # for the next line of a build
IMAGE_READ_WAIT_S = 300  # for the reading of all files of an image
END_TOLD_S = 2  # to wait for the event that reports the end of a container
END_ASK_S = 5  # for the engine's answer while a game waits

# The launcher, in a separate process or in this one.
WARM_CONTAINERS = 3  # waiting for each runtime: one for each seat of the largest table
WARM_S = 600  # how long a runtime is kept warm after its last bot
KEEPER_PAUSE_S = 2.0  # before it retries what the engine did not do
REAP_EVERY_S = 60
ORDER_MAX_BYTES = UNPACKED_MAX_BYTES + ARTEFACT_MAX_BYTES
LAUNCHER_REQUEST_BYTES = 128 * KIB  # without the files, which come in a descriptor
LAUNCHER_REPLY_BYTES = 8 * KIB
LAUNCHER_REASON_CHARS = 1000  # of its explanation
LAUNCHER_CONNECTIONS = 256  # one for each container, and those of waiting callers
LAUNCHER_STARTS = 8  # in parallel
LAUNCHER_WAIT_S = 60  # for its answer
LAUNCHER_AWAY_S = 30  # until another one listens: it must first test its guarantees
LAUNCHER_LOOK_S = 0.2
LAUNCHER_PAUSE_S = 0.1  # before the next caller, if no more files can be opened

# Two running bots never share a user id: the kernel counts pipes, signals, processes per user.
FIRST_UID = 20_000
FIRST_UID_MAX = 60_000  # all slots must be below `nobody`
SLOTS = 1_000
BOT_UIDS = range(FIRST_UID, FIRST_UID_MAX + SLOTS)
NOTE_MAX_BYTES = 4 * KIB  # a path


@dataclass(frozen=True, slots=True)
class Rlimit:
    """One resource limit, with the name that prlimit(1) and Docker's ulimits share."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Resources:
    """The limits for everything in one container together, and its lifetime."""

    memory_bytes: int
    scratch_bytes: int
    scratch_inodes: int
    file_bytes: int
    cpu_seconds: int
    lifetime_s: int

    def ulimits(self) -> tuple[Rlimit, ...]:
        """Return the limits of each process in the container."""
        return (
            Rlimit("nofile", OPEN_FILES),
            Rlimit("core", CORE_BYTES),
            Rlimit("fsize", self.file_bytes),
            Rlimit("memlock", 0),
            Rlimit("msgqueue", 0),
            Rlimit("sigpending", PENDING_SIGNALS),
            Rlimit("rtprio", 0),
            Rlimit("nice", 0),
            Rlimit("cpu", self.cpu_seconds),
        )


# A second kernel (gVisor) counts a bot's tasks by user, but serves no other bot. The host's
# kernel counts the tasks of that kernel itself and must not let it starve.
RUNTIME_TASKS = 1024
RUNTIME_ULIMITS = (Rlimit("nproc", TASKS),)

RESOURCES = {
    "bot": Resources(
        MEMORY_BYTES, SCRATCH_BYTES, SCRATCH_INODES, FILE_BYTES, CPU_SECONDS, LIFETIME_S
    ),
    "build": Resources(
        BUILD_MEMORY_BYTES,
        BUILD_SCRATCH_BYTES,
        BUILD_SCRATCH_INODES,
        BUILD_FILE_BYTES,
        BUILD_CPU_SECONDS,
        BUILD_LIFETIME_S,
    ),
}
"""By the purpose of a container."""

# Without a container, the address space replaces memory. `nproc` is counted per user, not per
# bot: the launcher adds what the user already runs.
PROCESS_RLIMITS = (
    Rlimit("as", ADDRESS_SPACE_BYTES),
    Rlimit("nofile", OPEN_FILES),
    Rlimit("core", CORE_BYTES),
    Rlimit("fsize", FILE_BYTES),
    Rlimit("memlock", 0),
    Rlimit("cpu", CPU_SECONDS),
)

_AT_EVERY_LEVEL = {"threads": TASKS, "cpu_s": CPU_SECONDS, "file_bytes": FILE_BYTES}
BY_LEVEL = {
    "docker": {
        **_AT_EVERY_LEVEL,
        "memory_bytes": MEMORY_BYTES,
        "cores": CORES,
        "scratch_bytes": SCRATCH_BYTES,
    },
    "bubblewrap": {
        **_AT_EVERY_LEVEL,
        "address_space_bytes": ADDRESS_SPACE_BYTES,
        "scratch_bytes": SCRATCH_BYTES,
    },
    "process": {**_AT_EVERY_LEVEL, "address_space_bytes": ADDRESS_SPACE_BYTES},
}
"""The limits that a bot learns when a game starts, by isolation level."""


def wall_deadline_ms(allowance_ms: float) -> float:
    """Return the wall time after which a bot is late even if it used no CPU at all."""
    return WALL_FACTOR * allowance_ms + WALL_EXTRA_MS
