"""The isolation that a runner settles on."""

import pytest

from arena.domain import programs
from arena.models import Game
from sandbox import isolation
from sandbox.refusal import IsolationUnavailable
from tests import factories


@pytest.fixture(autouse=True)
def _look_anew():
    factories.look_at_the_machine_anew()
    yield
    factories.look_at_the_machine_anew()


@pytest.fixture
def _no_engine(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("docker", marks=pytest.mark.docker),
        pytest.param("bubblewrap", marks=pytest.mark.services),
        "process",
    ],
)
def test_rows_records_and_logs_call_the_same_levels_unsafe(settings, kind):
    settings.ISOLATION = kind
    level = programs.level()

    assert Game(isolation=level.kind).is_unsafe is not level.safe
    assert programs.named(level=level) == (kind if level.safe else f"{kind}, unsafe")
    assert level.reason.partition(":")[0] == programs.named(level=level)


@pytest.mark.usefixtures("_no_engine")
def test_a_level_asked_for_by_name_is_never_replaced(settings):
    settings.ISOLATION = "docker"

    with pytest.raises(IsolationUnavailable, match="no engine answers"):
        programs.level()


@pytest.mark.usefixtures("_no_engine")
def test_a_runner_keeps_the_level_that_auto_found_at_its_start(settings, monkeypatch):
    settings.ISOLATION = "auto"
    settled = programs.level().kind
    monkeypatch.setattr(programs, "ISOLATION_KEPT_S", 1e-9)  # look again at every call
    asked = []

    def choose(setting):
        asked.append(setting)
        raise IsolationUnavailable("gone")

    monkeypatch.setattr(isolation, "choose", choose)

    with pytest.raises(IsolationUnavailable, match="gone"):
        programs.level()
    assert asked == [settled]
