"""What the actuary knows can be learned again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.integration.house_bots.house import BOTS
from tests.tree import ROOT

CHANCES = """
from sides import dealt
from worth import MOVED, TO_MOVE, Worth

worth = Worth()
strong, weak = (worth.side(dealt(cards), MOVED) for cards in ("FBBBM9877665", "FBBBS2222333"))
other = worth.side(dealt("FBBBM9877665"), TO_MOVE)
print(worth.chance(strong, other), worth.chance(weak, other))
"""


def run(folder: Path, *words: str) -> list[float]:
    """Run a copy of the actuary's modules, and return the numbers that it prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
        timeout=120,
    )
    return [float(word) for word in done.stdout.split() if word.startswith(b"0.")]


def test_few_games_make_network_that_bot_reads(tmp_path: Path) -> None:
    folder = tmp_path / "actuary"
    shutil.copytree(BOTS / "actuary", folder, ignore=shutil.ignore_patterns("__pycache__"))
    strong, weak = run(folder, "-c", CHANCES)
    assert strong > weak  # as learned in many games

    run(folder, "learn.py", "--rounds", "2", "--games", "3")

    after = run(folder, "-c", CHANCES)
    assert len(after) == len((strong, weak))
    assert after != [strong, weak]
