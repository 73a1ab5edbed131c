import pytest

from tests.integration.tournaments import making, playing


@pytest.fixture
def cup(db):
    """Return a round robin of four, its first round drawn."""
    return playing.begin()


@pytest.fixture
def console(client, cup):
    """Return a client whose user organizes the cup."""
    client.force_login(making.organizer(cup))
    return client
