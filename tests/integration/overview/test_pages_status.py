"""The status page says in plain words what the arena does, and nothing of hosts and processes."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from arena.domain.queue import health, site_status
from arena.domain.queue.health import HealthCheck, Readiness
from arena.models import Match, Version
from arena.texts import queries as texts
from tests import factories

pytestmark = pytest.mark.django_db


def ask(client):
    response = client.get("/status/")
    assert response.status_code == 200
    return response.content.decode()


def wait_since(seconds):
    Match.objects.update(queued_at=timezone.now() - timedelta(seconds=seconds))


def test_it_plays_while_a_runner_has_a_match(client):
    idle = ask(client)
    assert "Nothing waits to be played." in idle
    assert "No problem is known." in idle
    factories.make_begun_match()
    factories.make_match()
    recent, old = (factories.make_match() for _ in range(2))
    for match in (recent, old):
        factories.play_out(match, [1, 0])
    Match.objects.filter(pk=old.pk).update(finished_at=timezone.now() - timedelta(hours=2))
    cache.clear()

    page = ask(client)
    found = site_status.present()

    assert "The arena is playing." in page
    assert (found.matches_in_work, found.matches_waiting, found.finished_lately) == (1, 1, 1)


def test_waiting_match_begins_soon_or_arena_is_stuck(client, settings):
    factories.make_match()
    wait_since(5)
    assert "will begin soon" in ask(client)

    cache.clear()
    wait_since(settings.QUEUE_ALARM_S + 60)
    page = ask(client)

    assert "nothing is being played" in page
    assert "The queue is slow." in page
    assert "No problem is known" not in page


def test_every_problem_has_words_without_details(client, monkeypatch):
    names = [check.name for check in health.ready().checks]
    checks = tuple(
        HealthCheck(name, ok=False, detail="host17:5432 refused")
        for name in (*names, "something-new")
    )
    monkeypatch.setattr(health, "ready", lambda: Readiness(checks))

    page = ask(client)

    assert "host17" not in page
    assert str(texts.SOME_PROBLEM) in page
    assert set(names) - set(texts.PROBLEMS) == {"database"}  # without it there is no page
    assert [text for text in texts.PROBLEMS.values() if str(text) not in page] == []


def test_many_visitors_cost_one_look(client, django_assert_num_queries):
    ask(client)
    Version.objects.all().delete()

    with django_assert_num_queries(0):
        ask(client)
