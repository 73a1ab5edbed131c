"""What runners report of themselves."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from celery.worker import state
from django.db.models import F

from arena.domain.queue import host_clock, runner_figures
from arena.domain.queue.metrics import exposition
from arena.models import RunnerFigures
from arena.runner import programs, reporting
from sandbox import limits
from sandbox.refusal import IsolationUnavailable
from tests.database_role import as_runner
from tests.integration.runner import workers
from tests.waiting import until

pytestmark = pytest.mark.django_db
ME = SimpleNamespace(hostname="runner@here", concurrency=2)


@pytest.fixture
def launcher(monkeypatch):
    """Return the level of a runner, whose launcher has one figure."""
    asked = SimpleNamespace(figures=lambda: {"running": 1})
    monkeypatch.setattr(programs, "level", lambda: SimpleNamespace(launcher=asked))
    return asked


def rows():
    return list(RunnerFigures.objects.values_list("runner", "slots", "busy", "launcher"))


@pytest.mark.every_store
def test_runner_report_has_own_role_and_replaces_previous(launcher, monkeypatch):
    with as_runner():
        reporting.report(ME)
        monkeypatch.setattr(state, "active_requests", {"a job"})
        monkeypatch.setattr(host_clock, "skew_s", lambda: 1.5)
        launcher.figures = lambda: None
        reporting.report(ME)

    assert rows() == [("runner@here", 2, 1, None)]
    assert RunnerFigures.objects.get().clock_skew_s == 1.5


@pytest.mark.every_store
def test_silent_runner_is_shown_an_hour_then_forgotten(launcher):
    reporting.report(ME)
    assert list(runner_figures.latest()) == list(RunnerFigures.objects.all())

    RunnerFigures.objects.update(reported_at=F("reported_at") - timedelta(minutes=59))
    runner_figures.forget()
    assert len(runner_figures.latest()) == 1

    RunnerFigures.objects.update(reported_at=F("reported_at") - timedelta(minutes=2))
    assert list(runner_figures.latest()) == []
    runner_figures.forget()
    assert rows() == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_runner_that_has_nothing_to_do_reports(tmp_path):
    command = ["-m", "celery", "-A", "arena", "worker", "-Q", "matches", "-c", "1", "-n", "idle@%h"]
    store = {"DATABASE_URL": workers.database_url(), "DRAPEAU_ISOLATION": "process"}
    with workers.running(command, tmp_path / "log", DRAPEAU_TRUST_BOTS="1", **store) as process:

        def has_reported():
            assert process.poll() is None
            return [row[1:] for row in rows()] == [(1, 0, None)]  # it may find an old message first

        until(has_reported)

    assert rows()[0][0].startswith("idle@")


def test_host_trouble_that_stops_jobs_is_told(client, launcher, monkeypatch, caplog):
    monkeypatch.setattr(limits, "DISK_LEAST_BYTES", 1 << 60)

    reporting.report(ME)

    found = client.get("/readyz").json()
    assert found["status"] == "degraded"
    assert found["checks"]["runners"]["detail"] == "1 in trouble, as their logs explain"
    assert "the disk of /" in str([vars(each).get("why") for each in caplog.records])
    assert 'drapeau_runner_in_trouble{runner="runner@here"} 1.0' in exposition().decode()

    monkeypatch.undo()
    monkeypatch.setattr(programs, "level", lambda: SimpleNamespace(launcher=launcher))
    reporting.report(ME)

    assert client.get("/readyz").json()["checks"]["runners"] == {"ok": True, "detail": "no trouble"}


def test_a_host_without_its_engine_says_so(monkeypatch):
    def away():
        raise IsolationUnavailable("no engine answers")

    monkeypatch.setattr(programs, "level", away)

    reporting.report(ME)

    assert RunnerFigures.objects.get().in_trouble is True


@pytest.mark.usefixtures("launcher")
def test_runner_with_wrong_clock_reports_trouble(monkeypatch, caplog):
    monkeypatch.setattr(host_clock, "skew_s", lambda: 600.0)

    reporting.report(ME)

    assert RunnerFigures.objects.get().in_trouble
    (said,) = (line.why for line in caplog.records if line.msg == "host_in_trouble")
    assert "600 s ahead of the database's" in said
