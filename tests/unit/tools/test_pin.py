"""`make pin` with a stand-in for the engine, which knows an image of several repositories."""

import os
import shutil
import subprocess

import pytest

from tests.tree import ROOT

OFFICIAL, MIRROR = "a" * 64, "b" * 64
ENGINE = """#!/bin/sh
[ -z "$STOPPED" ] || { echo "Cannot connect to the Docker daemon" >&2; exit 1; }
case "$1 $2 $4" in
  "image inspect {{index .RepoDigests 0}}") listed=first ;;
  "image inspect "*) listed=all ;;
  *) exit 0 ;;
esac
image=${5%:*}
name=${image##*/}
echo "mirror.example:5000/$name@sha256:MIRROR"
[ $listed = first ] || echo "$KNOWN$name@sha256:OFFICIAL"
"""


@pytest.fixture
def project(tmp_path):
    """Lay out the files that the command reads, and programs that it finds first."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "tools" / "pin.sh", tmp_path / "tools")
    shutil.copy(ROOT / "compose.yaml", tmp_path)
    (tmp_path / ".env").write_text("DRAPEAU_SECRET_KEY=kept\n")
    engine = ENGINE.replace("MIRROR", MIRROR).replace("OFFICIAL", OFFICIAL)
    program(tmp_path / "bin" / "docker", engine)
    return tmp_path


def program(path, script):
    path.write_text(script)
    path.chmod(0o755)


def pin(project, known="", stopped=""):
    path = f"{project / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        [project / "tools" / "pin.sh"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, "KNOWN": known, "STOPPED": stopped},
    )


@pytest.mark.parametrize("setting", ["", "DRAPEAU_POSTGRES_IMAGE=docker.io/library/postgres:17\n"])
def test_digest_is_that_of_named_repository(project, setting):
    with (project / ".env").open("a") as env:
        env.write(setting + "DRAPEAU_BROKER_IMAGE=mirror.example:5000/valkey:8\n")
    done = pin(project)
    assert done.returncode == 0, done.stderr
    pinned = dict(line.split("=") for line in (project / ".env").read_text().splitlines())
    assert pinned["DRAPEAU_POSTGRES_IMAGE"].endswith(f"@sha256:{OFFICIAL}")
    assert pinned["DRAPEAU_BROKER_IMAGE"] == f"mirror.example:5000/valkey:8@sha256:{MIRROR}"


def test_copy_of_secrets_is_not_left_behind(project):
    with (project / ".env").open("a") as env:
        env.write("DRAPEAU_BROKER_IMAGE=mirror.example:5000/valkey:8\n")
    program(project / "bin" / "mv", "#!/bin/sh\nexit 1\n")
    assert pin(project).returncode == 1
    assert [each.name for each in project.glob(".env*")] == [".env"]
    ignored = ["git", "check-ignore", "--quiet", ".env.new"]
    assert subprocess.run(ignored, cwd=ROOT, check=False).returncode == 0
