"""The engine itself under attack: flooded, and killed in mid-match. It is one of our own."""

import pytest

from sandbox import limits
from sandbox.__main__ import main
from sandbox.launcher import oci_runtime, server
from sandbox.levels import isolation
from sandbox.levels.isolation import choose, reap
from tests.sandbox.attack import remains
from tests.sandbox.attack.private_engine import private_engine
from tests.sandbox.attack.processes import playing, soon

pytestmark = [pytest.mark.docker]

FINISHED = ["ply_cap", None, ""]
BROKEN = "runsc-broken"  # an OCI runtime that the engine lists and that starts nothing


@pytest.fixture(scope="module")
def engine():
    with private_engine("--add-runtime", f"{BROKEN}=/bin/false") as started:
        yield started


@pytest.fixture(autouse=True)
def _its_own_engine(engine, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", engine.host)
    isolation._oci_runtime.cache_clear()  # a process chooses once, and every test here anew
    yield
    isolation._oci_runtime.cache_clear()


def test_launcher_ends_where_listed_gvisor_is_broken(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(oci_runtime, "GVISOR", BROKEN)
    monkeypatch.setattr(server, "serve", lambda *_: None)
    monkeypatch.setenv("DRAPEAU_RUN_DIR", str(tmp_path))
    assert main(["launcher", "--socket", str(tmp_path / "socket")]) == 1
    said = caplog.text
    monkeypatch.setenv("DRAPEAU_DOCKER_RUNTIME", "runc")

    assert f"The engine lists the runtime {BROKEN}, but a container did not start under it." in said
    assert "DRAPEAU_DOCKER_RUNTIME=runc" in said
    assert not (tmp_path / "socket").exists()
    assert choose("docker").name == "docker (runc)"


def assert_reaped(run_dir):
    """Hold that a launcher, which reaps again and again, clears everything."""
    docker = choose("docker")

    def is_clear():
        reap(isolation=docker, work_dir=run_dir)
        return not any(remains.of(run_dir).values())

    assert soon(is_clear) is not None, remains.of(run_dir)


def test_killed_engine_disturbs_no_match(engine, tmp_path):
    with playing(tmp_path) as match:
        shims = engine.shims()
        assert len(shims) == 2
        engine.kill()
        ended = match.finish()
        dead_ms = soon(lambda: not list(remains.processes(tmp_path)))
    engine.start()
    assert ended == FINISHED
    assert dead_ms is not None
    assert_reaped(tmp_path)
    assert soon(lambda: engine.shims() == []) is not None
    assert [place for place in engine.mounts() if "overlay" in place or "/shm" in place] == []


def test_engine_killed_and_back_during_match_blames_nobody(engine, tmp_path):
    with playing(tmp_path) as match:
        engine.kill()
        engine.start()  # it ends the containers that it finds
        termination, fault, _ = match.finish()
    assert (termination, fault) in (("ply_cap", None), ("void", "platform"))
    assert_reaped(tmp_path)
    assert soon(lambda: engine.shims() == []) is not None


def test_runner_and_engine_killed_at_once_leave_nothing(engine, tmp_path):
    with playing(tmp_path) as match:
        engine.kill()
        match.kill()
        assert soon(lambda: not list(remains.processes(tmp_path))) is not None
    engine.start()
    assert limits.SLOTS > reap(isolation=choose("docker"), work_dir=tmp_path) > 0
    assert soon(lambda: not any(remains.of(tmp_path).values())) is not None, remains.of(tmp_path)
    assert soon(lambda: engine.shims() == []) is not None
