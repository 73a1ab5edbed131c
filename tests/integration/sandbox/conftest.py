"""Tests that run side by side share no user ids: the kernel counts what bots have per user."""

import os

import pytest

from sandbox import limits
from tests.sandbox import doctored

RANGES_BELOW = 10  # for the site's tests, which run bots too


@pytest.fixture(autouse=True, scope="session")
def _users_of_our_own():
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    first = limits.FIRST_UID + limits.SLOTS * (RANGES_BELOW + int(worker) % RANGES_BELOW)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAPEAU_FIRST_UID", str(first))
        yield


@pytest.fixture(autouse=True, scope="session")
def _nothing_doctored_left():
    yield
    doctored.clear()
