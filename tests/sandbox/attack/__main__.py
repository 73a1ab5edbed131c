"""`python -m tests.sandbox.attack [BOT…]`: play every hostile bot in Docker, print the table."""

import sys
import tempfile
from pathlib import Path

from sandbox.levels.isolation import choose
from tests.sandbox.attack import cases, match, remains, verdict

HEAD = "| bot | verdict | contained by | time to death ms | as expected |\n|-|-|-|-|-|"


def main(names: list[str]) -> int:
    """Return the status 0 when every bot met its verdict and left nothing."""
    isolation = choose("docker")
    bad = 0
    before = remains.descriptors()
    _say(f"{isolation.reason}\n\n{HEAD}")
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        run_dir = Path(folder)
        run_dir.chmod(0o711)
        for case in cases.cases("docker"):
            if names and case.name not in names:
                continue
            fought = match.fight(case, isolation, run_dir)
            found = verdict.complaints(case, fought)
            bad += bool(found)
            _say(_row(case, fought, found))
        left = remains.of(run_dir)
    left["descriptors"] = sorted(remains.descriptors() - before)
    counts = ", ".join(f"{kind} {len(what)}" for kind, what in left.items())
    _say(f"\n{bad} not as expected. Left after all of them: {counts}.")
    return int(bad > 0 or any(left.values()))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _row(case: cases.Case, fought: match.Fought, found: list[str]) -> str:
    ended = fought.result
    words = ended.detail.removeprefix("red: ") if ended.fault else case.detail or "-"
    death = "-" if fought.death_ms is None else f"{max(0, fought.death_ms):.0f}"
    verdict_cell = f"{ended.termination}: {words}" if ended.fault else f"plays: {words}"
    cells = (case.name, verdict_cell, case.contained_by, death, "; ".join(found) or "yes")
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
