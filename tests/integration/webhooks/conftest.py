import pytest

from arena.domain.webhooks import receivers, webhooks
from tests.clocks import Clock
from tests.factories import make_user
from tests.integration.webhooks.receiver import receiver

EVERYTHING = [str(event) for event in webhooks.EVENTS]


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """Wait as long for receivers that answer as a busy machine takes."""
    monkeypatch.setattr(receivers, "TIMEOUT_S", 60.0)


@pytest.fixture
def impatience(monkeypatch, _patience):
    """Wait a short time only: the receivers of the test do not answer."""
    monkeypatch.setattr(receivers, "TIMEOUT_S", 1.0)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def ada(db):
    return make_user("ada")


@pytest.fixture
def listener(settings):
    """A receiver that takes everything."""
    with receiver(settings) as server:
        yield server


@pytest.fixture
def hooked(listener):
    """Return a function that gives a user a webhook for all events at the receiver."""

    def hook(user, events=EVERYTHING, url=""):
        made, _secret = webhooks.create(
            user=user, receiver=url or listener.url, events=events, site="https://arena.example"
        )
        return made

    return hook
