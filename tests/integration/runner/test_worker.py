"""A real worker on the real broker, whose processes are killed while they work."""

import os
import signal
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.utils import timezone

from arena.celery_app import app
from arena.models import IdempotencyKey
from tests import factories
from tests.integration.runner import workers
from tests.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.every_store,
    pytest.mark.django_db(transaction=True),
]


def children(process):
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


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
        until(lambda: not IdempotencyKey.objects.exists())
        return True

    user = factories.make_user()
    app.control.purge()
    command = ["-m", "celery", "-A", "arena", "worker", "-Q", "default", "-c", "1"]
    with workers.running(command, tmp_path / "log", DATABASE_URL=workers.database_url()) as process:
        assert works()
        for child in children(process):
            until(partial(waits, child))  # it may still report what it has done
            os.kill(child, signal.SIGKILL)
        assert works()
