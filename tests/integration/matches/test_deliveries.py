"""Messages that come three times in any order, to several real workers: nothing happens twice."""

import random
import time

import pytest

from arena import jobs
from arena.celery_app import app
from arena.domain.ratings import recomputation
from arena.models import Ladder, Match, MatchStatus, RatingEvent, Version, VersionStatus
from tests import factories
from tests.integration.runner import workers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.every_store,
    pytest.mark.django_db(transaction=True),
]

TIMES = 3
MATCHES = 6
UPLOADS = 2
PLIES = 40
WAIT_S = 240  # a busy machine


def consume(name, log):
    """Run a worker of all queues under a name."""
    command = ["worker", "-n", f"{name}@%h", "-Q", "default,matches", "-c", "1"]
    return workers.running(
        ["-m", "celery", "-A", "arena.celery_app", *command],
        log,
        DATABASE_URL=workers.database_url(),
        DRAPEAU_ISOLATION="process",
        DRAPEAU_TRUST_BOTS="true",
        DRAPEAU_RESEND_AFTER_S="10",
    )


def queue_up():
    """Return the messages of some matches and uploads, none of which is on its way any more."""
    factories.shorten_games(PLIES)
    ladder = factories.get_ladder("general")
    players = [factories.make_ready_with(variants=["general"]) for _ in range(3)]
    pairs = [(players[n % 3], players[(n + 1) % 3]) for n in range(MATCHES)]
    for pair in pairs:
        factories.make_match(*pair, ladder=ladder)
    for _ in range(UPLOADS):
        factories.make_upload(variants=["general"])
    Ladder.objects.update(is_open=False)  # so that no further matches follow
    app.control.purge()
    return [
        *[(jobs.WAKE_RUNNER,)] * (MATCHES + UPLOADS),
        (jobs.MATCHMAKE,),
        ("arena.sweep",),
    ]


def all_done():
    statuses = set(Match.objects.values_list("status", flat=True))
    versions = set(Version.objects.values_list("status", flat=True))
    return statuses == {MatchStatus.FINISHED} and versions == {VersionStatus.READY}


def test_messages_delivered_three_times_do_everything_once(tmp_path):
    deliveries = queue_up() * TIMES
    random.Random(5).shuffle(deliveries)
    for task, *row in deliveries:
        jobs.send(task, *row)

    with consume("first", tmp_path / "first"), consume("second", tmp_path / "second"):
        deadline = time.monotonic() + WAIT_S
        while not all_done():
            assert time.monotonic() < deadline, "it did not happen in time"
            time.sleep(0.1)
        for task, *row in deliveries:  # and once more when all is over
            jobs.send(task, *row)

    factories.number_finished(factories.get_ladder("general"))
    rows = Match.objects.order_by("finish_number")
    assert [row.finish_number for row in rows] == list(range(1, MATCHES + 1))
    assert {row.attempt for row in rows} == {1}
    assert {version.attempt for version in Version.objects.all()} == {1}
    assert RatingEvent.objects.count() == 2 * MATCHES
    assert {match.rating_events.count() for match in rows} == {2}
    assert not Match.objects.in_work().exists()
    assert recomputation.rerate(ladder=factories.get_ladder("general")) == []
