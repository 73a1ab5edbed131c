"""One match: a hostile bot as red, the good one as blue, the real referee between them."""

import os
import select
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from engine.clock import ClockSpec
from engine.outcome import Result
from engine.protocol import Answer, Ask, Failure, Table
from engine.record import PlayerId, Record, verify
from engine.referee import play
from engine.registry import find
from sandbox import limits
from sandbox.launcher.oci_runtime import has_own_kernel
from sandbox.levels.isolation import Isolation
from sandbox.table import Admission, BotTable, open_table
from tests.sandbox.attack import remains
from tests.sandbox.attack.cases import Case, victim
from tests.sandbox.attack.processes import soon

VARIANT = find("classic")
OPTIONS = {"max_plies": 16}
CPU_CLOCK = ClockSpec(startup_ms=2000, bank_ms=200, increment_ms=0, action_ms=200)
# The work of gVisor itself is charged too, and its own clock of CPU time, by which a victim would
# measure what it burns, is coarse: there the victim burns nothing.
GVISOR_CLOCK = replace(CPU_CLOCK, startup_ms=10_000)
WALL_CLOCK = ClockSpec(startup_ms=5000, bank_ms=20_000, increment_ms=0, action_ms=2000)
PATIENT_MS = 20_000  # of wall time, so that only CPU decides, however busy the machine
WALL_VERDICT = "of wall time"
DEATH_WAIT_S = 100  # the match and the death, however busy the machine
DESCRIPTORS_WAIT_S = 2
TRUSTING = Admission(trust_all=True)


@dataclass(frozen=True)
class Fought:
    """What became of a match."""

    record: Record
    log: str  # of the hostile bot
    victim_log: str
    death_ms: float | None  # from the verdict until nothing of the bot's container lived
    left: Mapping[str, list[str]]
    oci_runtime: str

    @property
    def result(self) -> Result:
        return self.record.result


class _Watch(threading.Thread):
    """Notes when the first process of a container is gone, and with it everything in there."""

    def __init__(self, process: int) -> None:
        super().__init__()
        self._handle = os.pidfd_open(process)
        self.died_s: float | None = None

    def run(self) -> None:
        ready = select.poll()
        ready.register(self._handle, select.POLLIN)
        if ready.poll(DEATH_WAIT_S * 1000):
            self.died_s = time.monotonic()
        os.close(self._handle)


class _Watched:
    """A table as it is, and the moment at which red had lost."""

    def __init__(self, table: BotTable) -> None:
        self._table = table
        self.clock_basis = table.clock_basis
        self.verdict_s: float | None = None
        self.close = table.close
        self.tell = table.tell
        self.limits = table.limits
        self.note = table.note

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        answers = self._table.ask(asks)
        if self.verdict_s is None and isinstance(answers.get("red"), Failure):
            self.verdict_s = time.monotonic()
        return answers


def fight(case: Case, isolation: Isolation, run_dir: Path) -> Fought:
    """Play one match, clear the table, and look for what is left."""
    case = case.under(isolation.oci_runtime)
    before = remains.descriptors()
    opposite = victim(thinks_s=0) if has_own_kernel(isolation.oci_runtime) else victim()
    packages = {"red": case.package, "blue": opposite}
    seated = open_table(isolation=isolation, seats=packages, work_dir=run_dir, admission=TRUSTING)
    with ExitStack() as afterwards, seated as table:
        watch = None
        if isolation.kind == "docker":
            watch = _Watch(remains.process_one(run_dir, packages["red"].files["bot.py"]))
            watch.start()
            afterwards.callback(watch.join)
        watched = _Watched(table)
        record = referee(watched, isolation, patient=WALL_VERDICT not in case.detail)
        ended_s = watched.verdict_s or time.monotonic()
    verify(record)
    left = _left(isolation, run_dir)
    # Another thread of ours may hold one for a moment; what has leaked is still there later.
    soon(lambda: remains.descriptors() <= before, DESCRIPTORS_WAIT_S)
    left["descriptors"] = sorted(remains.descriptors() - before)
    return Fought(
        record,
        table.stderr("red").decode(errors="replace").strip(),
        table.stderr("blue").decode().strip(),
        (watch.died_s - ended_s) * 1000 if watch and watch.died_s else None,
        left,
        isolation.oci_runtime,
    )


def _left(isolation: Isolation, run_dir: Path) -> dict[str, list[str]]:
    """Look for what is left: at once, or soon where a launcher of its own clears up."""
    docker = isolation.kind == "docker"
    if isolation.launcher is not None:
        soon(lambda: not any(remains.of(run_dir).values()))
    return remains.of(run_dir, docker=docker)


def referee(
    table: Table,
    isolation: Isolation,
    progress: Callable[[int], None] | None = None,
    *,
    patient: bool = True,
) -> Record:
    """Play a short game of whoever sits there; `patient` where none is to lose by wall time.

    Where wall time itself is charged, patience changes nothing.
    """
    cpu_clock = GVISOR_CLOCK if has_own_kernel(isolation.oci_runtime) else CPU_CLOCK
    with patch.object(limits, "WALL_EXTRA_MS", PATIENT_MS if patient else limits.WALL_EXTRA_MS):
        return play(
            VARIANT,
            options=OPTIONS,
            rng_seed=1,
            game="attack",
            players={seat: PlayerId(seat, "00" * 32) for seat in VARIANT.seats},
            clock=cpu_clock if table.clock_basis == "cpu" else WALL_CLOCK,
            table=table,
            isolation=isolation.name,
            progress=progress,
        )
