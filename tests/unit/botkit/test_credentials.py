"""Where the command line keeps the token: the keyring, or a file for its owner alone."""

import json
import resource
import stat
import sys
from types import SimpleNamespace

import pytest

from botkit import credentials
from botkit.credentials import BadSettings

SITE = "https://arena.example"


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", None)


class KeyringError(Exception):
    """As the library names it."""


class Ring(SimpleNamespace):
    """A stand-in for the library `keyring`, which the project does not install."""

    def __init__(self, priority=1, *, locked=False):
        super().__init__(errors=SimpleNamespace(KeyringError=KeyringError), kept={}, locked=locked)
        self.priority = priority

    def get_keyring(self):
        return self

    def get_password(self, service, name):
        return self.kept.get((service, name))

    def set_password(self, service, name, word):
        if self.locked:
            raise KeyringError
        self.kept[service, name] = word

    def delete_password(self, service, name):
        if self.kept.pop((service, name), None) is None:
            raise KeyringError


def test_without_keyring_private_file_has_token(home):
    where = credentials.keep(SITE, "secret", "t_1")

    assert where == str(home / "tokens.json")
    assert credentials.kept(SITE) == {"token": "secret", "id": "t_1"}
    assert credentials.kept("https://other.example") == {}
    assert stat.S_IMODE((home / "tokens.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_keyring_has_it_where_there_is_one(home, monkeypatch):
    credentials.keep(SITE, "older", "t_0")
    ring = Ring()
    monkeypatch.setitem(sys.modules, "keyring", ring)

    assert credentials.keep(SITE, "secret", "t_1") == "the keyring"
    assert credentials.kept(SITE) == {"token": "secret", "id": "t_1"}
    assert json.loads((home / "tokens.json").read_text()) == {}
    credentials.forget(SITE)
    assert (credentials.kept(SITE), ring.kept) == ({}, {})


@pytest.mark.parametrize("ring", [Ring(priority=0), Ring(locked=True)])
def test_keyring_keeping_nothing_leaves_it_to_file(ring, home, monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", ring)

    assert credentials.keep(SITE, "secret", "t_1") == str(home / "tokens.json")
    assert credentials.kept(SITE)["token"] == "secret"


def test_file_that_cannot_be_finished_leaves_old(home):
    credentials.keep(SITE, "secret", "t_1")
    before = (home / "tokens.json").read_text()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(BadSettings, match=r"tokens\.json: cannot be written: File too large"):
            credentials.keep("https://other.example", "secret" * 100, "t_2")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert (home / "tokens.json").read_text() == before
    assert {path.name for path in home.iterdir()} == {"tokens.json"}


@pytest.mark.parametrize("content", ["{", "[]"])
def test_broken_file_is_named_with_way_out(content, home):
    home.mkdir(parents=True)
    (home / "config.json").write_text(content)

    with pytest.raises(BadSettings, match=r"config\.json: not .*Correct it, or delete it"):
        credentials.read_settings()
