"""What the tests with real processes share."""

import pytest

from tests import factories

SHORT = 80  # plies: enough to see every part at work


@pytest.fixture
def short_games_in_processes(settings, monkeypatch):
    settings.ISOLATION = "process"
    settings.TRUST_BOTS = True
    monkeypatch.setattr("arena.runner.check_games.SMOKE_MAX_PLIES", SHORT)
    factories.shorten_games(SHORT)


@pytest.fixture
def no_engine(settings, monkeypatch):
    """Ask for Docker where nothing listens."""
    settings.ISOLATION = "docker"
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    factories.look_at_the_machine_anew()
    yield
    factories.look_at_the_machine_anew()
