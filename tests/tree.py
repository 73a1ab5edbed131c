"""The files of the project, as the tests about the project itself read them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENDORED = ("arena/static/vendor/", "arena/migrations/", "/golden/", "requirements/")


@cache
def tracked() -> tuple[str, ...]:
    """Every file that git tracks or would add, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    return tuple(sorted(name for name in set(listed) if (ROOT / name).is_file()))


def ours(*endings: str) -> list[str]:
    """The files with one of the endings that are written here, not vendored or generated."""
    return [
        name
        for name in tracked()
        if name.endswith(endings) and not any(part in f"/{name}" for part in VENDORED)
    ]


def compose_files() -> list[str]:
    """The files from which sites and hosts are started."""
    return [name for name in ours(".yaml") if name.startswith("compose.")]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def copy_files(names: Iterable[str], *, to: Path) -> None:
    """Copy files of the project into another folder, at the same paths."""
    for name in names:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, to / name)


def run_in(
    root: Path, *arguments: str, timeout_s: float | None
) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy of the project, on an SQLite database of its own."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DRAPEAU_DATA_DIR": str(root / "var"),
        "DATABASE_URL": f"sqlite:///{root}/arena.sqlite3",
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout_s,
    )
