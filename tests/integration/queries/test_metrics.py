"""The numbers for Prometheus, read back with its own parser."""

import pytest
from django.core.cache import cache
from prometheus_client.parser import text_string_to_metric_families

from arena.domain.bots import versions
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queries import metrics
from arena.models import MatchKind
from tests import factories
from tests.clocks import Clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch, settings):
    settings.QUEUE_ALARM_S = 600
    return Clock(monkeypatch)


@pytest.fixture(autouse=True)
def nothing_kept():
    cache.clear()
    yield
    cache.clear()


def scrape():
    """Return every sample by its name and the values of its labels."""
    text = metrics.exposition().decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_site_without_anything_has_its_gauges(clock):
    found = scrape()

    assert found == {
        ("drapeau_queue_oldest_wait_seconds",): 0.0,
        ("drapeau_queue_alarm",): 0.0,
        ("drapeau_runners",): 1.0,
        ("drapeau_runner_jobs",): 0.0,
        ("drapeau_clock_skew_seconds",): 0.0,
        ("drapeau_first_game_versions",): 0.0,
        ("drapeau_first_game_waiting",): 0.0,
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
    return {
        key[1:]: value for key, value in found.items() if key[0] == "drapeau_matches_ended_total"
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


def test_matches_that_ended_are_counted_by_ladder_kind_and_ending(clock):
    end_one_of_each()

    found = scrape()

    assert endings(found) == ONE_OF_EACH
    assert found["drapeau_rating_events_total", "classic"] == 4


def test_what_was_counted_is_not_counted_again_nor_forgotten(clock):
    end_one_of_each()
    assert endings(scrape()) == ONE_OF_EACH
    clock.move(301)
    assert endings(scrape()) == ONE_OF_EACH  # kept from here on
    kept = cache.get(metrics.CACHE_KEY)
    assert sum(kept.matches.values()) == 3

    clock.move(60)
    end_one_of_each()
    twice = {key: 2 * count for key, count in ONE_OF_EACH.items()}
    assert endings(scrape()) == twice
    clock.move(301)
    assert endings(scrape()) == twice
    assert scrape()["drapeau_rating_events_total", "classic"] == 8

    cache.clear()
    assert endings(scrape()) == twice


def test_the_wait_for_a_first_game_is_there_when_it_is_known(clock):
    mine, other = factories.make_ready(), factories.make_ready()
    clock.move(42)
    match = factories.make_match(mine, other)
    lifecycle.begin_game(lease=factories.claim(match), game=match.games.get(number=1))

    found = scrape()

    assert found["drapeau_first_game_seconds", "0.5"] == 42
    assert found["drapeau_first_game_seconds", "0.95"] == 42
    assert found["drapeau_first_game_versions",] == 2


@pytest.mark.parametrize("rows", [1, 12])
def test_a_scrape_takes_as_many_queries_for_many_rows_as_for_one(
    clock, rows, django_assert_num_queries
):
    mine, other = factories.make_ready(), factories.make_ready()
    for _ in range(rows):
        factories.make_match(mine, other)

    with django_assert_num_queries(17):
        metrics.exposition()
