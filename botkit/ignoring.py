"""What a folder holds beside its bot: left-overs of tools, and the lines of `.drapeauignore`."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from botkit.manifest import BadUpload, text_of

IGNORE_NAME = ".drapeauignore"
LITTER = ("__MACOSX", "__pycache__", ".DS_Store", ".git")  # in an uploaded zip too
BYTECODE = ".pyc"
DEFAULTS = (
    *LITTER,
    f"*{BYTECODE}",
    IGNORE_NAME,
    ".hg",
    ".svn",
    ".idea",
    ".vscode",
    ".venv",
    "venv",
    "node_modules",
    "target",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "game-[0-9]*.json",  # a record that `drapeau play` wrote, and what a bot said in its game
    "game-[0-9]*.log",
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A line: patterns of the names of a path. `keeps` takes back what rules before it say."""

    parts: tuple[str, ...]
    is_anchored: bool = False
    folders_only: bool = False
    keeps: bool = False

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Return whether the rule speaks of a path in the folder of the bot."""
        if self.folders_only and not is_folder:
            return False
        names = path.split("/")
        if not self.is_anchored:
            names = names[-1:]
        return len(names) == len(self.parts) and all(map(fnmatchcase, names, self.parts))


def rules_of(content: bytes = b"") -> tuple[Rule, ...]:
    """Return the default rules and those of a `.drapeauignore`. Raise `BadUpload`: `bad_ignore`."""
    lines = text_of(content, IGNORE_NAME, "bad_ignore").splitlines()
    rules = [*map(_rule, DEFAULTS)]
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        rule = _rule(text)
        if not all(rule.parts) or "**" in text or "\\" in text:
            raise BadUpload(
                "bad_ignore",
                f"{IGNORE_NAME}, line {number}: a pattern is a name or a path with *, ? and [...], "
                "without ** and backslashes. To leave out a folder, write its name",
            )
        rules.append(rule)
    return tuple(rules)


def is_ignored(path: str, rules: Iterable[Rule], *, is_folder: bool) -> bool:
    """Return what the last rule that speaks of a path says. Nothing in a left-out folder is asked.

    The last one counts, as in a .gitignore.
    """
    ignored = False
    for rule in rules:
        if rule.matches(path, is_folder=is_folder):
            ignored = not rule.keeps
    return ignored


def _rule(line: str) -> Rule:
    pattern = line.removeprefix("!")
    path = pattern.rstrip("/")
    return Rule(
        parts=tuple(path.removeprefix("/").split("/")),
        is_anchored="/" in path,
        folders_only=pattern.endswith("/"),
        keeps=line.startswith("!"),
    )
