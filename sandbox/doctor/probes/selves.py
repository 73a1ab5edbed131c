"""Experiments about the bot itself: its identity, its inheritance, and what it can reach."""

import contextlib
import os
import signal
import time
from functools import partial
from pathlib import Path

from sandbox.doctor.probes.caps import LIBC

PR_GET_NO_NEW_PRIVS = 39
FEW_PROCESSES = 8
STREAMS = ("0", "1", "2")
PIPES = ("pipe:", "host:")  # the names that the kernel uses, and those of gVisor
# Variables that a bot is given, and those that its interpreter or container runtime adds.
KNOWN_VARIABLES = {
    *("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH", "PYTHONUNBUFFERED"),
    *("PYTHONDONTWRITEBYTECODE", "HOSTNAME", "LC_CTYPE", "PWD"),
}
INIT = "/proc/1"
OF_INIT = ("mem", "environ", "maps", "fd", "root", "cwd")
ENGINE_ENDS = ("/dev/console", "/dev/tty", *(f"{INIT}/fd/{stream}" for stream in STREAMS))
DYING_S = 0.1


def capabilities() -> tuple[bool, str]:
    sets = {name: int(_status(name), 16) for name in ("CapEff", "CapPrm", "CapInh", "CapBnd")}
    return not any(sets.values()), ", ".join(f"{name} {held:x}" for name, held in sets.items())


def no_new_privileges() -> tuple[bool, str]:
    flag = LIBC.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
    return flag == 1, f"the flag is {flag}"


def seccomp() -> tuple[bool, str]:
    return _status("Seccomp") == "2", f"Seccomp {_status('Seccomp')}"


def processes_seen() -> tuple[bool, str]:
    seen = sum(path.name.isdigit() for path in Path("/proc").iterdir())
    return seen <= FEW_PROCESSES, f"sees {seen} processes"


def environment() -> tuple[bool, str]:
    others = sorted(set(os.environ) - KNOWN_VARIABLES)
    return not others, f"also {', '.join(others)}" if others else "only its own variables"


def descriptors() -> tuple[bool, str]:
    """Look for open descriptors other than the bot's three pipes."""
    extra = []
    for link in list(Path("/proc/self/fd").iterdir()):
        with contextlib.suppress(OSError):  # the listing's own descriptor is already closed
            target = str(link.readlink())
            if link.name not in STREAMS or not target.startswith(PIPES):
                extra.append(f"{link.name} is {target}")
    return not extra, "; ".join(extra) if extra else "three pipes"


def init_hidden() -> tuple[bool, str]:
    """Try to look into process 1. gVisor shows more of it than Linux does."""
    seen = [name for name in OF_INIT if _opens(Path(INIT, name))]
    return not seen, f"could open {INIT}/{seen[0]}" if seen else "nothing of it opens"


def init_out_of_reach() -> tuple[bool, str]:
    """Try to harm process 1, or to use what it has. If it ends, the bot ends without an answer."""
    if Path(INIT, "comm").read_text() != "arena-init\n":  # a process that the bot could really end
        return False, "the first process is not ours"
    reached, modes = [], (os.O_RDONLY, os.O_WRONLY)
    if any(_opens_to(f"{INIT}/mem", mode) for mode in modes):
        reached.append("its memory")
    with contextlib.suppress(OSError):
        reached.extend(
            f"its descriptor {end.name}"
            for end in Path(INIT, "fd").iterdir()
            if any(_opens_to(str(end), mode) for mode in modes)
        )
    with contextlib.suppress(OSError):
        its, own = (Path(folder, "environ").read_bytes() for folder in (INIT, "/proc/self"))
        reached.extend(
            f"its variable {variable.partition(b'=')[0].decode()}"
            for variable in sorted(set(its.split(b"\0")) - set(own.split(b"\0")))
        )
    shots = (
        partial(os.kill, 1),
        partial(os.kill, -1),
        lambda number: LIBC.tgkill(1, 1, number),
        lambda number: LIBC.sigqueue(1, number, None),
        _shoot_by_handle,
    )
    for number in map(int, signal.valid_signals()):
        for shoot in shots:
            with contextlib.suppress(OSError):
                shoot(number)
    time.sleep(DYING_S)
    return not reached, f"could reach {', '.join(reached)}" if reached else "out of reach"


def engine_log() -> tuple[bool, str]:
    """Try everything that might lead to the streams that the engine keeps of a container."""
    opened = [place for place in ENGINE_ENDS if _opens_to(place, os.O_WRONLY)]
    return not opened, f"could write to {', '.join(opened)}" if opened else "no way to it"


def first_to_go() -> tuple[bool, str]:
    """Try to be safer than the host's own programs when the whole machine is out of memory."""
    score = Path("/proc/self/oom_score_adj")
    before = score.read_text().strip()
    with contextlib.suppress(OSError):
        score.write_text("-1")
        return False, "could make itself safer than others"
    return int(before) > 0, f"oom_score_adj {before}"


def _status(field: str) -> str:
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return value.strip()
    return ""


def _opens(path: Path) -> bool:
    with contextlib.suppress(OSError):
        if path.is_dir():
            return next(path.iterdir(), None) is not None
        path.open("rb").close()
        return True
    return False


def _shoot_by_handle(number: int) -> None:
    handle = os.pidfd_open(1)  # gVisor has none
    try:
        signal.pidfd_send_signal(handle, number)
    finally:
        os.close(handle)


def _opens_to(place: str, mode: int) -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open(place, mode | os.O_NONBLOCK | os.O_NOCTTY))
        return True
    return False
