"""The hostile bots: one file each, whose first lines say what becomes of it."""

from dataclasses import dataclass, replace
from pathlib import Path

from botkit.manifest import Manifest
from botkit.package import Package, digest_of
from sandbox.launcher.oci_runtime import has_own_kernel

HOSTILE = Path(__file__).parents[1] / "hostile"
SHARED = {path.name: path.read_bytes() for path in (HOSTILE / "shared").glob("*.py")}
FIELDS = ("verdict", "contained by", "levels")
UNDER_GVISOR = "# under gvisor: "  # a fourth line where that differs: verdict | detail | reason
LEVELS = ("docker", "bubblewrap", "process")
PLAYS = "plays"


@dataclass(frozen=True)
class Case:
    """A hostile bot and what is expected of it.

    `verdict` is a termination, or two with " or " between them, or "plays" where the bot can do no
    harm and the game takes its course. `detail` is then all that it writes to its log; after a
    fault, part of the words of the result.
    """

    name: str
    verdict: str
    detail: str
    contained_by: str
    levels: tuple[str, ...]
    under_gvisor: tuple[str, str] | None = None  # verdict and detail, where they differ

    def under(self, oci_runtime: str) -> "Case":
        """Return the case with what is expected of it under an OCI runtime."""
        if self.under_gvisor is None or not has_own_kernel(oci_runtime):
            return self
        verdict, detail = self.under_gvisor
        return replace(self, verdict=verdict, detail=detail)

    @property
    def package(self) -> Package:
        return packaged(self.name, (HOSTILE / f"{self.name}.py").read_bytes())


def packaged(name: str, program: bytes, **beside: bytes) -> Package:
    """Make a bot of a program, with what it may import or read beside it."""
    files = {"bot.py": program, "wire.py": SHARED["wire.py"], **beside}
    return Package(Manifest(name), files, digest_of(files))


def victim(thinks_s: float = 0.005) -> Package:
    """Return the good bot, which burns so much CPU for each answer."""
    return packaged("victim", SHARED["victim.py"], thinks=str(thinks_s).encode())


def read(name: str) -> Case:
    """Read the header of one file. Raise ValueError where it is not as it should be."""
    lines = [*(HOSTILE / f"{name}.py").read_text().splitlines(), "", "", ""]
    words = []
    for field, line in zip(FIELDS, lines, strict=False):
        mark, _, text = line.partition(f"# {field}: ")
        if mark or not text:
            raise ValueError(f"{name}.py: not a line '# {field}: …': {line!r}")
        words.append(text)
    verdict, _, detail = words[0].partition(" | ")
    levels = tuple(words[2].split(", "))
    if not set(levels) <= set(LEVELS):
        raise ValueError(f"{name}.py: levels are {LEVELS}, not {levels}")
    return Case(name, verdict, detail, words[1], levels, _under_gvisor(name, lines[len(FIELDS)]))


def _under_gvisor(name: str, line: str) -> tuple[str, str] | None:
    if not line.startswith(UNDER_GVISOR):
        return None
    verdict, detail, reason = line.removeprefix(UNDER_GVISOR).split(" | ")
    if not reason:
        raise ValueError(f"{name}.py: no reason why gVisor differs")
    return verdict, detail


def cases(level: str) -> list[Case]:
    """Return the bots for one level of isolation, by name."""
    found = [read(path.stem) for path in sorted(HOSTILE.glob("*.py"))]
    return [case for case in found if level in case.levels]
