"""The examination: test every isolation promise of a level on this machine."""

import json
import secrets
import tempfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from sandbox.doctor import onlooker, owner
from sandbox.doctor.checks import CHECKS, Check
from sandbox.doctor.languages import played
from sandbox.doctor.onlooker import Seen, Sights
from sandbox.launcher.oci_runtime import has_own_kernel
from sandbox.levels.isolation import Isolation, launcher_of

TOKEN = secrets.token_hex(8)  # in the files of the doctor's bots, to recognise them
SEATS = ("one", "two", "three")
NOT_SEEN: Seen = (False, "nothing was seen of it")
WORDS = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of testing one promise."""

    check: Check
    promised: bool
    held: bool
    seen: str

    @property
    def broken(self) -> bool:
        """Return whether this finding means that bots must not run."""
        return self.promised and not self.held


def examine(isolation: Isolation, run_dir: Path | None = None) -> list[Finding]:
    """Test every promise of one level; do not test what the level does not promise.

    `run_dir` must be the same path for this process and for the Docker engine, unless a launcher
    service is in use: the service itself tests what only the engine's owner can see. Raise
    `PlatformFault` or `IsolationUnavailable` if no bot can be started at all, or if the engine is
    gone at the end, because that says nothing about promises.
    """
    checks = [each for each in CHECKS if each.sight != "owner" or isolation.launcher is None]
    promised = {each.name for each in checks if promises(isolation, each)}
    with ExitStack() as cleanup:
        if run_dir is None:
            run_dir = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="doctor-")))
            run_dir.chmod(0o711)
        examination = _Examination(isolation, run_dir.absolute(), promised)
        findings = judged(checks, promised, examination.seen())
        if broken(findings) and isolation.kind == "docker":
            with launcher_of(isolation, run_dir) as launcher:
                launcher.images()
    return findings


def judged(
    checks: Iterable[Check], promised: Iterable[str], seen: Mapping[str, Seen]
) -> list[Finding]:
    """Compare observations with promises. A promise without an observation counts as broken."""
    made = set(promised)
    return [
        Finding(each, each.name in made, *seen.get(each.name, NOT_SEEN))
        if each.name in made
        else Finding(each, promised=False, held=False, seen="not promised, not tried")
        for each in checks
    ]


def broken(findings: Iterable[Finding]) -> list[Finding]:
    """Return the promises that do not hold. A runner starts only if there are none."""
    return [each for each in findings if each.broken]


def as_table(isolation: Isolation, findings: list[Finding]) -> str:
    """Return the findings as a table for people, followed by the remedies of broken promises."""
    width = max(len(each.check.text) for each in findings)
    lines = [isolation.reason, "", f"{'':{width}}  promised  holds  seen"]
    lines += [
        f"{each.check.text:{width}}  yes       {WORDS[each.held]:5}  {each.seen}"
        for each in findings
        if each.promised
    ]
    others = [each.check.text for each in findings if not each.promised]
    if others:
        lines += ["", f"Not promised here, and not tried: {'; '.join(others)}."]
    if isolation.launcher is not None:
        lines += ["", "The launcher has examined by itself what only the engine's owner sees."]
    if not isolation.safe:
        lines += ["", "This level is not for strangers' bots: they are refused unless trusted."]
    bad = broken(findings)
    lines += ["", f"BROKEN: {len(bad)}" if bad else "Every promise of this level holds."]
    lines += [f"  {each.check.text}: {each.seen}\n    {each.check.remedy}" for each in bad]
    return "\n".join(lines)


def as_json(isolation: Isolation, findings: list[Finding]) -> str:
    """Return the findings as JSON: the level, whether all promises hold, and every promise."""
    promises = [asdict(each) | {"broken": each.broken} for each in findings]
    whole = {"level": isolation.kind, "oci_runtime": isolation.oci_runtime, "safe": isolation.safe}
    whole |= {"holds": not broken(findings)}
    return json.dumps(whole | {"promises": promises}, indent=1)


def promises(isolation: Isolation, check: Check) -> bool:
    """Return whether a level makes a promise in the configuration of this machine."""
    language = check.name.removeprefix("plays_")
    claimed = language == check.name or language in isolation.languages
    behind = check.of_kernel and has_own_kernel(isolation.oci_runtime)
    return claimed and isolation.kind in check.promised_by and not behind


class _Examination:
    """All experiments of a level, with as few starts of bots as possible."""

    def __init__(self, isolation: Isolation, run_dir: Path, promised: Collection[str]) -> None:
        self._isolation = isolation
        self._run_dir = run_dir
        self._promised = promised
        self._images: set[str] = set()
        self._processes: set[str] = set()

    def seen(self) -> dict[str, Seen]:
        """Run the experiments. Raise `PlatformFault` and `IsolationUnavailable`."""
        if self._isolation.launcher is not None:
            return dict(self._by_bots())
        self._run_dir.mkdir(parents=True, exist_ok=True)
        before = owner.strays(self._isolation, self._run_dir)
        seen = dict(self._by_bots())
        seen["nothing_left"] = owner.left(self._isolation, self._run_dir, before, self._processes)
        if "images" in self._promised:
            seen["images"] = self._judged_images()
        return seen

    def _by_bots(self) -> Sights:
        alone = [
            each.name for each in CHECKS if each.sight == "bot" and each.name in self._promised
        ]
        with onlooker.sitting(self._isolation, self._run_dir, SEATS, TOKEN) as seated:
            self._look()
            act = "flood_with_orphans" if "life_line" in self._promised else "flood"
            yield from onlooker.flooded(seated, act)
            yield from onlooker.alone(seated, "one", alone)
            if "own_user" in self._promised:
                yield from onlooker.side_by_side(seated)
                yield from onlooker.ended(seated)
        if self._isolation.kind == "docker":
            yield from played(self._isolation, self._run_dir, TOKEN, self._look)

    def _look(self) -> None:
        """Record the visible processes and images of the doctor's own bots."""
        if self._isolation.launcher is None:
            token = TOKEN.encode()
            self._processes |= owner.processes(self._run_dir, token)
            if self._isolation.kind == "docker":
                self._images |= owner.images_in_use(self._run_dir, token)

    def _judged_images(self) -> Seen:
        with launcher_of(self._isolation, self._run_dir) as launcher:
            pinned = set(launcher.images().values())
        others = ", ".join(sorted(self._images - pinned))
        seen = f"{len(self._images)} in use"
        return bool(self._images) and not others, f"{seen}, among them {others}" if others else seen
