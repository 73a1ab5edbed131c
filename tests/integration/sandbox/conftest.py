"""What the tests of the sandbox leave behind for each other: nothing."""

import pytest

from sandbox.launcher.oci_runtime import GVISOR, SETTING
from tests.sandbox import doctored, gvisor


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
