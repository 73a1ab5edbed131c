import pytest

from arena.server import streams
from tests.integration.server.served import served


@pytest.fixture
def impatient(monkeypatch):
    """Look at streams often."""
    monkeypatch.setattr(streams, "CHECK_S", 0.05)
    monkeypatch.setattr(streams, "READ_S", 0.02)


@pytest.fixture
def site():
    with served() as url:
        yield url
