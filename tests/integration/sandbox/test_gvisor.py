"""Bots under gVisor: containers, options and pipes are the same, the kernel is another."""

import os

import pytest

from sandbox.__main__ import main
from sandbox.launcher import docker_engine, image_files
from sandbox.launcher.embedded import OWN_INODES
from sandbox.launcher.oci_runtime import GVISOR
from tests.sandbox import cold

pytestmark = [
    pytest.mark.docker,
    pytest.mark.alone,
    pytest.mark.usefixtures("under_gvisor"),
]


def test_gate_opens(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DRAPEAU_RUN_DIR", str(tmp_path))

    assert main(["doctor", "--level", "docker"]) == 0
    printed = capsys.readouterr().out
    assert "under runsc (as DRAPEAU_DOCKER_RUNTIME says)\n" in printed
    assert "first process out of reach" in printed
    assert "image files not shared              yes         yes" in printed


MIDDLE = 32 * 1024


def is_in_memory(file):
    """Return whether the middle of a file is in the memory of the host, without reading it."""
    with file.open("rb", buffering=0) as opened:
        try:
            return os.preadv(opened.fileno(), [bytearray(1)], MIDDLE, os.RWF_NOWAIT) == 1
        except BlockingIOError:
            return False


def test_image_files_are_read_into_host_memory():
    """They lie in the layers of the images, which all containers share."""
    modules = "usr/lib/python3*/**/*.py"
    paths = [f"/{path.relative_to(each)}" for each in cold.layers() for path in each.glob(modules)]
    files = [file for file in cold.places(paths) if file.stat().st_size > 2 * MIDDLE]
    cold.drop(paths)
    were_cold = [file for file in files if not is_in_memory(file)]

    read = image_files.read_all(GVISOR)

    with docker_engine.connected() as engine:
        if docker_engine.storage_driver(engine) in OWN_INODES:
            assert read == []  # no container has the files of another
            return
    assert "python" in read
    assert len(were_cold) > 10, "nothing was cold, so this test shows nothing"
    assert all(map(is_in_memory, were_cold))
