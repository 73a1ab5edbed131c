"""A real worker on the real broker, whose processes are killed while they work."""

import os
import signal
import time
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from django.utils import timezone

from arena import jobs
from arena.celery_app import app
from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle
from arena.domain.queue import sweeping
from arena.domain.ratings import recomputation
from arena.models import (
    IdempotencyKey,
    Ladder,
    Match,
    MatchStatus,
    RatingEvent,
    Version,
    VersionStatus,
)
from tests import factories
from tests.integration.runner import workers

WAIT_S = 240  # a busy machine
pytestmark = [
    pytest.mark.slow,
    pytest.mark.every_store,
    pytest.mark.django_db(transaction=True),
]

PLIES = 20
BOUND = 2  # open matches per bot, and here there are two bots
PATIENT_BOT = factories.RANDOM_BOT.replace(
    'print("thinking"',
    """import os, time
        while os.path.exists("HOLD"):
            time.sleep(0.05)
        print("thinking\"""",
)


def worker(log):
    """Run a worker with two processes on both queues."""
    app.control.purge()
    command = ["worker", "-Q", "default,matches", "-c", "2", "--without-mingle", "--without-gossip"]
    return workers.running(
        ["-m", "celery", "-A", "arena.celery_app", *command],
        log,
        DATABASE_URL=workers.database_url(),
        DRAPEAU_ISOLATION="process",
        DRAPEAU_TRUST_BOTS="true",
        DRAPEAU_OPEN_MATCHES_PER_BOT=str(BOUND),
    )


def wait_until(condition):
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def children(process):
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


def all_ready():
    states = set(Version.objects.values_list("status", flat=True))
    assert VersionStatus.REJECTED not in states
    return states == {VersionStatus.READY}


def test_killing_every_worker_process_loses_no_match(tmp_path, monkeypatch):
    monkeypatch.setattr(lifecycle, "RETRY_DELAY_S", 0.0)
    factories.shorten_games(PLIES)
    Ladder.objects.update(startup_ms=120_000, bank_ms=600_000, action_ms=120_000)
    running = Match.objects.filter(status=MatchStatus.RUNNING)
    Ladder.objects.update(is_open=False)  # until the checks are over
    hold = Path("/tmp") / f"hold-{uuid4()}"  # as long as it is there, no bot answers
    with worker(tmp_path / "log") as process, ExitStack() as cleanup:
        for _ in range(2):
            source = PATIENT_BOT.replace("HOLD", str(hold))
            factories.make_upload(source=source, variants=["general"])
        wait_until(all_ready)
        hold.touch()
        cleanup.callback(hold.unlink, missing_ok=True)
        Ladder.objects.update(is_open=True)
        ladders.admit_ready()

        def all_running():
            jobs.send(jobs.MATCHMAKE)  # as the site does every two seconds
            return running.count() == BOUND

        wait_until(all_running)
        Ladder.objects.update(is_open=False)  # so that no further matches follow

        for pid in children(process):
            os.kill(pid, signal.SIGKILL)
        running.update(lease_until=timezone.now())  # nobody has to wait for the end of the leases
        hold.unlink()

        def all_finished():
            sweeping.sweep()
            return not Match.objects.exclude(status=MatchStatus.FINISHED).exists()

        wait_until(all_finished)

    assert {match.attempt for match in Match.objects.all()} == {2}
    assert RatingEvent.objects.count() == 2 * BOUND
    assert recomputation.rerate(ladder=factories.get_ladder("general")) == []


def waits(pid):
    """Return whether a process sleeps, and has used no CPU time for half a second."""

    def look():
        state, *_, user_ticks, system_ticks = (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:13]
        )
        return state, user_ticks, system_ticks

    before = look()
    time.sleep(0.5)
    return before == look() and before[0] == "S"


def test_one_process_worker_goes_on_when_killed_waiting(tmp_path):
    def works():
        IdempotencyKey.objects.create(user=user, key="old", digest="x")
        IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(days=3))
        app.send_task("arena.forget")
        wait_until(lambda: not IdempotencyKey.objects.exists())
        return True

    user = factories.make_user()
    app.control.purge()
    command = ["-m", "celery", "-A", "arena", "worker", "-Q", "default", "-c", "1"]
    with workers.running(command, tmp_path / "log", DATABASE_URL=workers.database_url()) as process:
        assert works()
        for child in children(process):
            wait_until(partial(waits, child))  # it may still report what it has done
            os.kill(child, signal.SIGKILL)
        assert works()
