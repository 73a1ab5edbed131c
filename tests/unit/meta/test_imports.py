"""Starter bots and the site import nothing that they should not; `lint-imports` checks the rest."""

import ast
import subprocess
import sys
from pathlib import Path

from tests.tree import ROOT


def imported_by(file: Path) -> set[str]:
    """Return the top-level names of the packages that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_starter_bot_imports_only_kit_and_standard_library():
    starters = sorted(ROOT.glob("engine/variants/*/starter/*.py"))

    assert len(starters) >= 5
    for file in starters:
        assert imported_by(file) - sys.stdlib_module_names == {"botkit"}, file


def test_site_starts_without_computing_libraries_and_telemetry(tmp_path):
    code = (
        "import django; django.setup(); import arena.urls, arena.tasks, sys; "
        "arena.tasks.telemetry.start_if_wanted(service='web'); "
        "print(*{'scipy.optimize', 'scipy.sparse', 'scipy.fft', 'networkx', 'opentelemetry'}"
        " & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "arena.settings", "DRAPEAU_DATA_DIR": str(tmp_path)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "\n"
