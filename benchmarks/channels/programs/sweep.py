"""The sweep: everything that can be read, to find what changes with what another bot does.

The receiver reads every number of every file. At first it is told what the sender did. It then
trusts the numbers that went along with it, and has them vote.
"""

import os
import re
from collections import Counter

import acts
import counters

ROOTS = ("/proc", "/sys", "/dev")
OWN = ("schedstat", "stat", "status", "io", "mountinfo")
NOT_READ = re.compile(
    r"^/proc/(\d+|self|thread-self|net)(/|$)"
    r"|/(kmsg|kcore|kpage\w+|kallsyms|kmem|mem|trace_pipe|urandom|random|zero|full|tty\w*|console)$"
    r"|/(debug|tracing|security|firmware)/"
    r"|^/proc/uptime$"  # a clock: it tells how long the sender took, and the meter waited for it
)
NUMBER = re.compile(rb"\d+")
MOST_BYTES = 1 << 14
LOOKS_BEFORE_CHOICE = 6
VOTES = 9
LEAST_SHARE = 0.7  # of what was taught, for a number to vote

files: list[str] = []
looks: list[dict[str, bytes]] = []
changed: set[str] = set()
scores: Counter[tuple[str, int, str]] = Counter()
taught: list[int] = []


def prepare():
    """Begin anew: find the files that can be read, and return their number."""
    for each in (looks, changed, scores, taught):
        each.clear()
    files[:] = [path for path in (*own(), *readable()) if content(path) is not None]
    look()
    return len(files)


def own():
    return [f"/proc/self/{name}" for name in OWN]


def readable():
    for root in ROOTS:
        for folder, inside, names in os.walk(root):
            inside[:] = [each for each in inside if not NOT_READ.search(f"{folder}/{each}/")]
            paths = (f"{folder}/{name}" for name in names)
            yield from (
                path for path in paths if not NOT_READ.search(path) and os.path.isfile(path)
            )


def content(path):
    """Return the beginning of a file; None if it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        return os.read(descriptor, MOST_BYTES)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def turn(on, act):
    acts.turn(on, act)


def rest():
    acts.rest()


def look():
    """Read everything. After a few times, leave out what has never changed."""
    seen = {path: content(path) or b"" for path in files}
    seen.update(asked())
    if looks:
        changed.update(path for path, was in looks[-1].items() if seen.get(path) != was)
    looks.append(seen)
    if len(looks) == LOOKS_BEFORE_CHOICE:
        files[:] = [path for path in files if path in changed]
    del looks[:-3]


def asked():
    """Return the numbers that system calls give, each as the content of a file."""
    gives = {}
    for name in ("eventfd", "last pipe", "pidfd", "sysinfo memory", "sysinfo tasks"):
        try:
            gives[name] = b"%d" % abs(counters.look(name))
        except OSError:
            continue
    with open("/proc/self/mounts") as mounts:
        places = {line.split()[1] for line in mounts}
    for place in places:
        try:
            about = os.statvfs(place)
        except OSError:
            continue
        gives[f"statfs {place}"] = b"%d %d" % (about.f_bfree, about.f_ffree)
    return gives


def signs():
    """Return what grew in the first half against the second: as a level, and as a flow."""
    before, first, second = looks[-3:]
    for path in changed & second.keys():
        contents = [NUMBER.findall(each.get(path, b"")) for each in (before, first, second)]
        if len({*map(len, contents)}) != 1:  # then their number tells more than each of them
            contents = [[b"%d" % len(each)] for each in contents]
        for place, trio in enumerate(zip(*contents, strict=True)):
            zero, one, two = map(int, trio)
            yield (path, place, "level"), (one > two) - (one < two)
            yield (path, place, "flow"), (one - zero > two - one) - (one - zero < two - one)


def learn(bit):
    """Hear what the sender did in the last slot."""
    taught.append(1 if bit == "1" else -1)
    for feature, sign in signs():
        scores[feature] += sign * taught[-1]


def trusted():
    """Return the numbers that went along best, one for each file."""
    found: dict[str, tuple[tuple[str, int, str], int]] = {}
    for feature, score in sorted(scores.items(), key=lambda each: -abs(each[1])):
        if abs(score) >= LEAST_SHARE * len(taught):
            found.setdefault(feature[0], (feature, score))
    return dict([*found.values()][:VOTES])


def guess():
    """Return the bit of the last slot."""
    voters = trusted()
    votes = sum(sign * voters[feature] for feature, sign in signs() if feature in voters)
    return "1" if votes > 0 else "0"


def best():
    """Return the numbers that vote, and how often they were right of all that was taught."""
    return [
        f"{path}[{place}] {kind} {score:+d}/{len(taught)}"
        for (path, place, kind), score in trusted().items()
    ]
