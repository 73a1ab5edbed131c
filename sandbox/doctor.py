"""What this machine really contains: every promise of a level is tried, none is believed."""

import json
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sandbox import doctor_onlooker as onlooker
from sandbox import doctor_owner as owner
from sandbox.doctor_checks import CHECKS, Check
from sandbox.doctor_onlooker import Seen
from sandbox.isolation import Isolation, launcher_of

SEATS = ("one", "two", "three")
NOTHING_SEEN: Seen = (False, "it was not seen to hold")
NOT_TRIED: Seen = (False, "not tried, since not promised")
WORDS = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of trying one promise."""

    check: Check
    promised: bool
    held: bool
    seen: str

    @property
    def broken(self) -> bool:
        """Tell whether bots may not be run because of it."""
        return self.promised and not self.held


def examine(isolation: Isolation, run_dir: Path | None = None) -> list[Finding]:
    """Try every promise of one level; what a level does not promise is not tried.

    `run_dir` must be the same path for us and for the Docker engine, unless a launcher service is
    in use: what only the engine's owner can see is left to the examination that it makes itself.
    Raises `PlatformFault` or `IsolationUnavailable` where no bot can be started at all, or where
    the engine is gone at the end: that says nothing about promises.
    """
    checks = [each for each in CHECKS if each.sight != "owner" or isolation.launcher is None]
    promised = {each.name for each in checks if _promises(isolation, each)}
    with tempfile.TemporaryDirectory(dir=run_dir, prefix="doctor-") as folder:
        work_dir = Path(folder).absolute()
        work_dir.chmod(0o711)
        seen = _looked(isolation, work_dir, promised)
    findings = judged(checks, promised, seen)
    if broken(findings) and isolation.kind == "docker":
        with launcher_of(isolation, work_dir) as launcher:
            launcher.images()
    return findings


def judged(
    checks: Iterable[Check], promised: Iterable[str], seen: Mapping[str, Seen]
) -> list[Finding]:
    """Hold what was seen against what is promised. What nobody has seen does not hold."""
    made = set(promised)
    return [
        Finding(each, each.name in made, *seen.get(each.name, _unseen(each.name in made)))
        for each in checks
    ]


def broken(findings: Iterable[Finding]) -> list[Finding]:
    """Give the promises that do not hold. A runner starts only where there are none."""
    return [each for each in findings if each.broken]


def as_table(isolation: Isolation, findings: list[Finding]) -> str:
    """Draw the table that people read. What to do about broken promises comes last."""
    width = max(len(each.check.text) for each in findings)
    lines = [isolation.reason, "", f"{'':{width}}  promised  holds  seen"]
    lines += [
        f"{each.check.text:{width}}  {WORDS[each.promised]:8}  {WORDS[each.held]:5}  {each.seen}"
        for each in findings
    ]
    if isolation.launcher is not None:
        lines += ["", "The launcher has examined by itself what only the engine's owner sees."]
    bad = broken(findings)
    lines += ["", f"BROKEN: {len(bad)}" if bad else "Every promise of this level holds."]
    lines += [f"  {each.check.text}: {each.seen}\n    {each.check.remedy}" for each in bad]
    if not isolation.safe:
        lines.append("This level is not for strangers' bots: uploads are refused unless trusted.")
    return "\n".join(lines)


def as_json(isolation: Isolation, findings: list[Finding]) -> str:
    """Give the same to programs: the level, whether all holds, and every promise."""
    promises = [asdict(each) | {"broken": each.broken} for each in findings]
    whole = {"level": isolation.kind, "safe": isolation.safe, "holds": not broken(findings)}
    return json.dumps(whole | {"promises": promises}, indent=1)


def _looked(isolation: Isolation, work_dir: Path, promised: Collection[str]) -> dict[str, Seen]:
    """Make all experiments with as few starts of bots as they allow."""
    by_bots = [each.name for each in CHECKS if each.sight == "bot" and each.name in promised]
    seen: dict[str, Seen] = {}
    with onlooker.sitting(isolation, work_dir, SEATS) as seated:
        users = onlooker.users(seated)
        seen |= onlooker.flooded(seated)
        seen |= onlooker.alone(seated, "one", by_bots)
        if "own_user" in promised:
            seen |= onlooker.side_by_side(seated)
            seen |= onlooker.ended(seated)
        if isolation.launcher is None:
            seen |= owner.images(isolation, work_dir)
    if isolation.launcher is None:
        seen |= owner.left(isolation, work_dir, users)
    return seen


def _promises(isolation: Isolation, check: Check) -> bool:
    language = check.name.removeprefix("plays_")
    claimed = language == check.name or language in isolation.languages
    return claimed and isolation.kind in check.promised_by


def _unseen(promised: bool) -> Seen:
    return NOTHING_SEEN if promised else NOT_TRIED
