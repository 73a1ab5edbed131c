"""A bot that moves at random and writes everything that it can see to its standard error."""

import json
import os
import random
import resource
import socket
import stat
import sys
from pathlib import Path

STATUS = (
    "Umask",
    "Groups",
    "Uid",
    "Gid",
    "Threads",
    "FDSize",
    "Sig",
    "Shd",
    "Cap",
    "NoNew",
    "Secc",
)
TEXTS = (
    *("/etc/hosts", "/etc/resolv.conf", "/etc/hostname", "/proc/1/cmdline", "/proc/loginuid"),
    *("/proc/self/cgroup", "/proc/self/mounts", "/proc/self/cmdline", "/proc/self/limits"),
    *("/proc/self/oom_score_adj", "/proc/self/cpuset", "/proc/self/timerslack_ns", "/proc/net/dev"),
)


def text(path):
    """Return what a file says, or why it cannot be read."""
    try:
        return Path(path).read_bytes().decode(errors="replace")
    except OSError as error:
        return type(error).__name__


def listed(folder):
    """Return the files below a folder with their mode, owner, group and size."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if "__pycache__" not in path.parts:
            about = path.lstat()
            mode = stat.filemode(about.st_mode)
            found[str(path)] = [mode, about.st_uid, about.st_gid, about.st_size]
    return found


def descriptors():
    """Return the kind of every open file."""
    found = {}
    for number in range(64):
        try:
            found[number] = stat.filemode(os.fstat(number).st_mode)
        except OSError:
            continue
    return found


def limits():
    """Return the resource limits, soft and hard."""
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    return {name: resource.getrlimit(getattr(resource, name)) for name in names}


def seen():
    """Return everything that this program can see without being told."""
    pid, here = os.getpid(), str(Path.cwd())
    status = [line for line in text("/proc/self/status").splitlines() if line.startswith(STATUS)]
    return {
        "argv": sys.argv,
        "interpreter": [sys.executable, sys.version, str(sys.flags), sys.path],
        "environment": dict(os.environ),
        "files": [here, listed(here), listed("/tmp"), sorted(map(str, Path("/").iterdir()))],
        "host": [socket.gethostname(), *os.uname(), sorted(os.sched_getaffinity(0))],
        "ids": [os.getresuid(), os.getresgid(), os.getgroups(), os.umask(0o77)],
        "processes": [os.getppid(), os.getsid(0) == pid, os.getpgid(0) == pid],
        "others": len([path for path in Path("/proc").iterdir() if path.name.isdigit()]),
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "limits": limits(),
        "descriptors": descriptors(),
        "status": status,
        # Sorted: an engine hides parts of /proc in any order.
        "texts": {path: sorted(text(path).splitlines()) for path in TEXTS},
    }


def shape(message):
    """Return what a message is made of, without what the game decides."""
    view = message.get("view", {})
    clock = sorted(message.get("clock", {}))
    return [list(message), message.get("phase"), message.get("ply"), list(view), clock]


def action(message):
    """Return a legal action, chosen at random."""
    if "legal" in message:
        return random.choice(message["legal"])
    army = [rank for rank, count in message["view"]["army"].items() for _ in range(count)]
    return "".join(sorted(army, key=lambda rank: (rank != "F", random.random())))


def answer(**words):
    """Write a line for the referee."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def tell(**words):
    """Write a line for the one who reads the log."""
    sys.stderr.write(json.dumps(words) + "\n")
    sys.stderr.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        random.seed(f"{message['rng_seed']}/{message['seat']}")
        tell(start=line, seen=seen())
        answer(type="ready")
    else:
        tell(type=message["type"], shape=shape(message))
        if message["type"] == "act":
            answer(action=action(message))
