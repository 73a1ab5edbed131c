"""The numbers for Prometheus, read back with its own parser."""

import pytest
from django.core.cache import cache
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

import arena.http_metrics  # noqa: F401 - a process that answers requests has loaded it
from arena.domain.bots import versions
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import metrics, runner_figures
from arena.models import MatchKind
from tests import factories
from tests.clocks import Clock

pytestmark = pytest.mark.django_db

OF_THE_PROCESS = ("drapeau_http_", "process_", "python_")


@pytest.fixture
def clock(monkeypatch, settings):
    settings.QUEUE_ALARM_S = 600
    return Clock(monkeypatch)


def scrape():
    """Return every sample by its name and the values of its labels."""
    text = metrics.exposition().decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.name.startswith(OF_THE_PROCESS)
    }


def test_the_queue_is_counted_by_kind_and_status(clock):
    mine, other = factories.make_ready(), factories.make_ready()
    lifecycle.create_match(
        ladder=factories.get_ladder(),
        versions=[mine, other],
        purpose=Purpose(MatchKind.CHALLENGE),
    )
    for _ in range(2):
        factories.make_match(mine, other)
    factories.claim(factories.make_match(mine, other))
    upload = factories.make_upload()
    factories.make_upload()
    assert versions.claim(version_pk=upload.pk)
    clock.move(601)

    found = scrape()

    assert {key[1:]: value for key, value in found.items() if key[0] == "drapeau_queue_items"} == {
        ("challenge", "queued"): 1,
        ("ladder", "queued"): 2,
        ("ladder", "leased"): 1,
        ("version", "uploaded"): 1,
        ("version", "scanning"): 1,
    }
    assert found["drapeau_queue_oldest_wait_seconds",] == 601
    assert found["drapeau_queue_alarm",] == 1
    assert found["drapeau_runner_jobs",] == 2


def endings(found):
    """Return the matches that ended, by ending, kind and ladder, without those that are 0."""
    return {
        key[1:]: value
        for key, value in found.items()
        if key[0] == "drapeau_matches_ended_total" and value
    }


def end_one_of_each():
    mine, other = factories.make_ready(), factories.make_ready()
    factories.play_out(factories.make_match(mine, other), [1.0, 0.0])
    forfeit = factories.make_match(mine, other)
    factories.finish_with(
        forfeit, ({"red": 0.0, "blue": 1.0}, "red"), ({"red": 0.0, "blue": 1.0}, "")
    )
    lifecycle.cancel(match=factories.make_match(mine, other), reason="a test")


ONE_OF_EACH = {
    ("played", "ladder", "classic"): 1,  # as the labels are sorted: ending, kind, ladder
    ("forfeit", "ladder", "classic"): 1,
    ("cancelled", "ladder", "classic"): 1,
}


def test_ended_matches_counted_once_by_ladder_kind_ending(clock):
    before = scrape()
    assert endings(before) == {}
    assert before["drapeau_matches_ended_total", "failed", "ladder", "classic"] == 0
    end_one_of_each()
    clock.move(1)
    found = scrape()
    assert endings(found) == ONE_OF_EACH
    assert found["drapeau_rating_events_total", "classic"] == 4
    clock.move(301)
    assert endings(scrape()) == ONE_OF_EACH  # kept from here on
    kept = cache.get(metrics.CACHE_KEY)
    assert sum(kept.matches.values()) == 3

    clock.move(60)
    end_one_of_each()
    clock.move(1)
    twice = {key: 2 * count for key, count in ONE_OF_EACH.items()}
    assert endings(scrape()) == twice
    clock.move(301)
    assert endings(scrape()) == twice
    assert scrape()["drapeau_rating_events_total", "classic"] == 8

    cache.clear()  # without it, the count begins anew and older matches are left alone
    assert endings(scrape()) == {}


def test_runner_reports_are_shown_by_runner_and_state(clock):
    launcher = {"running": 2, "waiting": 3, "started": 40, "failed": 1, "refused": 0}
    runner_figures.report(runner="runner@one", slots=4, busy=3, launcher=launcher)
    runner_figures.report(runner="runner@two", slots=2, busy=0, launcher=None, in_trouble=True)

    found = scrape()

    assert {key: found[key] for key in found if "runner@" in "".join(key)} == {
        ("drapeau_runner_slots", "runner@one"): 4,
        ("drapeau_runner_slots", "runner@two"): 2,
        ("drapeau_runner_busy_slots", "runner@one"): 3,
        ("drapeau_runner_busy_slots", "runner@two"): 0,
        ("drapeau_runner_report_timestamp_seconds", "runner@one"): timezone.now().timestamp(),
        ("drapeau_runner_report_timestamp_seconds", "runner@two"): timezone.now().timestamp(),
        ("drapeau_runner_clock_skew_seconds", "runner@one"): 0,
        ("drapeau_runner_clock_skew_seconds", "runner@two"): 0,
        ("drapeau_runner_in_trouble", "runner@one"): 0,
        ("drapeau_runner_in_trouble", "runner@two"): 1,
        ("drapeau_launcher_containers", "runner@one", "running"): 2,
        ("drapeau_launcher_containers", "runner@one", "waiting"): 3,
        ("drapeau_launcher_orders_total", "started", "runner@one"): 40,
        ("drapeau_launcher_orders_total", "failed", "runner@one"): 1,
        ("drapeau_launcher_orders_total", "refused", "runner@one"): 0,
    }
