"""A real worker on the real broker, whose processes are killed while they work."""

import os
import signal
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from arena.celery_app import app
from arena.domain.matches import lifecycle
from arena.domain.queue import sweeping
from arena.domain.ratings import rating_events
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

# Three waits of a minute are allowed to a busy machine.
pytestmark = [
    pytest.mark.every_store,
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone,
    pytest.mark.timeout(300),
]

PLIES = 60
LEASE_S = 5  # longer than a busy machine takes from a claim to the first sign of life
BOUND = 2  # open matches per bot, and here there are two bots
SLOW_BOT = factories.RANDOM_BOT.replace(
    'print("thinking"',
    f'message["view"]["limits"]["max_plies"] == {PLIES} and __import__("time").sleep(0.03)\n'
    '        print("thinking"',
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
        DRAPEAU_LEASE_S=str(LEASE_S),
    )


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
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


def test_killing_every_process_of_the_worker_loses_no_match_and_rates_each_once(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(lifecycle, "RETRY_DELAY_S", 0.0)
    factories.shorten_games(PLIES)
    with worker(tmp_path / "log") as process:
        for _ in range(2):
            factories.make_upload(source=SLOW_BOT, variants=["general"])
        wait_until(all_ready)
        wait_until(lambda: Match.objects.filter(status=MatchStatus.RUNNING).count() == BOUND)
        Ladder.objects.update(is_open=False)  # so that no further matches follow

        for pid in children(process):
            os.kill(pid, signal.SIGKILL)

        def all_finished():
            sweeping.sweep()
            return not Match.objects.exclude(status=MatchStatus.FINISHED).exists()

        wait_until(all_finished)

    assert {match.attempt for match in Match.objects.all()} == {2}
    assert RatingEvent.objects.count() == 2 * BOUND
    assert rating_events.rerate(ladder=factories.get_ladder("general")) == []


def test_worker_of_one_process_goes_on_when_that_is_killed_while_it_waits(tmp_path):
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
            os.kill(child, signal.SIGKILL)
        assert works()
