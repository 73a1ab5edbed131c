"""Which Docker Compose and engine are used, and how those of a newer Debian are downloaded."""

import pytest

from tools.services.compose import compose_command
from tools.services.engine import dockerd
from tools.services.packages import Missing

COMPOSE = "docker-compose/usr/bin/docker-compose"


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """The folder of the only programs on the path, and that of an empty cache."""
    programs, cache = tmp_path / "bin", tmp_path / "cache"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return programs, cache / "drapeau/trixie"


def program(path, script):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("version", ["2.26.1-4", "v2.40.3", "5.0.1"])
def test_compose_2_of_the_machine_is_used(machine, version):
    programs, _ = machine
    program(programs / "docker-compose", f"echo {version}")

    assert compose_command() == ("docker-compose",)


def test_the_plugin_of_docker_is_used(machine):
    programs, _ = machine
    program(programs / "docker", '[ "$*" = "compose version --short" ] && echo 2.40.3')
    program(programs / "docker-compose", "echo 2.26.1-4")

    assert compose_command() == ("docker", "compose")


def test_compose_1_and_docker_without_plugin_are_unused(machine):
    programs, cache = machine
    program(programs / "docker", "exit 1")
    program(programs / "docker-compose", "echo 1.29.2")
    program(cache / COMPOSE, "echo 2.26.1-4")

    assert compose_command() == (str(cache / COMPOSE),)


def test_every_mirror_is_tried_once_before_advice(machine):
    programs, _ = machine
    uris = "".join(
        f"echo \"'http://{uri}/InRelease' list 0\"; "
        for uri in ("one.test/debian/dists/old", "one.test/debian/dists/new", "two.test/dists/old")
    )
    program(programs / "apt-get", f'case "$*" in "update --print-uris") {uris};; *) exit 7;; esac')

    with pytest.raises(Missing) as missing:
        compose_command()

    assert str(missing.value) == (
        "Docker Compose 2 is missing: docker-compose cannot be downloaded from "
        "Debian's trixie suite "
        "(http://one.test/debian: apt-get update failed with status 7; "
        "http://two.test: apt-get update failed with status 7). "
        "Install it so that `docker compose version` works: "
        "https://docs.docker.com/compose/install"
    )


@pytest.mark.parametrize("version", ["26.1.5+dfsg1", "28.2.2"])
def test_current_engine_of_machine_is_used(machine, version):
    programs, _ = machine
    program(programs / "dockerd", f"echo Docker version {version}, build 5d6db84")

    assert dockerd()[0] == str(programs / "dockerd")


def test_newer_debian_engine_replaces_old_with_its_programs(machine):
    programs, cache = machine
    program(programs / "dockerd", "echo Docker version 20.10.24+dfsg1, build 5d6db84")
    newer = cache / "docker.io-containerd/usr"
    program(newer / "sbin/dockerd", "echo Docker version 26.1.5+dfsg1, build 411e817")

    path, environment = dockerd()

    assert path == str(newer / "sbin/dockerd")
    assert environment["PATH"].split(":") == [
        str(newer / "sbin"),
        str(newer / "bin"),
        str(programs),
    ]
