"""The doctor's promises hold here, and a broken one is seen."""

from dataclasses import replace

import pytest

from sandbox import doctor
from sandbox.__main__ import main
from sandbox.doctor import CHECKS, examine
from sandbox.isolation import choose


def promises(findings):
    return {each.check.name: each.held for each in findings if each.promised}


@pytest.mark.parametrize(
    "level", ["process", pytest.param("bubblewrap", marks=pytest.mark.services)]
)
def test_every_promise_of_a_level_without_engine_holds(level, capsys):
    assert main(["doctor", "--level", level]) == 0
    printed = capsys.readouterr().out
    assert "Every promise of this level holds." in printed
    assert "not for strangers' bots" in printed
    assert all(check.text in printed for check in CHECKS)


@pytest.mark.docker
def test_every_promise_of_a_container_holds(tmp_path):
    findings = examine(choose("docker"), tmp_path)
    assert promises(findings) == {
        check.name: True for check in CHECKS if "docker" in check.promised_by
    }


def test_process_that_claims_to_be_more_is_seen_through(tmp_path, monkeypatch, capsys):
    claims = [replace(check, promised_by=("process",)) for check in CHECKS]
    monkeypatch.setattr(doctor, "CHECKS", claims)
    monkeypatch.setenv("DRAPEAU_RUN_DIR", str(tmp_path))
    assert main(["doctor", "--level", "process"]) == 1
    assert "BROKEN: network closed, read-only system" in capsys.readouterr().out


def test_level_that_is_not_there_ends_with_a_reason(monkeypatch, capsys):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    assert main(["doctor", "--level", "docker"]) == 1
    assert "no engine answers at unix:///nowhere/docker.sock" in capsys.readouterr().err
