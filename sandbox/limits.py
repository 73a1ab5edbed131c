"""Every number of the sandbox. Nothing else in this package states a limit of its own."""

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB

# Uploads. A refusal names the limit, so these appear in front of bot authors.
UPLOAD_MAX_BYTES = 5 * MIB
UNPACKED_MAX_BYTES = 20 * MIB
ENTRIES_MAX = 200
PATH_MAX_BYTES = 200
UNPACKED_HEADER_MAX_BYTES = 512 * KIB  # the names of every entry, as JSON, with room
MANIFEST_MAX_BYTES = 4 * KIB  # read in 0.1 s at worst: dotted keys cost more than their square
BOT_NAME_MAX_CHARS = 60
QUOTED_MAX_CHARS = 40  # of a strange text that a refusal repeats
REFUSAL_MAX_CHARS = 400
CLASS_NAME_MAX_BYTES = 100  # with a suffix, a file's name stays one in any folder of a host

# The throw-away process that looks into an uploaded zip.
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
CORE_BYTES = 1  # none at all: with 0, a host that pipes core dumps to a program would get them
CPU_SECONDS = 600
CORES = 1
CPU_SHARES = 1024  # as any other group: a starved bot would lose by the wall deadline
LIFETIME_S = 3600
"""How long a bot may exist, whatever its clock says: more than every seat's `SEAT_WALL_MS`."""

# A plain process has no cap on memory, only on addresses; an interpreter maps more than it uses.
ADDRESS_SPACE_BYTES = 512 * MIB
BUBBLEWRAP_WAIT_S = 10  # for it to start, or to say that it cannot

# One build of a compiled language; whatever is not named here is as for a running bot.
BUILD_MEMORY_BYTES = 768 * MIB
BUILD_SCRATCH_BYTES = 128 * MIB  # counts as memory too
BUILD_SCRATCH_INODES = 8192
BUILD_FILE_BYTES = 64 * MIB  # the largest file that a compiler may write
BUILD_CPU_SECONDS = 60  # of each process: on a busy host the clock on the wall tells little
BUILD_WALL_S = 120
BUILD_LIFETIME_S = 180  # its container ends by itself, whatever becomes of us
ARTEFACT_MAX_BYTES = 8 * MIB

# What a bot may say (the cap of one line is the wire's: `engine.protocol.LINE_CAP_BYTES`).
READ_BYTES = 64 * KIB
STDERR_KEEP_BYTES = 16 * KIB  # of its beginning, and as much of its end
STDERR_MAX_BYTES = 800 * KIB
EVIDENCE_REQUEST_BYTES = 64 * KIB  # kept of the last line that a bot was sent

# Time. Where CPU is charged, a wall deadline stands behind it.
WALL_FACTOR = 3
WALL_EXTRA_MS = 2_000
SEAT_WALL_MS = 900_000
"""All the wall time one seat may keep a game waiting: a bot that sleeps pays no CPU."""
WAIT_STEP_S = 1.0  # how often the owner of a table hears that it still waits for a bot
CLOCK_LOOK_MS = 2.0  # never look at a CPU clock more often while waiting
EXIT_WAIT_MS = 1_000  # for the exit status of a bot whose output has ended
EXIT_LOOK_MS = 2.0  # how often it is looked for meanwhile
LAUNCH_WAIT_S = 20.0  # from asking the engine for a container until its init calls back
ORDER_WAIT_S = 3600  # how long a container waits, started, for the bot that it will run
REMOVE_WAIT_S = 10
REMOVE_LOOK_S = 1  # then it is asked again

# The engine.
ENGINE_WAIT_S = 30  # for its answer
IMAGE_BUILD_WAIT_S = 1200  # for the next line of a build
END_TOLD_S = 2  # for the news how a container ended
END_ASK_S = 5  # for the engine's answer, where a game waits for it

# The launcher, in a process of its own or not.
WARM_CONTAINERS = 3  # of a runtime, started and waiting: a seat each of the fullest table
WARM_S = 600  # how long a runtime is kept warm after its last bot
KEEPER_PAUSE_S = 2.0  # before it tries again what the engine did not do
REAP_EVERY_S = 60
STALE_FOLDER_S = 60  # then a folder in the run directory that no slot knows is rubbish
ORDER_MAX_BYTES = UNPACKED_MAX_BYTES + ARTEFACT_MAX_BYTES
LAUNCHER_REQUEST_BYTES = 128 * KIB  # beside the files, which come in a descriptor
LAUNCHER_REPLY_BYTES = 8 * KIB
LAUNCHER_REASON_CHARS = 1000  # of the sentence in it
LAUNCHER_CONNECTIONS = 256  # one for every container, and those who ask for one
LAUNCHER_STARTS = 8  # at once
LAUNCHER_WAIT_S = 60  # for its answer
LAUNCHER_AWAY_S = 30  # until another one listens: it has to try its promises first
LAUNCHER_LOOK_S = 0.2
LAUNCHER_PAUSE_S = 0.1  # before it answers another caller, where it can open no more files

# Two running bots never share a user id: pipes, signals and processes are counted per user.
FIRST_UID = 20_000
FIRST_UID_MAX = 60_000  # DRAPEAU_FIRST_UID: with all its slots below `nobody`
SLOTS = 1_000
NOTE_MAX_BYTES = 4 * KIB  # a path


@dataclass(frozen=True, slots=True)
class Rlimit:
    """One resource limit, under the name that prlimit(1) and Docker's ulimits share."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Room:
    """What everything in one container may use together, and how long it may live."""

    memory_bytes: int
    scratch_bytes: int
    scratch_inodes: int
    file_bytes: int
    cpu_seconds: int
    lifetime_s: int

    def ulimits(self) -> tuple[Rlimit, ...]:
        """Return the limits of each of its processes."""
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


# Another OCI runtime (gVisor) has a kernel of its own, which counts a bot's tasks, by user, but is
# no other bot's; the host's kernel counts that kernel's own tasks and must not let it starve.
RUNTIME_TASKS = 1024
RUNTIME_ULIMITS = (Rlimit("nproc", TASKS),)

ROOMS = {
    "bot": Room(MEMORY_BYTES, SCRATCH_BYTES, SCRATCH_INODES, FILE_BYTES, CPU_SECONDS, LIFETIME_S),
    "build": Room(
        BUILD_MEMORY_BYTES,
        BUILD_SCRATCH_BYTES,
        BUILD_SCRATCH_INODES,
        BUILD_FILE_BYTES,
        BUILD_CPU_SECONDS,
        BUILD_LIFETIME_S,
    ),
}
"""By the purpose of a container."""

# Without a container the address space stands in for memory. `nproc` is counted per user, not per
# bot: the launcher adds what the user already runs.
PROCESS_RLIMITS = (
    Rlimit("as", ADDRESS_SPACE_BYTES),
    Rlimit("nofile", OPEN_FILES),
    Rlimit("core", CORE_BYTES),
    Rlimit("fsize", FILE_BYTES),
    Rlimit("memlock", 0),
    Rlimit("cpu", CPU_SECONDS),
)


def wall_deadline_ms(allowance_ms: float) -> float:
    """Return the wall time after which a bot is late even if it used no CPU at all."""
    return WALL_FACTOR * allowance_ms + WALL_EXTRA_MS
