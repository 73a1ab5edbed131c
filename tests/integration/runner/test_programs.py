"""The isolation that a runner settles on."""

import pytest

from arena.models import Game
from arena.runner import programs
from engine.protocol import Answer, Ask
from sandbox import limits
from sandbox.levels import isolation
from sandbox.levels.isolation import Isolation
from sandbox.refusal import IsolationUnavailable
from sandbox.uploads import unpacking
from tests import factories
from tests.sandbox import launchers
from tests.waiting import until


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
def test_rows_records_and_logs_agree_on_unsafe_levels(settings, kind, monkeypatch):
    settings.ISOLATION = kind
    monkeypatch.setenv("DRAPEAU_DOCKER_RUNTIME", "runc")
    level = programs.level()

    assert Game(isolation=level.name).is_unsafe is not level.safe
    marks = "" if level.safe else ", unsafe"
    assert level.reason.partition(":")[0] == kind + marks
    marks += ", shared image files" * (level.safe and not level.own_image_files)
    assert programs.named(level=level) == kind + " (runc)" * level.safe + marks


@pytest.mark.parametrize(
    ("own", "words"), [(True, "docker (runsc)"), (False, "docker (runsc), shared image files")]
)
def test_records_name_runtime_and_shared_container_files(own, words):
    level = Isolation(
        "docker", safe=True, reason="docker", own_image_files=own, oci_runtime="runsc"
    )

    assert programs.named(level=level) == words


@pytest.mark.parametrize(
    ("row", "runtime", "unsafe"),
    [
        ("docker (runsc)", "runsc", False),
        ("", "", False),
        ("bubblewrap", "", True),
        ("dockerish", "", True),
    ],
)
def test_rows_name_the_runtime_of_their_containers(row, runtime, unsafe):
    game = Game(isolation=row)

    assert (game.oci_runtime, game.is_unsafe) == (runtime, unsafe)


@pytest.mark.usefixtures("_no_engine")
def test_runner_keeps_level_auto_found_at_start(settings, monkeypatch):
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


@pytest.mark.docker
def test_a_runner_keeps_containers_waiting_until_it_ends(settings, tmp_path):
    settings.ISOLATION = "docker"
    settings.RUN_DIR = tmp_path
    bot = unpacking.unpack(b"print(input(), flush=True)", "bot.py")

    with programs.seated(level=programs.level(), seats={"red": bot}, on_wait=lambda: None) as table:
        said = table.ask({"red": Ask(b"x\n", 5000)})["red"]
    # They start after the game, so a busy machine may have none at first.
    until(lambda: len(launchers.containers(tmp_path)) == limits.WARM_CONTAINERS)
    programs.close()

    assert isinstance(said, Answer)
    assert launchers.nothing_left(tmp_path)
