"""Every Python program in the documents passes two type checkers, each run once for all of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree import ROOT, text
from tests.unit.meta.examples import fences
from tests.unit.meta.test_doc_examples import PAGES

pytestmark = pytest.mark.slow

WRONG = "from botkit import DuelView\n\n\ndef top(view: DuelView) -> int:\n    return view.top\n"


def programs():
    """Return the Python of all pages by the name of its file."""
    return {
        f"{Path(page).stem}_{number}.py".replace("-", "_"): content
        for page in PAGES
        for number, (language, content) in enumerate(fences(text(page)))
        if language == "python"
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write every program to a folder, and one that is wrong."""
    place = tmp_path_factory.mktemp("examples")
    for name, content in {**programs(), "wrong.py": WRONG}.items():
        (place / name).write_text(content)
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "include": ["."]}
    (place / "pyrightconfig.json").write_text(json.dumps(settings))
    return place


def run(folder, program, *arguments):
    return subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
    ).stdout


def test_mypy_finds_nothing_in_the_examples_but_the_mistake_in_the_wrong_one(folder):
    settings = ("--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=cache")
    said = run(folder, "mypy", *settings, *sorted(path.name for path in folder.glob("*.py")))

    *found, last = said.splitlines()
    assert [line.partition(":")[0] for line in found] == ["wrong.py"], said
    assert last.startswith("Found 1 error in 1 file (checked "), said


def test_pyright_finds_nothing_in_the_examples_but_the_mistake_in_the_wrong_one(folder):
    told = json.loads(run(folder, "basedpyright", "--outputjson"))

    found = [(Path(each["file"]).name, each["rule"]) for each in told["generalDiagnostics"]]
    assert found == [("wrong.py", "reportReturnType")]
    assert told["summary"]["filesAnalyzed"] == len(programs()) + 1


def test_there_are_programs_to_check():
    assert {"first_bot_1.py", "look_ahead_in_worlds_0.py", "README_0.py"} <= {*programs()}
