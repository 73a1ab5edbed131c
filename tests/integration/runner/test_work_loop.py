"""What a runner does with a nudge: real bots in processes, and no message broker."""

from collections import defaultdict

import pytest

from arena import jobs, tasks
from arena.domain.matches import record_compression
from arena.models import Match, MatchStatus, QueueShare, RatingEvent, VersionStatus
from arena.runner import work_loop
from engine.record import Record
from tests import factories

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

SLOW_BOT = factories.RANDOM_BOT.replace(
    'print("thinking"', '__import__("time").sleep(0.02)\n        print("thinking"'
)


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr("arena.jobs.app.send_task", lambda task, **_: messages.append(task))
    return messages


def queue(*sources):
    versions = [
        factories.make_ready_with(source=source, variants=["general"]) for source in sources
    ]
    return factories.make_match(*versions, ladder=factories.get_ladder("general"))


def test_one_nudge_is_enough_for_all_due(sent):
    upload = factories.make_upload(variants=["general"])
    for _ in range(2):
        queue(*[factories.RANDOM_BOT] * 2)
    sent.clear()

    assert work_loop.work(shift_s=3600.0) == 3
    assert jobs.WAKE_RUNNER not in sent
    tasks.wake_runner()  # a message for what is long done

    upload.refresh_from_db()
    assert upload.status == VersionStatus.READY
    assert set(Match.objects.values_list("status", "attempt")) == {(MatchStatus.FINISHED, 1)}
    assert RatingEvent.objects.count() == 4
    shares = dict(QueueShare.objects.values_list("name", "used_s"))
    assert set(shares) == {"checks", f"ladder {factories.get_ladder('general').pk}"}
    assert min(shares.values()) > 0.0


def test_end_of_shift_leaves_nudge_for_others(sent):
    for _ in range(2):
        queue(*[factories.RANDOM_BOT] * 2)
    sent.clear()

    assert work_loop.work(shift_s=0.0) == 1

    assert sent.count(jobs.WAKE_RUNNER) == 1
    assert Match.objects.filter(status=MatchStatus.QUEUED).count() == 1


def test_nothing_due_is_no_error_and_no_nudge(sent):
    assert work_loop.work() == 0
    assert sent == []


def test_who_keeps_the_runner_waiting_is_known(sent, monkeypatch):
    match = queue(SLOW_BOT, factories.RANDOM_BOT)
    heard = {}
    monkeypatch.setattr(
        "arena.domain.queue.dispatch.record_job_cost", lambda **given: heard.update(given)
    )

    work_loop.work(shift_s=0.0)

    bots = dict(match.entrants.values_list("position", "version__bot"))
    charged_s = defaultdict[int, float](float)
    for game in match.games.all():
        record = Record.from_json(record_compression.unpacked(blob=bytes(game.record.blob)))
        for played in record.actions:
            charged_s[bots[game.seats[played.seat]]] += played.charged_ms / 1000
    assert heard["bot_clock_s"].keys() == charged_s.keys() == set(bots.values())
    for bot, seconds in charged_s.items():  # and what the start of each game was charged
        assert heard["took_s"] > heard["bot_clock_s"][bot] > seconds
    assert max(charged_s.values()) > 0  # of a quick one, milliseconds may be all zero
