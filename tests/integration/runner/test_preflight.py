"""The gate before a runner's first job: real workers, and what they say of a broken guarantee."""

import os
import re
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arena import tasks
from arena.celery_app import app
from arena.domain.bots import languages
from arena.jobs import WAKE_RUNNER
from arena.models import Match, MatchStatus, RunnerReport
from arena.runner import host_trouble, preflight
from sandbox import limits
from tests import factories
from tests.database_role import as_runner
from tests.integration.runner import workers

pytestmark = pytest.mark.slow

# What a runner is whose code forgot one limit of a plain process.
FORGETFUL = """
from sandbox import limits
limits.PROCESS_RLIMITS = tuple(x for x in limits.PROCESS_RLIMITS if x.name != "as")
"""
WORKER = """
import sys
from celery.__main__ import main
sys.argv = ["celery", "-A", "arena.celery_app", "worker", "-Q", "matches", "-c", "1"]
sys.exit(main())
"""


@pytest.fixture
def _shut_again(monkeypatch):
    monkeypatch.setattr(host_trouble.Rest, "until_s", float("-inf"))  # whatever was played before
    factories.look_at_the_machine_anew()
    preflight.wait_until_passed.cache_clear()
    yield
    preflight.wait_until_passed.cache_clear()
    factories.look_at_the_machine_anew()


def take_messages():
    """Take what no runner has taken, and count it."""
    with app.connection_for_write() as connection:
        return connection.default_channel.queue_purge("matches")


@pytest.fixture
def _one_message():
    take_messages()
    app.send_task(WAKE_RUNNER)


def runner(log, program=WORKER, **variables):
    return workers.running(["-c", program], log, **variables)


def wait_for(word, log, process, seconds=240):
    deadline = time.monotonic() + seconds
    while word not in log.read_text():
        assert process.poll() is None, "it ended"
        assert time.monotonic() < deadline, f"it did not say {word}"
        time.sleep(0.1)


@pytest.mark.usefixtures("_one_message")
def test_broken_guarantee_ends_runner_before_any_job(tmp_path):
    log = tmp_path / "log"
    with runner(log, FORGETFUL + WORKER, DRAPEAU_ISOLATION="process") as process:
        assert process.wait(timeout=240) == 1

    said = log.read_text()
    assert "BROKEN: 1\n  memory of one process capped: " in said
    assert re.search(r"memory of one process capped +yes +no", said)  # in a table of them all
    assert take_messages() == 1


@pytest.mark.docker
@pytest.mark.usefixtures("_one_message")
def test_job_waits_for_engine_not_answering_yet(tmp_path):
    real = Path(urlsplit(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")).path)
    log, late = tmp_path / "log", tmp_path / "docker.sock"
    with runner(
        log, DRAPEAU_ISOLATION="docker", DOCKER_HOST=f"unix://{late}", DRAPEAU_LAUNCHER=""
    ) as process:
        wait_for("runner_waits", log, process)
        time.sleep(2 * preflight.RETRY_EVERY_S)
        assert log.read_text().count("runner_waits") == 1
        assert take_messages() == 1

        app.send_task(WAKE_RUNNER)
        late.symlink_to(real)

        wait_for("runner_ready", log, process)
        wait_for("arena.wake_runner", log, process)  # Celery says that the table of matches is away
    assert take_messages() == 0
    assert "runner_shut" not in log.read_text()


@pytest.mark.usefixtures("_shut_again")
@pytest.mark.django_db(transaction=True)
def test_who_came_past_the_gate_plays_nothing_either(settings, monkeypatch):
    """A worker may be told to consume the queue of runners when it has long been started."""
    settings.ISOLATION = "process"
    kept = tuple(each for each in limits.PROCESS_RLIMITS if each.name != "as")
    monkeypatch.setattr(limits, "PROCESS_RLIMITS", kept)
    match = factories.make_match(factories.make_ready(), factories.make_ready())

    with pytest.raises(
        preflight.PreflightFailed, match="BROKEN: 1\n  memory of one process capped: "
    ):
        tasks.wake_runner()

    assert Match.objects.get(pk=match.pk).status == MatchStatus.QUEUED


@pytest.mark.usefixtures("_shut_again")
@pytest.mark.django_db(transaction=True)
def test_runner_reports_languages_at_start_and_before_jobs(settings):
    settings.ISOLATION, settings.TRUST_BOTS = "process", False

    with as_runner():
        preflight.wait_until_passed()
    assert [each.name for each in languages.played()] == ["python"]
    assert not languages.takes_uploads()

    settings.TRUST_BOTS = True
    with as_runner():
        preflight.wait_for_a_job()
    assert languages.takes_uploads()
    assert RunnerReport.objects.count() == 1


@pytest.fixture
def take_launcher_away(_shut_again, settings, monkeypatch, tmp_path):
    """Return a function that takes it away until somebody waits: it lists what a row was then."""
    settings.ISOLATION = "process"

    def take_away(row):
        seen = []

        def look(seconds):
            row.refresh_from_db()
            seen.append((row.status, row.attempt))
            settings.ISOLATION = "process"  # it is back

        preflight.wait_until_passed()
        settings.ISOLATION = "docker"
        monkeypatch.setenv("DRAPEAU_LAUNCHER", f"unix://{tmp_path}/launcher.sock")
        monkeypatch.setattr("time.sleep", look)
        return seen

    return take_away


@pytest.mark.django_db(transaction=True)
def test_match_loses_no_attempt_while_launcher_is_away(take_launcher_away):
    match = factories.make_match(factories.make_ready(), factories.make_ready())
    waiting = take_launcher_away(match)

    tasks.wake_runner()

    match.refresh_from_db()
    assert waiting == [(MatchStatus.QUEUED, 0)]
    assert match.status != MatchStatus.QUEUED


@pytest.mark.usefixtures("_shut_again")
@pytest.mark.parametrize(
    ("level", "why"),
    [
        ("dokcer", "DRAPEAU_ISOLATION is 'dokcer', and it can be: auto"),
        ("bubblewrap", "bwrap not found"),
    ],
)
def test_hopeless_failure_is_not_waited_for(settings, monkeypatch, level, why):
    settings.ISOLATION = level
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    monkeypatch.setattr("sandbox.levels.local.PROCESS_TOOLS", ())

    with pytest.raises(preflight.PreflightFailed, match=why):
        preflight.wait_until_passed()
