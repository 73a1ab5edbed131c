"""A site that answers as a test tells it, and a home without settings."""

from random import Random
from types import SimpleNamespace

import pytest

from tests.unit.botkit.small_site import serve


@pytest.fixture(autouse=True)
def drawn_seeds(monkeypatch):
    """Draw the seeds that no command line names; each test gets the same ones."""
    source = SimpleNamespace(randbits=Random(1).getrandbits)
    for module in ("checking", "game_options"):
        monkeypatch.setattr(f"botkit.commands.{module}.secrets", source)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return an empty folder for settings, with no variable of the command line set."""
    for name in ("DRAPEAU_SITE", "DRAPEAU_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "drapeau"


@pytest.fixture
def bare_site():
    """Yield a small site that answers 404 to everything."""
    site, server = serve()
    yield site
    server.shutdown()
    server.server_close()


@pytest.fixture
def site(bare_site, home, monkeypatch):
    """Return a small site that is chosen, with a token and a user `ada`."""
    monkeypatch.setenv("DRAPEAU_SITE", bare_site.url)
    monkeypatch.setenv("DRAPEAU_TOKEN", "secretsecretsecret")
    bare_site.tell("GET /api/v1/me", {"username": "ada"})
    return bare_site
