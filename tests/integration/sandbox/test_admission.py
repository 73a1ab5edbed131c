"""Strangers' bots run in containers or not at all."""

import pytest

from engine.protocol import Answer, Ask
from sandbox.levels.isolation import Isolation, choose
from sandbox.refusal import IsolationRefused, IsolationUnavailable
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack
from tests.sandbox.tables import open_for

LEAVES_A_TRACE = "from pathlib import Path; Path({!r}).touch()"
UNSAFE = [
    Isolation("bubblewrap", safe=False, reason=""),
    Isolation("process", safe=False, reason=""),
]


@pytest.mark.parametrize("isolation", UNSAFE, ids=lambda isolation: isolation.kind)
def test_uploaded_bot_is_refused_unrun_below_container(isolation, tmp_path):
    trace = tmp_path / "trace"
    stranger = unpack(LEAVES_A_TRACE.format(str(trace)).encode(), "bot.py")
    house = unpack(b"input(); print('ok')", "bot.py")
    with (
        pytest.raises(IsolationRefused, match="does not contain a stranger's program"),
        open_table(
            isolation=isolation,
            seats={"blue": house, "red": stranger},
            work_dir=tmp_path / "run",
            admission=Admission(trusted=frozenset({house.digest})),
        ),
    ):
        pass
    assert not trace.exists()
    assert not (tmp_path / "run").exists()


def test_bot_trusted_by_digest_runs_below_a_container(tmp_path):
    house = unpack(b"input(); print('ok')", "bot.py")
    trusting = Admission(trusted=frozenset({house.digest}))
    with open_for(house, choose("process"), tmp_path, admission=trusting) as table:
        answer = table.ask({"red": Ask(b"x\n", 5000)})["red"]
    assert isinstance(answer, Answer)
    assert answer.line == b"ok"


def test_one_changed_byte_loses_the_trust():
    house, changed = unpack(b"x = 1\n", "bot.py"), unpack(b"x = 2\n", "bot.py")
    admission = Admission(trusted=frozenset({house.digest}))
    admission.check(isolation=UNSAFE[1], seat="red", digest=house.digest)
    with pytest.raises(IsolationRefused):
        admission.check(isolation=UNSAFE[1], seat="red", digest=changed.digest)


@pytest.fixture
def _no_engine(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")


@pytest.mark.usefixtures("_no_engine")
def test_docker_by_name_never_becomes_weaker():
    with pytest.raises(IsolationUnavailable, match="docker: no engine answers"):
        choose("docker")


@pytest.mark.usefixtures("_no_engine")
def test_auto_says_choice_and_reason_in_one_line():
    isolation = choose("auto")
    assert isolation.kind in ("bubblewrap", "process")
    assert not isolation.safe
    assert "docker: no engine answers" in isolation.reason
    assert "\n" not in isolation.reason


@pytest.mark.usefixtures("_no_engine")
def test_named_broken_bubblewrap_stays_an_error(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    for name in ("bubblewrap", "process"):
        with pytest.raises(IsolationUnavailable):
            choose(name)
    with pytest.raises(IsolationUnavailable):
        choose("auto")


def test_unknown_level_is_refused_with_the_known_ones():
    with pytest.raises(IsolationUnavailable, match="auto, docker, bubblewrap, process"):
        choose("none")
