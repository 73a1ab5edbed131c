"""The alarm of the queue on pages, and the numbers for Prometheus."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.models import Match, User
from tests.factories import make_bot, make_upload, make_user
from tests.integration.web.played import waiting_match

pytestmark = pytest.mark.django_db

TOO_SLOW = "The queue is too slow"


def text_of(client, address, **headers):
    response = client.get(address, headers=headers)
    assert response.status_code == 200, address
    return response.content.decode()


def test_alarm_is_on_every_page_for_staff(client, settings):
    settings.QUEUE_ALARM_S = 600
    match = waiting_match()
    queued_at = timezone.now() - timedelta(seconds=720)
    Match.objects.filter(pk=match.pk).update(queued_at=queued_at)

    def shown():
        return [TOO_SLOW in text_of(client, address) for address in ("/bots/", "/matches/")]

    assert shown() == [False, False]
    client.force_login(make_user())
    assert shown() == [False, False]
    staff = User.objects.create_user("operator", is_staff=True)
    client.force_login(staff)
    assert shown() == [True, True]
    assert text_of(client, "/queue/").count(TOO_SLOW) == 1

    Match.objects.filter(pk=match.pk).update(queued_at=timezone.now())

    assert shown() == [False, False]


def test_metrics_are_for_staff_and_token_holders(client, settings):
    settings.METRICS_TOKEN = "a long secret"

    for header in ("", "Bearer", "Bearer ", "Bearer a long", "Basic a long secret", "Bearer é"):
        refused = client.get("/metrics", headers={"Authorization": header})
        assert (refused.status_code, refused.content) == (401, b"")
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    given = client.get("/metrics", headers={"Authorization": "Bearer a long secret"})
    assert given.status_code == 200
    assert given.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert b"drapeau_queue_oldest_wait_seconds 0.0" in given.content

    client.force_login(make_user())
    assert client.get("/metrics").status_code == 401
    client.force_login(User.objects.create_user("operator", is_staff=True))
    assert client.get("/metrics").status_code == 200


def test_without_a_token_metrics_are_closed_to_strangers(client, settings):
    settings.METRICS_TOKEN = ""

    for header in ("Bearer ", "Bearer", ""):
        assert client.get("/metrics", headers={"Authorization": header}).status_code == 401


def test_long_queue_has_pages_that_keep_filter(client, monkeypatch):
    monkeypatch.setattr("arena.domain.queue.queue_places.ROWS", 2)
    owner = make_user()
    uploads = [make_upload(make_bot(owner)) for _ in range(3)]
    client.force_login(owner)

    first = text_of(client, "/queue/?mine=1")
    second = text_of(client, "/queue/?page=2&mine=1")

    assert 'href="?mine=1&amp;page=2"' in first
    assert [upload.bot.get_absolute_url() in second for upload in uploads] == [False, False, True]
    assert 'href="?page=1&amp;mine=1"' in second
