"""What keeps a backup of the site of compose.yaml from being made or restored, without Docker."""

import subprocess
import sys

import pytest

from arena.embedded import backup
from arena.embedded.backup import BackupFailed
from tests.tree import ROOT
from tools import backup as tool

VARIABLES = "DRAPEAU_DB_PASSWORD=0123abcd\n"


@pytest.fixture(autouse=True)
def _no_docker(monkeypatch):
    def refuse():
        raise AssertionError

    monkeypatch.setattr(tool, "compose_command", refuse)


def make(tmp_path, variables=VARIABLES):
    with backup.writing(tmp_path / "made", kind=tool.KIND) as partial:
        (partial / tool.DATABASE).write_bytes(b"a dump")
        (partial / tool.ENVIRONMENT).write_text(variables)
    return tmp_path / "made"


def test_a_folder_without_variables_is_no_site(tmp_path):
    with pytest.raises(BackupFailed, match="run this in the folder of the site"):
        tool.make(tmp_path / "made", tmp_path / ".env")

    assert list(tmp_path.iterdir()) == []


def test_another_env_file_not_lost_silently(tmp_path):
    folder = make(tmp_path)
    (tmp_path / ".env").write_text("DRAPEAU_DB_PASSWORD=another\n")

    with pytest.raises(BackupFailed, match=r"\.env differs from that of the backup.* --replace"):
        tool.restore(folder, tmp_path / ".env", replace=False)

    assert (tmp_path / ".env").read_text() == "DRAPEAU_DB_PASSWORD=another\n"


@pytest.mark.parametrize("variables", ["", "DRAPEAU_DB_PASSWORD=it's; DROP DATABASE drapeau\n"])
def test_password_that_could_be_statement_is_refused(tmp_path, variables):
    folder = make(tmp_path, variables)

    with pytest.raises(BackupFailed, match="has no DRAPEAU_DB_PASSWORD of letters and digits"):
        tool.restore(folder, tmp_path / ".env", replace=False)


def test_a_refusal_is_one_sentence_and_no_traceback(tmp_path):
    done = subprocess.run(
        (sys.executable, "-m", "tools.backup", "restore", tmp_path),
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert done.stderr.startswith(f"backup: {tmp_path} is no backup, because manifest.json in it")
    assert "Traceback" not in done.stderr
