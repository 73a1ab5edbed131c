"""How the embedded site settles on a level of isolation."""

import os
import subprocess

import pytest

from arena.embedded.isolation import settle
from arena.embedded.refusal import StartFailed
from sandbox.images.recipe import runtime_image

NOBODY = "unix:///nowhere/docker.sock"


def test_auto_without_engine_takes_weaker_level_and_explains(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", NOBODY)

    settled = settle("auto", tmp_path / "log", print)

    assert settled.kind in ("bubblewrap", "process")
    assert not settled.safe
    assert "docker: no engine answers" in settled.reason
    assert "\n" not in settled.reason


def test_docker_by_name_is_refused_without_engine(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", NOBODY)

    with pytest.raises(StartFailed, match="no engine answers"):
        settle("docker", tmp_path / "log", print)


@pytest.mark.docker
def test_auto_takes_the_engine_that_answers(tmp_path):
    settled = settle("auto", tmp_path / "log", print)

    assert (settled.kind, settled.safe) == ("docker", True)
    assert runtime_image("python") in settled.reason


@pytest.mark.docker
@pytest.mark.alone
def test_missing_image_is_built_from_base(monkeypatch, tmp_path):
    pattern = f"drapeau-test-{{runtime}}:{os.getpid()}"
    monkeypatch.setenv("DRAPEAU_RUNTIME_IMAGE", pattern)
    name = runtime_image("python")

    try:
        settled = settle("docker", tmp_path / "log", print)
    finally:
        subprocess.run(["docker", "rmi", "--no-prune", name], check=False, capture_output=True)

    assert name in settled.reason
    assert settled.languages == ("python",)  # the site waits for no other image
    assert (tmp_path / "log").read_text().count("base image") >= 1
