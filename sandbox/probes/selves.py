"""The bot itself: who it is, what it was given, and whom it can reach."""

import contextlib
import os
import signal
from pathlib import Path

from sandbox.probes.caps import LIBC

PR_GET_NO_NEW_PRIVS = 39
FEW_PROCESSES = 8
STREAMS = ("0", "1", "2")
PIPES = ("pipe:", "host:")  # as the kernel names them, and as gVisor does
# What a bot is given, and what its interpreter or its container runtime adds by itself.
KNOWN_VARIABLES = {
    *("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH", "PYTHONUNBUFFERED"),
    *("PYTHONDONTWRITEBYTECODE", "HOSTNAME", "LC_CTYPE", "PWD"),
}
OF_INIT = ("mem", "environ", "maps", "fd", "root", "cwd")
ENGINE_ENDS = ("/dev/console", "/dev/tty", "/proc/1/fd/0", "/proc/1/fd/1", "/proc/1/fd/2")


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
    """Look for what was left open to the bot beside its three pipes."""
    extra = []
    for link in list(Path("/proc/self/fd").iterdir()):
        with contextlib.suppress(OSError):  # the listing's own is closed by now
            target = str(link.readlink())
            if link.name not in STREAMS or not target.startswith(PIPES):
                extra.append(f"{link.name} is {target}")
    return not extra, "; ".join(extra) if extra else "three pipes"


def init_out_of_reach() -> tuple[bool, str]:
    """Try to look into process 1, and to end it. If it ends, nobody is left to answer."""
    reached = [name for name in OF_INIT if _opens(Path("/proc/1", name))]
    for number in signal.valid_signals():
        with contextlib.suppress(OSError):
            os.kill(1, number)
    return not reached, f"could open /proc/1/{reached[0]}" if reached else "nothing of it opens"


def engine_log() -> tuple[bool, str]:
    """Try whatever might lead to the streams that the engine keeps of a container."""
    opened = [place for place in ENGINE_ENDS if _writes(place)]
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


def _writes(place: str) -> bool:
    with contextlib.suppress(OSError):
        end = os.open(place, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        os.write(end, b"left behind by probe\n")
        os.close(end)
        return True
    return False
