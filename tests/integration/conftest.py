"""What the tests with rows, and those with real processes, share."""

import logging
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import translation
from rest_framework.test import APIClient

from arena.api.throttling import CallerThrottle
from arena.domain.queue import dispatch
from arena.runner import host_trouble
from tests import database_role, factories
from tests.clocks import Clock
from tests.integration.api import rows
from tests.world import making
from tools.gate import SLOW_FOLDERS

HERE = Path(__file__).parent
SHORT = 40  # plies: enough to see every part at work


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave the slow folders to `make test-all`."""
    for item in items:
        if any(HERE / folder in item.path.parents for folder in SLOW_FOLDERS):
            item.add_marker(pytest.mark.slow)


class Caller(APIClient):
    """A client under `/api/v1`, signed in with a token if it was given one."""

    def __init__(self, token=""):
        super().__init__()
        if token:
            self.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")

    def generic(self, method, path, *args, **kwargs):
        full = path if path.startswith(("/api/", "http")) else f"/api/v1{path}"
        return super().generic(method, full, *args, **kwargs)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        database_role.make()


@pytest.fixture(autouse=True, scope="session")
def _connected_cache():
    """Open the connection that the cache keeps: a test that looks for what is left expects it."""
    cache.clear()


@pytest.fixture(autouse=True)
def fresh_limits(monkeypatch, settings):
    """Begin every count anew, on a clock that stands: no test meets the seam of two minutes.

    A test sees what it has just changed: no page is kept, except where a test is about that. SQLite
    gives the numbers of versions again that a test before has had. The language of the last request
    and the rest of a starved host would stay, too.
    """
    cache.clear()
    translation.deactivate()
    settings.VISITOR_PAGES_KEPT_S = 0
    monkeypatch.setattr(CallerThrottle, "timer", lambda: 0.0)
    monkeypatch.setattr(dispatch, "bot_of_version", {})
    monkeypatch.setattr(host_trouble.Rest, "until_s", float("-inf"))


@pytest.fixture(autouse=True)
def drawn_secrets(monkeypatch):
    """Draw the secrets of matches and tournaments, from which all chance of games follows, anew.

    Each test gets the same ones in the same order, and no two rows of it get an equal one.
    """
    random = Random(1)
    source = SimpleNamespace(token_hex=lambda size: random.randbytes(size).hex())
    monkeypatch.setattr("arena.models.match_secrets.secrets", source)


@pytest.fixture
def clock(monkeypatch):
    """Return a clock of the site that stands until it is moved."""
    return Clock(monkeypatch)


@pytest.fixture
def anyone(db):
    return Caller()


@pytest.fixture
def signed_in(db):
    """Return a function that makes a caller for a user, with some scopes or with all."""
    return lambda owner, *scopes: Caller(rows.token(owner, *scopes))


@pytest.fixture
def whole_site(db, settings, monkeypatch):
    """Make the users, bots, matches and tournaments of `tests.world`, without limits on calls."""
    settings.OPEN_TOURNAMENTS_PER_USER = 12
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    monkeypatch.setattr(CallerThrottle, "allow_request", lambda *_: True)
    if connection.vendor == "postgresql":  # a busy machine can think for long between two requests
        with connection.cursor() as cursor:
            cursor.execute("SET idle_in_transaction_session_timeout = 0")
    making.make()
    connection.run_on_commit.clear()  # hundreds of calls; each rollback would look at all of them
    factories.analyze()  # without it, a database guesses and can take minutes for a page
    logging.disable(logging.CRITICAL)  # thousands of refusals are what is asked for
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def short_games_in_processes(settings):
    settings.ISOLATION = "process"
    settings.TRUST_BOTS = True
    factories.shorten_games(SHORT)


@pytest.fixture
def no_engine(settings, monkeypatch):
    """Ask for Docker where nothing listens."""
    settings.ISOLATION = "docker"
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    factories.look_at_the_machine_anew()
    yield
    factories.look_at_the_machine_anew()
