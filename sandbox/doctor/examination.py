"""The examination: test every isolation guarantee of a level on this machine."""

import json
import secrets
import tempfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from botkit.languages import LANGUAGES
from sandbox.doctor import onlooker, owner
from sandbox.doctor.guarantees import CHECKS, Check
from sandbox.doctor.languages import played
from sandbox.doctor.onlooker import Seen, Sights
from sandbox.launcher.oci_runtime import has_own_kernel
from sandbox.levels.isolation import Isolation, launcher_of

TOKEN = secrets.token_hex(8)  # in the files of the doctor's bots, to recognise them
SEATS = ("one", "two", "three")
SIDE_BY_SIDE = ("own_counters", "cpu_clock", "own_clock")
NOT_SEEN: Seen = (None, "its experiment did not run")
WORDS = {True: "yes", False: "no", None: "not tried"}
TRY_AGAIN = (
    f"its experiment ended {onlooker.ATTEMPTS} times without an answer, so this says nothing about"
    " the guarantee. Look for a lack of memory or of CPU time on this machine (dmesg, the log of"
    " the engine), and run the doctor again"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of testing one guarantee."""

    check: Check
    guaranteed: bool
    held: bool | None  # None: not tried
    seen: str
    tried: bool = True

    @property
    def broken(self) -> bool:
        """Return whether an experiment has shown that the guarantee does not hold."""
        return self.guaranteed and self.held is False

    @property
    def unproven(self) -> bool:
        """Return whether this finding means that bots must not run: broken, or not tried."""
        return self.guaranteed and not self.held

    @property
    def missing(self) -> bool:
        """Return whether this level has it on other machines, and was seen not to have it here."""
        return self.tried and not self.guaranteed and self.held is False


def examine(
    isolation: Isolation, run_dir: Path | None = None, *, at_start: bool = False
) -> list[Finding]:
    """Test every guarantee of one level; do not test what the level does not guarantee.

    With `at_start`, test only those that a runner tests each time it starts.

    `run_dir` must be the same path for this process and for the Docker engine, unless a launcher
    service is in use: the service itself tests what only the engine's owner can see. Raise
    `PlatformFault` or `IsolationUnavailable` if no bot can be started at all, or if the engine is
    gone at the end, because that says nothing about guarantees.
    """
    checks = [
        check
        for check in CHECKS
        if (check.sight != "owner" or isolation.launcher is None)
        and (check.is_first or not at_start)
    ]
    guaranteed = {check.name for check in checks if is_guaranteed(isolation, check)}
    with ExitStack() as cleanup:
        if run_dir is None:
            run_dir = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="doctor-")))
            run_dir.chmod(0o711)
        tried = guaranteed | {  # the others are tried to say what this engine cannot give
            check.name
            for check in checks
            if check.by_engine and isolation.kind in check.guaranteed_by
        }
        examination = _Examination(isolation, run_dir.absolute(), tried)
        findings = judged(checks, guaranteed, examination.seen())
        if unproven(findings) and isolation.kind == "docker":
            with launcher_of(isolation, run_dir) as launcher:
                launcher.images()
    return findings


def judged(
    checks: Iterable[Check], guaranteed: Iterable[str], seen: Mapping[str, Seen]
) -> list[Finding]:
    """Compare observations with guarantees."""
    names = set(guaranteed)
    return [
        Finding(check, check.name in names, *seen.get(check.name, NOT_SEEN))
        if check.name in names or (check.by_engine and check.name in seen)
        else Finding(
            check, guaranteed=False, held=False, seen="not guaranteed, not tried", tried=False
        )
        for check in checks
    ]


def unproven(findings: Iterable[Finding]) -> list[Finding]:
    """Return the guarantees that are broken or not tried. A runner starts only without any."""
    return [finding for finding in findings if finding.unproven]


def as_table(isolation: Isolation, findings: list[Finding]) -> str:
    """Return the findings as a table for people, followed by the remedies of broken guarantees."""
    width = max(len(finding.check.text) for finding in findings)
    lines = [isolation.reason, "", f"{'':{width}}  guaranteed  holds      seen"]
    lines += [
        f"{finding.check.text:{width}}  yes         {WORDS[finding.held]:9}  {finding.seen}"
        for finding in findings
        if finding.guaranteed
    ]
    missing = [finding for finding in findings if finding.missing]
    lines += [""] * bool(missing)
    lines += [f"Not given here: {finding.check.text} ({finding.seen})" for finding in missing]
    lines += [f"  {finding.check.remedy}" for finding in missing]
    others = [finding.check.text for finding in findings if not finding.tried]
    if others:
        lines += ["", f"Not guaranteed here, and not tried: {'; '.join(others)}."]
    if isolation.launcher is not None:
        lines += ["", "The launcher has examined by itself what only the engine's owner sees."]
    if not isolation.safe:
        lines += ["", "This level is not for strangers' bots: they are refused unless trusted."]
    broken = [finding for finding in findings if finding.broken]
    untried = [finding for finding in unproven(findings) if not finding.broken]
    for title, ones in (("BROKEN", broken), ("NOT TRIED", untried)):
        lines += ["", f"{title}: {len(ones)}"] if ones else []
        lines += [
            f"  {finding.check.text}: {finding.seen}\n    "
            f"{finding.check.remedy if finding.broken else TRY_AGAIN}"
            for finding in ones
        ]
    if not broken and not untried:
        lines += ["", "Every guarantee of this level holds."]
    return "\n".join(lines)


def as_json(isolation: Isolation, findings: list[Finding], *, indent: int | None = 1) -> str:
    """Return the findings as JSON: the level, whether all guarantees hold, and every guarantee."""
    guarantees = [
        asdict(finding)
        | {"broken": finding.broken, "tried": finding.tried and finding.held is not None}
        for finding in findings
    ]
    whole = {"level": isolation.kind, "oci_runtime": isolation.oci_runtime, "safe": isolation.safe}
    whole |= {"holds": not unproven(findings)}
    return json.dumps(whole | {"guarantees": guarantees}, indent=indent)


def is_guaranteed(isolation: Isolation, check: Check) -> bool:
    """Return whether a level makes a guarantee in the configuration of this machine."""
    language = check.name.removeprefix("plays_")
    claimed = language == check.name or language in isolation.languages
    behind = check.of_kernel and has_own_kernel(isolation.oci_runtime)
    if check.by_engine and not isolation.own_image_files:
        return False
    return claimed and isolation.kind in check.guaranteed_by and not behind


class _Examination:
    """All experiments of a level, with as few starts of bots as possible."""

    def __init__(self, isolation: Isolation, run_dir: Path, tried: Collection[str]) -> None:
        self._isolation = isolation
        self._run_dir = run_dir
        self._tried = tried
        self._images: set[str] = set()
        self._processes: set[str] = set()

    def seen(self) -> dict[str, Seen]:
        """Run the experiments. Raise `PlatformFault` and `IsolationUnavailable`."""
        if self._isolation.launcher is not None:
            return dict(self._by_bots())
        self._run_dir.mkdir(parents=True, exist_ok=True)
        before = owner.strays(self._isolation, self._run_dir)
        seen = dict(self._by_bots())
        if "nothing_left" in self._tried:
            left = owner.left(self._isolation, self._run_dir, before, self._processes)
            seen["nothing_left"] = left
        if "images" in self._tried:
            with launcher_of(self._isolation, self._run_dir) as launcher:
                pinned = set(launcher.images().values())
            others = ", ".join(sorted(self._images - pinned))
            sight = f"{len(self._images)} in use"
            seen["images"] = (
                bool(self._images) and not others,
                f"{sight}, among them {others}" if others else sight,
            )
        return seen

    def _by_bots(self) -> Sights:
        # Repeat with new probes what had no answer: a dead probe says nothing about guarantees. The
        # experiments that a dead probe never came to are first, and the one that it died of last.
        seen: dict[str, Seen] = {}
        # Bots of every language are played without probes.
        by_probes = (check for check in CHECKS if not check.name.startswith("plays_"))
        names = [
            check.name
            for check in by_probes
            if check.sight != "owner" and check.name in self._tried
        ]
        for _ in range(onlooker.ATTEMPTS):
            missing = [name for name in names if seen.get(name, NOT_SEEN)[0] is None]
            if not missing:
                break
            missing.sort(key=seen.__contains__)
            with onlooker.sitting(self._isolation, self._run_dir, SEATS, TOKEN) as seated:
                self._look()
                sights = self._experiments(seated, missing)
                seen.update((name, sight) for name, sight in sights if name in missing)
        yield from seen.items()
        plays = [language for language in LANGUAGES if f"plays_{language.name}" in self._tried]
        if plays:
            yield from played(plays, self._isolation, self._run_dir, TOKEN, self._look)

    def _experiments(self, seated: onlooker.Sitting, missing: list[str]) -> Sights:
        """Run the experiments of the missing guarantees until a probe gives no answer."""
        sights = {check.name: check.sight for check in CHECKS}
        if "flood" in missing or "life_line" in missing:
            act = "flood_with_orphans" if "life_line" in self._tried else "flood"
            yield from onlooker.flooded(seated, act)
        by_bots = [name for name in missing if sights[name] == "bot"]
        for name, seen in onlooker.alone(seated, "one", by_bots):
            yield name, seen
            if seen[0] is None:
                return
        if "own_user" in missing:
            yield "own_user", onlooker.users(seated)
        if not set(missing).isdisjoint(SIDE_BY_SIDE):
            yield from onlooker.side_by_side(seated)
        if "own_image_files" in missing:
            yield from onlooker.image_files(seated)
        if "out_of_memory" in missing:
            yield from onlooker.ended(seated)

    def _look(self) -> None:
        """Record the visible processes and images of the doctor's own bots."""
        if self._isolation.launcher is None:
            token = TOKEN.encode()
            self._processes |= owner.processes(self._run_dir, token)
            if self._isolation.kind == "docker":
                self._images |= owner.images_in_use(self._run_dir, token)
