"""Which OCI runtime starts the containers of bots."""

import pytest

from sandbox.launcher import oci_runtime
from sandbox.launcher.client import Client
from sandbox.launcher.wire import Reply
from sandbox.levels import isolation
from sandbox.refusal import IsolationUnavailable

WITH_GVISOR = {"runc", "runsc", "io.containerd.runc.v2"}
WITHOUT = {"runc", "io.containerd.runc.v2"}


@pytest.mark.parametrize(
    ("setting", "default", "listed", "name", "reason"),
    [
        ("auto", "runc", WITH_GVISOR, "runsc", "the engine has gVisor"),
        (
            "auto",
            "runc",
            WITHOUT,
            "runc",
            "the engine's default, because it does not list runsc",
        ),
        ("auto", "runsc", WITH_GVISOR, "runsc", "the engine has gVisor"),
        ("", "runc", WITH_GVISOR, "runc", "the engine's default"),
        ("", "runsc", WITH_GVISOR, "runsc", "the engine's default"),
        ("runc", "runc", WITH_GVISOR, "runc", "as DRAPEAU_DOCKER_RUNTIME says"),
        ("runsc", "runc", WITH_GVISOR, "runsc", "as DRAPEAU_DOCKER_RUNTIME says"),
    ],
)
def test_runtime_of_a_setting(setting, default, listed, name, reason):
    chosen = oci_runtime.choose(setting, default=default, listed=listed)

    assert (chosen.name, chosen.reason) == (name, reason)


def test_runtime_asked_for_by_name_is_never_replaced():
    with pytest.raises(IsolationUnavailable) as caught:
        oci_runtime.choose("runsc", default="runc", listed=WITHOUT)

    assert str(caught.value) == (
        "docker: DRAPEAU_DOCKER_RUNTIME asks for runsc, and the engine does not list it (it lists "
        "io.containerd.runc.v2, runc). Declare it in the engine's daemon.json, or name another one."
    )


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("runsc", True),
        ("io.containerd.runsc.v1", True),
        ("kata", True),
        ("io.containerd.kata.v2", True),
        ("", False),
        ("runc", False),
        ("io.containerd.runc.v2", False),
        ("nvidia", False),
        ("not-runsc", False),
    ],
)
def test_only_known_runtimes_count_as_having_separate_kernel(name, own):
    assert oci_runtime.has_own_kernel(name) is own


@pytest.mark.parametrize(
    ("told", "name", "how"),
    [
        ("runsc", "docker (runsc)", "started by the launcher at unix:///run/l, under runsc"),
        ("", "docker", "started by the launcher at unix:///run/l"),  # one of an older version
    ],
)
def test_level_behind_launcher_has_runtime_launcher_tells(told, name, how, monkeypatch):
    monkeypatch.setenv("DRAPEAU_LAUNCHER", "unix:///run/l")
    monkeypatch.setenv("DRAPEAU_DOCKER_RUNTIME", "crun")  # the launcher's own is what counts
    offer = Reply("images", {"python": "sha256:1"}, oci_runtime=told)
    monkeypatch.setattr(Client, "offer", lambda _client: offer)

    found = isolation.choose("docker")

    assert found.name == name
    assert found.reason == f"docker: bots run in containers {how}"
