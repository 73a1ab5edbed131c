"""The list of the packages of the site, as `make sbom` writes it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree import ROOT
from tools.vulnerabilities import locked

pytestmark = pytest.mark.slow


def test_list_has_every_locked_package_with_version_hashes(tmp_path):
    command = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if "cyclonedx-py" in line
    ).strip("\t@")
    target = tmp_path / "sbom.json"
    words = command.replace("var/sbom.json", str(target)).split()
    program = Path(sys.executable).with_name(Path(words[0]).name)
    subprocess.run([program, *words[1:]], check=True, cwd=ROOT, capture_output=True)

    written = json.loads(target.read_bytes())
    assert written["metadata"]["component"]["name"] == "drapeau-server"
    listed = sorted((each["name"], each["version"]) for each in written["components"])
    packages = locked(ROOT / "requirements" / "run.lock")
    assert listed == sorted(
        (name, each) for name, versions in packages.items() for each in versions
    )
