"""What is too much is answered with 429, and every answer says how much is left."""

import itertools
import os
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from arena.api import throttling
from arena.api.throttling import CallerThrottle
from arena.forgiving_cache import ForgivingRedisCache
from arena.models import Version
from tests import factories
from tests.clocks import Clock
from tests.integration.api import rows
from tests.integration.matches.test_at_once import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def three_calls(settings):
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "calls": "3/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}


def test_every_answer_says_how_many_calls_are_left(anyone, three_calls, monkeypatch):
    monkeypatch.setattr(CallerThrottle, "timer", lambda: 77.5)

    found = [anyone.get("/ladders"), anyone.get("/bots/nobody/none")]

    assert [answer["RateLimit"] for answer in found] == ['"calls";r=2;t=43', '"calls";r=1;t=43']
    assert {answer["RateLimit-Policy"] for answer in found} == {'"calls";q=3;w=60'}


def test_one_call_too_many_429_until_next_minute(anyone, three_calls, monkeypatch):
    clock = Clock(monkeypatch)
    for _ in range(3):
        assert anyone.get("/ladders").status_code == 200

    refused = anyone.get("/ladders")

    assert refused.status_code == 429
    assert refused["Content-Type"] == "application/problem+json"
    assert refused["Retry-After"] == "60"
    body = refused.json()
    assert body["code"] == "rate_limited"
    reset_at = datetime.fromisoformat(body["ratelimit"].pop("reset_at"))
    assert body["ratelimit"] == {"key": "calls", "limit": 3, "remaining": 0, "seconds": 60}
    assert reset_at == clock.after(60)
    monkeypatch.setattr(CallerThrottle, "timer", lambda: 60.0)
    assert anyone.get("/ladders").status_code == 200


@pytest.mark.parametrize("token", ["", "Bearer drp_" + "0" * 64])
def test_what_is_refused_is_counted_too(anyone, three_calls, token):
    anyone.credentials(HTTP_AUTHORIZATION=token)

    answers = [anyone.get("/me").status_code for _ in range(4)]

    assert answers == [401, 401, 401, 429]


def test_callers_are_counted_apart(anyone, signed_in, three_calls):
    ada, grace = rows.user("ada"), rows.user("grace")
    for _ in range(4):
        last = signed_in(ada).get("/ladders")  # another token each time, the same caller

    assert last.status_code == 429
    assert signed_in(grace).get("/ladders").status_code == 200
    assert anyone.get("/ladders").status_code == 200


def test_count_loses_nobody_asking_at_same_moment():
    came = at_once(*[lambda: [throttling._count("k", 60) for _ in range(50)]] * 8)

    assert sorted(itertools.chain(*came)) == list(range(1, 401))


@pytest.mark.services
def test_processes_that_share_a_cache_count_together(monkeypatch):
    shared = os.environ["DRAPEAU_TEST_REDIS_URL"].removesuffix("/0") + "/1"
    counted = []
    for _ in range(3):
        of_a_process = ForgivingRedisCache(shared, {"KEY_PREFIX": "test-shared"})
        monkeypatch.setattr(throttling, "cache", of_a_process)
        counted.append(throttling._count("k", 60))
    of_a_process.delete("k")

    assert counted == [1, 2, 3]


def test_nobody_is_refused_while_shared_cache_is_away(anyone, monkeypatch, caplog):
    away = ForgivingRedisCache("redis://127.0.0.1:1/1", {"OPTIONS": {}})
    monkeypatch.setattr(throttling, "cache", away)

    answer = anyone.get("/ladders")

    assert answer.status_code == 200
    assert answer["RateLimit"] == '"calls";r=599;t=60'
    assert "cache_unreachable" in caplog.text
    # What allauth asks for: its lock is had, its history is empty.
    assert away.add("lock", 1, timeout=1)
    assert away.get("history", []) == []
    away.set("history", [1.0], 60)
    assert not away.delete("lock")


def test_a_quota_is_429_with_the_same_members(signed_in, settings, monkeypatch):
    Clock(monkeypatch)
    settings.UPLOADS_PER_DAY = 1
    ada = rows.user("ada")
    version = factories.make_upload(factories.make_bot(ada))
    an_hour_left = timezone.now() - timedelta(hours=23)
    Version.objects.filter(pk=version.pk).update(created_at=an_hour_left)

    with (settings.HOUSE_BOTS_DIR / "drunkard" / "bot.py").open("rb") as file:
        refused = signed_in(ada).post(f"/bots/{version.bot}/versions", {"file": file})

    assert refused.status_code == 429
    body = refused.json()
    assert body["code"] == "too_many_uploads"
    assert body["type"] == "urn:drapeau:problem:too_many_uploads"
    limit = body["ratelimit"]
    assert (limit["key"], limit["limit"], limit["remaining"]) == ("uploads", 1, 0)
    assert refused["Retry-After"] == str(limit["seconds"])
    assert limit["seconds"] == 3600


def test_me_shows_used_and_when_free_again(signed_in):
    ada = rows.user("ada")
    version = factories.make_upload(factories.make_bot(ada))

    uploads, *unused = signed_in(ada).get("/me").json()["quotas"]

    reset_at = datetime.fromisoformat(uploads.pop("reset_at"))
    assert reset_at == version.created_at + timedelta(hours=24)
    day = {"window_s": 86_400}
    assert uploads == {"key": "uploads", "limit": 100, "used": 1, "remaining": 99, **day}
    assert unused == [
        {"key": key, "limit": most, "used": 0, "remaining": most, "reset_at": None, **day}
        for key, most in (("challenges", 50), ("reports", 10))
    ]
