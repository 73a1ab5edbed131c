"""The compose files of the tree, read by Docker Compose 2 without a complaint."""

import os
import re
import shutil
import subprocess

import pytest

from tests.tree import ROOT, ours, text
from tools.services.compose import compose_command

pytestmark = pytest.mark.services

# How each of the files is started.
STARTED = (
    ("compose.yaml",),
    ("compose.yaml", "compose.hosts.yaml"),
    ("compose.yaml", "compose.proxy.yaml"),
    ("compose.yaml", "compose.hosts.yaml", "compose.proxy.yaml"),
    ("compose.runner.yaml",),
)
# What an operator has to write into .env for them.
WRITTEN = {
    "DRAPEAU_HOSTS_LISTEN": "10.0.0.5",
    "DATABASE_URL": "postgresql://arena_runner:secret@db.arena.example/drapeau",
    "DRAPEAU_BROKER_URL": "rediss://runner:secret@db.arena.example:6380/0",
}


def complaints(folder, files, **written):
    """Return what Compose prints about files with the .env of `make env`, and more in it."""
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "env.sh", folder / "tools")
    subprocess.run([folder / "tools" / "env.sh"], check=True, capture_output=True)
    with (folder / ".env").open("a") as env_file:
        env_file.writelines(f"{name}={text}\n" for name, text in written.items())
    for name in {"compose.yaml", *files}:  # others extend its services
        shutil.copy(ROOT / name, folder)
    named = [word for name in files for word in ("--file", name)]
    done = subprocess.run(
        [*compose_command(), *named, "config", "--quiet"],
        check=False,
        cwd=folder,
        env={name: os.environ[name] for name in ("HOME", "PATH")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def test_every_compose_file_is_among_those_checked():
    found = {name for name in ours(".yaml", ".yml") if re.search(r"(?m)^services:", text(name))}

    assert found == {name for files in STARTED for name in files}


@pytest.mark.parametrize("files", STARTED)
def test_compose_reads_the_files_without_a_complaint(files, tmp_path):
    assert complaints(tmp_path, files, **WRITTEN) == (0, "")


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (("compose.yaml", "compose.hosts.yaml"), "DRAPEAU_HOSTS_LISTEN"),
        (("compose.runner.yaml",), "DATABASE_URL"),
        (("compose.runner.yaml",), "DRAPEAU_BROKER_URL"),
    ],
)
def test_missing_operator_setting_is_asked_for(files, name, tmp_path):
    written = {each: value for each, value in WRITTEN.items() if each != name}

    status, output = complaints(tmp_path, files, **written)

    assert status != 0
    assert f"required variable {name} is missing a value" in output
