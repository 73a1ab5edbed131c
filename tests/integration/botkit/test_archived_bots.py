"""A version that a site keeps plays at home: `drapeau play zoe/mine@3 drunkard`."""

import json
import zipfile

import pytest

from arena.models import VersionArchive
from botkit.package import zipped
from tests import factories
from tests.integration.api import rows
from tests.unit.botkit.homes import BOT, MANIFEST, drapeau, refusal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada():
    return rows.user("ada")


@pytest.fixture(autouse=True)
def _at_home(live_server, ada, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("DRAPEAU_SITE", live_server.url)
    monkeypatch.setenv("DRAPEAU_TOKEN", rows.token(ada))


def archived(owner, data, filename):
    version = factories.make_ready(factories.make_bot(owner, "rook"), variants=["general"])
    VersionArchive.objects.filter(version=version).update(data=data)
    type(version).objects.filter(pk=version.pk).update(filename=filename)


def zip_of(top, more=None):
    manifest = MANIFEST.format(name="Rook", variant="general")
    files = {f"{top}drapeau.toml": manifest.encode(), f"{top}bot.py": BOT.encode()}
    return zipped({**files, **(more or {})})


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (BOT.encode(), "rook.py"),
        (zip_of("rook/", {"__MACOSX/rook/._bot.py": b"x"}), "rook.ZIP"),
    ],
    ids=["file", "folder in a zip of macOS"],
)
def test_it_plays_and_is_downloaded_once(ada, data, filename, tmp_path, capfd, monkeypatch):
    archived(ada, data, filename)
    words = ("--variant", "general", "--seed", "1", "--json", "--record-dir")

    first = json.loads(drapeau(capfd, "play", "ada/rook@1", "rook@1", *words, tmp_path / "first"))
    monkeypatch.setenv("DRAPEAU_SITE", "http://127.0.0.1:1")
    host = tmp_path / "cache/drapeau/archives"
    (kept,) = host.iterdir()
    kept.rename(host / "127.0.0.1:1")  # of a site that does not answer any more
    second = json.loads(
        drapeau(capfd, "play", "ada/rook@1", "ada/rook@1", *words, tmp_path / "second")
    )

    assert [bot["name"] for bot in first["bots"]] == ["ada/rook@1", "rook@1"]
    assert first["games"][0]["termination"] == second["games"][0]["termination"]
    assert first["games"][0]["actions"] == second["games"][0]["actions"]


def test_name_without_site_says_how_it_was_read(capfd, monkeypatch):
    monkeypatch.setenv("DRAPEAU_SITE", "")

    said = refusal(capfd, "play", "ada/rook@1", "ada/rook@2", status=2)

    assert said.startswith("ada/rook@1 is a version of a bot on a site, and no site is chosen.")


def test_those_of_others_stay_there(ada, tmp_path, capfd):
    archived(factories.make_user("eve"), BOT.encode(), "rook.py")

    said = refusal(capfd, "play", "eve/rook@1", "eve/rook@1", "--variant", "general")
    none = refusal(capfd, "play", "ada/rook@1", "ada/rook@1", status=2)

    assert "belongs to eve" in said
    assert "has nothing at bots/ada/rook/versions/1" in none
    assert not (tmp_path / "cache").exists()


def test_what_is_no_archive_is_not_kept(ada, tmp_path, capfd):
    archived(ada, zipped({"../bot.py": b"", "drapeau.toml": b""}), "rook.zip")

    said = refusal(capfd, "play", "ada/rook@1", "ada/rook@1", "--variant", "general")

    assert said.startswith("ada/rook@1: its files cannot be kept: ")
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_a_large_archive_is_not_unpacked(ada, tmp_path, capfd):
    path = tmp_path / "large.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("bot.py", b" " * (64 * 2**20 + 1))
    archived(ada, path.read_bytes(), "rook.zip")

    said = refusal(capfd, "play", "ada/rook@1", "ada/rook@1", "--variant", "general")

    assert "too large" in said
