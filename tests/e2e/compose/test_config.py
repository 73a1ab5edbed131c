"""Every compose file of the tree, read by Docker Compose 2 without a complaint."""

import os
import re
import shutil
import subprocess
import textwrap

import pytest

from tests.tree import ROOT, ours, text
from tools.services.compose import compose_command

pytestmark = pytest.mark.services

COMPOSE_FILES = [
    name for name in ours(".yaml", ".yml") if re.search(r"^services:", text(name), re.MULTILINE)
]
PRODUCTION = text("compose.yaml")
(ALARM,) = (
    line for line in PRODUCTION.splitlines(keepends=True) if "DRAPEAU_QUEUE_ALARM_S:" in line
)


FURTHER_HOSTS = re.findall(
    r"^   ```yaml\n(.*?)^   ```", text("docs/how-to/add-capacity.md"), re.MULTILINE | re.DOTALL
)


def complaints(folder, content, override=""):
    """Return what Compose prints about the file with the .env that `make env` writes."""
    if override:
        (folder / "compose.override.yaml").write_text(textwrap.dedent(override))
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "env.sh", folder / "tools")
    subprocess.run([folder / "tools" / "env.sh"], check=True, capture_output=True)
    (folder / "compose.yaml").write_text(content)
    done = subprocess.run(
        [*compose_command(), "config", "--quiet"],
        check=False,
        cwd=folder,
        env={name: os.environ[name] for name in ("HOME", "PATH")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def test_the_compose_file_of_production_is_among_those_checked():
    assert "compose.yaml" in COMPOSE_FILES


@pytest.mark.parametrize("name", COMPOSE_FILES)
def test_compose_reads_the_file_without_a_complaint(name, tmp_path):
    assert complaints(tmp_path, text(name)) == (0, "")


@pytest.mark.parametrize("override", FURTHER_HOSTS)
def test_compose_reads_the_overrides_of_several_hosts_without_a_complaint(override, tmp_path):
    assert len(FURTHER_HOSTS) == 2
    assert complaints(tmp_path, PRODUCTION, override) == (0, "")


def test_a_key_that_is_there_twice_is_refused(tmp_path):
    status, output = complaints(tmp_path, PRODUCTION.replace(ALARM, ALARM * 2))

    assert status != 0
    assert 'mapping key "DRAPEAU_QUEUE_ALARM_S" already defined' in output


@pytest.mark.parametrize(
    ("content", "warning"),
    [
        (f'version: "3.8"\n{PRODUCTION}', "`version` is obsolete"),
        (PRODUCTION.replace(ALARM, "  OTHER: ${NOWHERE}\n"), "variable is not set"),
    ],
)
def test_a_warning_is_a_complaint(content, warning, tmp_path):
    status, output = complaints(tmp_path, content)

    assert status == 0
    assert warning in output
