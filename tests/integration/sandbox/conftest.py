"""Tests that run side by side share no user ids: the kernel counts what bots have per user."""

import os

import pytest

from sandbox import limits
from sandbox.launcher.oci_runtime import GVISOR, SETTING
from tests.sandbox import doctored, gvisor

RANGES_BELOW = 10  # for the site's tests, which run bots too


@pytest.fixture(autouse=True, scope="session")
def _users_of_our_own():
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    first = limits.FIRST_UID + limits.SLOTS * (RANGES_BELOW + int(worker) % RANGES_BELOW)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAPEAU_FIRST_UID", str(first))
        yield


@pytest.fixture(scope="session")
def engine_with_gvisor():
    """Return the DOCKER_HOST of an engine that has gVisor."""
    with gvisor.engine() as host:
        yield host


@pytest.fixture
def under_gvisor(engine_with_gvisor, monkeypatch):
    """Run bots under gVisor."""
    monkeypatch.setenv(SETTING, GVISOR)
    if engine_with_gvisor:
        monkeypatch.setenv("DOCKER_HOST", engine_with_gvisor)


@pytest.fixture
def oci_runtime(request, monkeypatch):
    """Run bots under the OCI runtime that the test names as its parameter."""
    if request.param == GVISOR:
        request.getfixturevalue("under_gvisor")
    else:
        monkeypatch.setenv(SETTING, request.param)
    return request.param


@pytest.fixture(autouse=True, scope="session")
def _nothing_doctored_left():
    yield
    doctored.clear()
