"""When the files of the images are read before bots run, and what happens if that fails."""

import logging
from contextlib import contextmanager
from typing import Any

import pytest

from engine.protocol import PlatformFault
from sandbox import __main__ as command
from sandbox import limits
from sandbox.launcher import container_options, docker_engine, embedded, image_files, server
from sandbox.levels.isolation import Isolation

IMAGES = {"python": "sha256:1", "java": "sha256:2"}


class FakeEngine:
    """Answers what is asked before the reading."""

    def __init__(self, driver="overlay2", runtimes=("runc", "runsc")):
        self.driver = driver
        self.runtimes = runtimes

    def info(self):
        return {
            "Driver": self.driver,
            "DefaultRuntime": "runc",
            "Runtimes": dict.fromkeys(self.runtimes),
        }


@pytest.fixture
def engine(monkeypatch):
    @contextmanager
    def connected():
        yield engine

    engine = FakeEngine()
    monkeypatch.setattr(docker_engine, "connected", connected)
    monkeypatch.setattr(image_files, "find_images", lambda _engine: IMAGES)
    return engine


@pytest.fixture
def ran(monkeypatch):
    """Collect the containers that are run, each as its image and its OCI runtime."""
    found = []

    def run(_engine, options):
        found.append((options["Image"], options["HostConfig"]["Runtime"]))

    monkeypatch.setattr(docker_engine, "run", run)
    return found


@pytest.mark.parametrize(
    ("bots", "driver", "listed", "reader"),
    [
        ("runsc", "overlay2", ("runc", "runsc"), "runc"),
        ("runsc", "overlay2", ("runsc",), "runsc"),
        ("runsc", "btrfs", ("runc", "runsc"), None),
        ("runc", "overlay2", ("runc", "runsc"), None),
        ("nvidia", "overlay2", ("runc", "nvidia"), None),
    ],
)
def test_images_are_read_where_that_closes_a_channel(engine, ran, bots, driver, listed, reader):
    engine.driver, engine.runtimes = driver, listed

    read = image_files.read_all(bots)

    assert read == (list(IMAGES) if reader else [])
    assert ran == ([(image, reader) for image in IMAGES.values()] if reader else [])


def test_unreadable_image_is_logged_and_others_are_read(engine, monkeypatch, caplog):
    def run(_engine, options):
        if options["Image"] == IMAGES["python"]:
            raise PlatformFault("a container ended with status 1")

    monkeypatch.setattr(docker_engine, "run", run)

    with caplog.at_level(logging.WARNING):
        assert image_files.read_all("runsc") == ["java"]
    assert "image of python were not all read" in caplog.text
    assert "status 1" in caplog.text


def test_the_reader_can_do_nothing_but_read():
    options = container_options.reader("sha256:1", "runc")
    host: Any = options["HostConfig"]
    assert options["User"] == f"{limits.FIRST_UID - 1}:{limits.FIRST_UID - 1}"
    assert (host["NetworkMode"], host["ReadonlyRootfs"], host["CapDrop"]) == ("none", True, ["ALL"])
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert not {"Mounts", "Binds", "Privileged"} & set(host)
    assert "Memory" not in host  # beyond a limit, the kernel would drop what was read first


def test_launcher_reads_images_between_self_test_and_serving(monkeypatch, tmp_path):
    steps = []
    found = Isolation("docker", safe=True, reason="", oci_runtime="runsc")
    monkeypatch.setenv("DRAPEAU_RUN_DIR", str(tmp_path))
    monkeypatch.setattr(command, "by_engine", lambda **_: found)
    monkeypatch.setattr(command, "_examine", lambda *_, **__: steps.append("examine"))
    monkeypatch.setattr(image_files, "read_all", steps.append)
    monkeypatch.setattr(embedded, "Embedded", lambda *_, **__: None)
    monkeypatch.setattr(server, "serve", lambda *_: steps.append("serve"))

    assert command.main(["launcher", "--socket", str(tmp_path / "socket")]) == 0

    assert steps == ["examine", "runsc", "serve"]
