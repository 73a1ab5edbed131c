"""What this machine really contains: every promise of a level is tried, none is believed."""

import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.protocol import Answer, Ask, Failure, Fault
from sandbox import limits
from sandbox.isolation import Isolation, Kind
from sandbox.package import unpack
from sandbox.table import Admission, BotTable, open_table

ALLOWANCE_MS = 20_000
CONTAINED: tuple[Kind, ...] = ("docker", "bubblewrap")
EVERYWHERE: tuple[Kind, ...] = ("docker", "bubblewrap", "process")
ONE_PROCESS = b"""
input()
kept = [bytearray(1 << 30)]
while True:
    kept.append(bytearray(b"x") * (1 << 26))
"""
MANY_PROCESSES = b"""
import os, select, time
input()
ready, say = os.pipe()
for _ in range(8):
    if os.fork() == 0:
        kept = bytearray(b"x") * (100 << 20)
        os.write(say, b".")
        time.sleep(60)
living = 0
while living < 8 and not os.waitpid(-1, os.WNOHANG)[0]:
    if select.select([ready], [], [], 0.05)[0]:
        living += len(os.read(ready, 8))
print("all live" if living == 8 else "one died")
"""


@dataclass(frozen=True, slots=True)
class Check:
    """One promise: what it is called, and the levels that make it."""

    name: str
    text: str
    promised_by: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of trying one promise."""

    check: Check
    promised: bool
    held: bool
    seen: str


CHECKS = (
    Check("network", "network closed", CONTAINED),
    Check("read_only", "read-only system", CONTAINED),
    Check("host_files", "files of the host hidden", CONTAINED),
    Check("processes_seen", "other processes hidden", CONTAINED),
    Check("tasks", "number of processes capped", CONTAINED),
    Check("memory", "memory of one process capped", EVERYWHERE),
    Check("all_memory", "memory of all its processes capped", ("docker",)),
    Check("file_size", "size of a file capped", EVERYWHERE),
    Check("own_user", "own user id", ("docker",)),
    Check("capabilities", "no capabilities", CONTAINED),
    Check("no_new_privileges", "no new privileges", EVERYWHERE),
    Check("seccomp", "system calls filtered", ("docker",)),
    Check("odd_sockets", "unusual socket families closed", ()),
    Check("cpu_clock", "CPU clock readable", ("docker",)),
    Check("nothing_left", "nothing left afterwards", EVERYWHERE),
)


def examine(isolation: Isolation, run_dir: Path | None = None) -> list[Finding]:
    """Try every promise at one level. `run_dir` must mean the same to us and the Docker engine."""
    with tempfile.TemporaryDirectory(dir=run_dir, prefix="doctor-") as folder:
        work_dir = Path(folder)
        work_dir.chmod(0o711)
        seen = dict(_try_doors(isolation, work_dir))
        seen["memory"] = _try_memory(isolation, work_dir)
        seen["all_memory"] = _try_all_memory(isolation, work_dir)
        left = list(work_dir.glob("bot-*"))
        seen["nothing_left"] = (not left, f"{len(left)} folders")
    missing = (False, "the probe gave no answer")
    return [
        Finding(check, isolation.kind in check.promised_by, *seen.get(check.name, missing))
        for check in CHECKS
    ]


def as_table(isolation: Isolation, findings: list[Finding]) -> str:
    """Draw the table that people read."""
    words = {True: "yes", False: "no"}
    width = max(len(finding.check.text) for finding in findings)
    lines = [isolation.reason, "", f"{'':{width}}  promised  holds  seen"]
    lines += [
        f"{each.check.text:{width}}  {words[each.promised]:8}  {words[each.held]:5}  {each.seen}"
        for each in findings
    ]
    broken = [each.check.text for each in findings if each.promised and not each.held]
    lines += [
        "",
        f"BROKEN: {', '.join(broken)}" if broken else "Every promise of this level holds.",
    ]
    if not isolation.safe:
        lines.append("This level is not for strangers' bots: uploads are refused unless trusted.")
    return "\n".join(lines)


def _try_doors(isolation: Isolation, work_dir: Path) -> Iterator[tuple[str, tuple[bool, str]]]:
    code = Path(__file__).with_name("probe.py").read_bytes()
    order = {"uid": os.getuid(), "tasks": limits.TASKS}
    outcome, table = _ask(isolation, work_dir, code, json.dumps(order).encode() + b"\n")
    yield "cpu_clock", (table.clock_basis == "cpu", f"{table.clock_basis} time is charged")
    if isinstance(outcome, Answer):
        yield from ((name, (held, seen)) for name, (held, seen) in json.loads(outcome.line).items())
    else:
        yield "network", (False, f"the probe failed: {outcome.detail}")


def _try_memory(isolation: Isolation, work_dir: Path) -> tuple[bool, str]:
    outcome, _ = _ask(isolation, work_dir, ONE_PROCESS, b"\n")
    if isinstance(outcome, Failure):
        return outcome.fault is Fault.MEMORY_LIMIT, outcome.detail
    return False, "took all it wanted"


def _try_all_memory(isolation: Isolation, work_dir: Path) -> tuple[bool, str]:
    outcome, _ = _ask(isolation, work_dir, MANY_PROCESSES, b"\n")
    if isinstance(outcome, Answer) and outcome.line == b"all live":
        return False, "8 processes of 100 MiB lived"
    return True, "8 processes of 100 MiB did not live"


def _ask(
    isolation: Isolation, work_dir: Path, code: bytes, line: bytes
) -> tuple[Answer | Failure, BotTable]:
    with open_table(
        isolation=isolation,
        seats={"probe": unpack(code, "probe.py")},
        work_dir=work_dir,
        admission=Admission(trust_all=True),
    ) as table:
        return table.ask({"probe": Ask(line, ALLOWANCE_MS)})["probe"], table
