"""The house bots are typed as strictly as everything else.

Each is checked in a run of its own: a bot folder is no package, and every one has a module `bot`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.house_bots.house import BOTS, HOUSE


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let the runs share what they learn of the standard library."""
    return tmp_path_factory.mktemp("mypy")


def complaints(folder: Path, cache: Path) -> str:
    """Return what a strict check says of a folder, as text; nothing where it has no objection."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary", folder],
        cwd=BOTS.parent,
        env={**os.environ, "MYPYPATH": f"{BOTS.parent}:{folder}", "MYPY_CACHE_DIR": str(cache)},
        capture_output=True,
        check=False,
        timeout=100,
    )
    return (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_bot_is_strictly_typed(name: str, cache: Path) -> None:
    assert complaints(BOTS / name, cache) == ""


def test_a_bot_that_is_not_is_told_so(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("from botkit import Bot, View\nBot[View]().deploy(7)\n")

    assert '"deploy" of "Bot" has incompatible type "int"' in complaints(tmp_path, cache)
