"""Experiments that observe bots from outside: several bots side by side, and their ends."""

import fcntl
import json
import os
import secrets
import select
import struct
import termios
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from botkit.manifest import Manifest
from botkit.package import Package, digest_of
from engine.protocol import Answer, Ask, Failure, Fault, PlatformFault
from sandbox import limits
from sandbox.doctor.probes.acts import LITTLE_MS, MUCH_MS
from sandbox.levels.isolation import Isolation
from sandbox.table import BotTable, start
from sandbox.wire.program import Program

SANDBOX = Path(__file__).parents[1]
# Files that the probe needs, packed under the same paths as here.
SHIPPED = (
    "__init__.py",
    "doctor/__init__.py",
    "doctor/probes/*.py",
    "host/__init__.py",
    "host/hidden.py",
    "levels/__init__.py",
    "levels/filter.py",
    "limits.py",
    "refusal.py",
    "arena_init/*.h",
)
ALLOWANCE_MS = 20_000
ATTEMPTS = 3  # at an experiment whose probe ends without an answer
PIPE_BYTES = 64 * limits.KIB
SETTLE_STEP_S = 0.05
SETTLED_LOOKS = 5  # in a row that see the same: on a busy machine, nobody may run between two looks
SETTLE_WAIT_S = 10.0  # generous, because a busy machine is not a broken guarantee
DEATH_WAIT_S = 10.0
CHARGED_BETWEEN = (0.95, 1.25)  # of the time burnt; waking up may add a few ms
WAKING_MS = 10

Seen = tuple[bool | None, str]
"""Whether a guarantee held, None if its experiment ended without an answer; what was observed."""
Sights = Iterator[tuple[str, Seen]]
"""Names of guarantees, each with its observation."""


class Sitting:
    """Running probes. Each does one thing at a time, on request."""

    def __init__(self, programs: Mapping[str, Program]) -> None:
        self.programs = programs
        self.table = BotTable(programs, {}, lambda: None)

    def outcomes(self, names: Mapping[str, str]) -> Mapping[str, Answer | Failure]:
        """Have all seats run their experiments at the same time. Raise `PlatformFault`."""
        return self.table.ask(
            {seat: Ask(_line(what), ALLOWANCE_MS) for seat, what in names.items()}
        )

    def see_with(self, seat: str, name: str, word: str) -> Seen:
        """Have one seat run an experiment that needs a word."""
        try:
            ask = Ask(_line(name, word), ALLOWANCE_MS)
            return judged(seat, self.table.ask({seat: ask})[seat])
        except PlatformFault as fault:
            return None, str(fault)

    def see(self, names: Mapping[str, str]) -> dict[str, Seen]:
        """Have every seat run an experiment."""
        try:
            outcomes = self.outcomes(names)
        except PlatformFault as fault:
            return {name: (None, str(fault)) for name in names.values()}
        return {names[seat]: judged(seat, outcome) for seat, outcome in outcomes.items()}


@contextmanager
def sitting(
    isolation: Isolation, work_dir: Path, seats: Collection[str], token: str = ""
) -> Iterator[Sitting]:
    """Start probes side by side. Raise `PlatformFault` if one cannot start."""
    with ExitStack() as cleanup:
        programs = start(isolation, dict.fromkeys(seats, probe(token)), work_dir, cleanup)
        yield Sitting(programs)


def probe(token: str) -> Package:
    """Return the probe and what it needs as an uploaded package. One file contains `token`."""
    files = {
        f"sandbox/{path.relative_to(SANDBOX)}": path.read_bytes()
        for pattern in SHIPPED
        for path in sorted(SANDBOX.glob(pattern))
    }
    files["probe.py"] = (SANDBOX / "doctor" / "probe.py").read_bytes() + f"# {token}\n".encode()
    return Package(Manifest("probe", entry="probe.py"), files, digest_of(files))


def alone(seated: Sitting, seat: str, names: Collection[str]) -> Sights:
    """Have a probe run, one after another, the experiments that a bot can do by itself.

    Stop at the first that has no answer: its probe is dead or hangs.
    """
    for name in names:
        seen = seated.see({seat: name})[name]
        yield name, seen
        if seen[0] is None:
            return


def users(seated: Sitting) -> Seen:
    """Compare "user group groups…" of two neighbours with each other and with this process."""
    first, second = (seated.see({seat: "identity"})["identity"] for seat in ("one", "two"))
    if not (first[0] and second[0]):
        return None if None in (first[0], second[0]) else False, f"{first[1]}; {second[1]}"
    ours = {"0", str(os.getuid())}
    words = [first[1].split(), second[1].split()]
    held = not set(words[0]) & set(words[1]) and not ours & set(words[0] + words[1])
    return held, f"user and groups {' '.join(words[0])} beside {' '.join(words[1])}"


def side_by_side(seated: Sitting) -> Sights:
    """Compare two neighbours: their charged CPU time, and what they share."""
    yield from _judged_clocks(seated)
    hog = seated.see({"one": "hog"})["hog"]
    yield "own_counters", seated.see({"two": "beside_hog"})["beside_hog"] if hog[0] else hog


def image_files(seated: Sitting) -> Sights:
    """Try to send something from one bot to its neighbour through the files of their image."""
    word = secrets.token_hex(4)
    asleep = seated.see({"one": "sleep_on_image"})["sleep_on_image"]
    woken = seated.see({"two": "wake_through_image"})["wake_through_image"]
    left = seated.see_with("one", "leave_names", word)
    found = seated.see_with("two", "find_names", word)
    tried = (asleep, woken, left, found)
    outcomes = {seen[0] for seen in tried}
    held = None if None in outcomes else False not in outcomes
    words = [seen[1] for seen in tried if not seen[0] or seen in (woken, found)]
    yield "own_image_files", (held, "; ".join(words))


def flooded(seated: Sitting, act: str = "flood_with_orphans") -> Sights:
    """Let a bot write without a reader or end, and cut its life line. It needs its own probe."""
    program = seated.programs["three"]
    seated.table.tell("three", _line(act))
    flood = _settled(program)
    yield "flood", flood
    if flood[0] is None:
        return
    began_s = time.monotonic()
    program.kill()
    dead = _hung_up({program.stdout, program.stderr})
    took_ms = (time.monotonic() - began_s) * 1000
    yield "life_line", (dead, f"{'dead' if dead else 'something lived'} after {took_ms:.0f} ms")


def ended(seated: Sitting) -> Sights:
    """End two bots, only one of them out of memory, and compare the reported ends."""
    try:
        outcomes = seated.outcomes({"one": "use_all_memory", "two": "crash"})
    except PlatformFault as fault:
        yield "out_of_memory", (None, str(fault))
        return
    faults = [
        outcome.fault if isinstance(outcome, Failure) else "none" for outcome in outcomes.values()
    ]
    held = faults == [Fault.MEMORY_LIMIT, Fault.CRASH]
    yield "out_of_memory", (held, f"{faults[0]} and {faults[1]}")


def judged(seat: str, outcome: Answer | Failure) -> Seen:
    """Parse the answer of the probe in a seat. A malformed one means that a guarantee is broken."""
    if isinstance(outcome, Failure):
        return None, f"probe {seat} gave no answer: {outcome.detail}"
    try:
        held, seen = json.loads(outcome.line)
    except (ValueError, TypeError):
        held = seen = None
    if not isinstance(held, bool) or not isinstance(seen, str):
        return False, f"an odd answer: {outcome.line[:60]!r}"
    return held, seen


def _judged_clocks(seated: Sitting) -> Sights:
    """Have both bots work at the same time, each for a known time."""
    work = {
        "cpu_clock": ("one", "burn_much", MUCH_MS),
        "own_clock": ("two", "burn_little", LITTLE_MS),
    }
    try:
        outcomes = seated.outcomes({seat: act for seat, act, _ in work.values()})
    except PlatformFault as fault:
        yield from ((name, (None, str(fault))) for name in work)
        return
    for name, (seat, _, burnt_ms) in work.items():
        outcome = outcomes[seat]
        if isinstance(outcome, Failure) and outcome.fault != Fault.TIMEOUT:
            yield name, judged(seat, outcome)
        else:  # a wrong charge can be so high that the answer counts as late
            charged_ms, basis = outcome.charged_ms, seated.table.clock_basis
            low_ms, high_ms = (burnt_ms * share for share in CHARGED_BETWEEN)
            right = low_ms <= charged_ms <= high_ms + WAKING_MS
            seen = f"{charged_ms:.0f} ms of {basis} time for {burnt_ms} ms of work"
            yield name, (basis == "cpu" and right, seen)


def _settled(program: Program) -> Seen:
    """Wait until a pipe without a reader is full and its writer is idle."""
    until_s = time.monotonic() + SETTLE_WAIT_S
    before = now = (0, 0.0)
    same = 0
    while same < SETTLED_LOOKS and time.monotonic() < until_s:
        time.sleep(SETTLE_STEP_S)
        count = fcntl.ioctl(program.stdout, termios.FIONREAD, struct.pack("i", 0))
        before, now = now, (int(struct.unpack("i", count)[0]), program.cpu_ms() or 0.0)
        same = same + 1 if now == before and now[0] else 0
    if not now[0] and now == before:
        return None, "probe three wrote nothing"
    held = same == SETTLED_LOOKS and now[0] <= PIPE_BYTES
    return held, f"{now[0] // limits.KIB} KiB in the pipe, then {'rest' if held else 'work'}"


def _hung_up(pipes: set[int]) -> bool:
    """Wait until all other ends of these pipes are closed, because all processes are dead."""
    until_s = time.monotonic() + DEATH_WAIT_S
    for pipe in pipes:
        ended = select.poll()
        ended.register(pipe, 0)
        if not ended.poll(max(0.0, until_s - time.monotonic()) * 1000):
            return False
    return True


def _line(name: str, *words: str) -> bytes:
    return json.dumps({"try": name, "with": words}).encode() + b"\n"
