"""The import contracts hold, and a deliberate breach is caught."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.tree import ROOT, tracked

PACKAGES = ("arena/", "engine/", "sandbox/", "botkit/", "tools/", "pyproject.toml")


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
    )


def copy_of_the_tree(target: Path) -> Path:
    for name in tracked():
        if name.startswith(PACKAGES):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def test_contracts_hold():
    run = lint_imports(ROOT)

    assert run.returncode == 0, run.stdout


def test_a_page_that_reaches_docker_is_caught(tmp_path):
    root = copy_of_the_tree(tmp_path)
    (root / "arena/web/breach.py").write_text("import sandbox.table\n", encoding="utf-8")

    run = lint_imports(root)

    assert run.returncode == 1
    assert "The web process cannot reach Docker, even indirectly BROKEN" in run.stdout


@pytest.mark.parametrize("table", ["languages", "limits"])
def test_a_table_that_can_run_something_is_caught(tmp_path, table):
    root = copy_of_the_tree(tmp_path)
    with (root / f"sandbox/{table}.py").open("a", encoding="utf-8") as file:
        file.write("import subprocess\n")

    run = lint_imports(root)

    assert run.returncode == 1
    assert "The tables of languages and limits reach nothing that runs BROKEN" in run.stdout


def test_an_engine_that_reads_the_clock_is_caught(tmp_path):
    root = copy_of_the_tree(tmp_path)
    (root / "engine/breach.py").write_text("import time\n", encoding="utf-8")

    run = lint_imports(root)

    assert run.returncode == 1
    assert "The engine is pure" in run.stdout
