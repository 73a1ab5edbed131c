"""What the tests of the sandbox leave behind for each other: nothing."""

import pytest

from sandbox.launcher.oci_runtime import GVISOR, SETTING
from sandbox.levels.isolation import choose
from tests.sandbox import doctored, gvisor
from tests.sandbox.attack import remains
from tests.sandbox.launchers import service


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


@pytest.fixture(scope="module")
def docker():
    return choose("docker")


@pytest.fixture(scope="module")
def process():
    return choose("process")


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with service(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="module")
def nothing_stays(tmp_path_factory):
    """Look at all run directories at once after the last match of a file."""
    before = remains.descriptors()
    yield
    left = remains.of(tmp_path_factory.getbasetemp())
    left["descriptors"] = sorted(remains.descriptors() - before)
    del left["folders"]  # the run directories themselves
    assert not any(left.values()), left


@pytest.fixture(autouse=True, scope="session")
def _nothing_doctored_left():
    yield
    doctored.clear()
