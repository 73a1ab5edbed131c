"""The users of the broker in `compose.yaml`: who may publish and read what is watched."""

import re
import secrets
from urllib.parse import urlsplit

import pytest
import redis

from arena.domain.matches.live_log import START, LiveEntry, LiveLogAway, RedisLog
from tests.tree import text

LINE = re.compile(r"^ +--user, (\w+), (.*),$", re.MULTILINE)


@pytest.fixture
def as_user(settings):
    """Return a function that makes a log with the rights of a user of `compose.yaml`."""
    url, made = settings.CELERY_BROKER_URL, []
    rights = dict(LINE.findall(text("compose.yaml")))
    server = redis.Redis.from_url(url)

    def log_of(name):
        words = re.findall(r'"([^"]+)"', rights[name])
        allowed = [word for word in words if not word.startswith(">")]
        own, password = f"{name}-{secrets.token_hex(4)}", secrets.token_hex(8)
        server.execute_command("ACL", "SETUSER", own, *allowed, f">{password}")
        made.append(own)
        parts = urlsplit(url)
        return RedisLog(
            parts._replace(netloc=f"{own}:{password}@{parts.netloc.rpartition('@')[2]}").geturl()
        )

    yield log_of
    server.execute_command("ACL", "DELUSER", *made)
    server.delete("live:log:m:public", "live:watch:m:public")
    server.close()


def test_site_says_what_is_watched_and_runner_publishes(as_user):
    site, runner = as_user("web"), as_user("runner")

    site.watch(["m:public"])
    assert runner.watched(["m:public"]) == {"m:public"}
    runner.put("m:public", LiveEntry(START, "a", 1, 0, "{}"))

    assert [entry.data for entry in site.reader().read({"m:public"})["m:public"]] == ["{}"]


@pytest.mark.parametrize("name", ["worker", "beat"])
def test_other_services_have_nothing_to_do_with_it(as_user, name):
    log = as_user(name)

    for act in (lambda: log.watch(["m:public"]), lambda: log.reader().read({"m:public"})):
        with pytest.raises(LiveLogAway, match="permissions"):
            act()
