"""The manual of the site: its pages, their links, the SDK, and starters that pass the checks."""

import io
import re
import zipfile
from collections import Counter
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest

import botkit
from arena.domain.bots import bots, languages, manual, sdk_reference
from arena.models import VersionStatus
from botkit import positions, starters, worlds
from botkit.game_modules import game_modules
from botkit.package import zipped
from engine import registry
from tests import factories
from tests.tree import text

pytestmark = pytest.mark.django_db

PAGES = [entry.path for section in manual.sections() for entry in section.entries]
START = "/docs/"


def page(client, address):
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def main(html):
    """Return what stands between the frame of every page."""
    return re.split(r"</?main[^>]*>", html)[1]


def links(html):
    return [unescape(each) for each in re.findall(r'href="([^"]+)"', main(html))]


def own_pages(client):
    """Return the pages of the manual that can be reached from its first one, by address."""
    found, left = {}, [START]
    while left:
        address = left.pop()
        if address in found or not address.startswith(START) or address.endswith(".zip"):
            continue
        found[address] = page(client, address)
        left += [urlsplit(urljoin(address, link)).path for link in links(found[address])]
    return found


def test_every_link_leads_to_page_and_heading(client):
    found = own_pages(client)

    assert {f"/docs/{path}/" for path in PAGES} <= set(found)
    for address, html in found.items():
        for link in links(html):
            target = urlsplit(urljoin(address, link))
            if target.netloc:
                assert target.scheme == "https", (address, link)
                continue
            if target.path not in found:
                assert client.get(target.path).status_code == 200, (address, link)
            if target.fragment:
                there = found.get(target.path) or page(client, target.path)
                assert f'id="{target.fragment}"' in there, (address, link)


def test_manual_has_no_operator_or_developer_page(client):
    titles = [section.title for section in manual.sections()]

    assert titles == [
        "Tutorials",
        "How-to for authors of bots",
        "How-to for organizers",
        "Reference",
        "Explanation",
    ]
    for path in ("how-to/run-in-production", "reference/settings", "adr/0001-record-decisions"):
        assert client.get(f"/docs/{path}/").status_code == 404


def test_site_image_has_every_manual_page():
    kept = re.findall(r"^!(docs/\S+)$", text(".dockerignore"), re.MULTILINE)

    for path in ("index", *PAGES):
        assert any(f"docs/{path}.md".startswith(each) for each in kept), path


def test_sdk_reference_describes_every_public_name(client):
    html = page(client, "/docs/sdk/")

    headings = re.findall(r'<h2 id="[^"]+">([\w.]+)</h2>', html.partition("<article")[2])
    beside = [
        f"{module.__name__.removeprefix('botkit.')}.{name}"
        for module in (worlds, positions)
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    ]
    assert {"worlds.World", "worlds.Knowledge", "positions.read"} < {*beside}
    of_games = [name for typed in game_modules("typed_view") for name in typed.__all__]
    assert Counter(headings) == Counter([*{*botkit.__all__, *of_games}, *beside])
    sections = sdk_reference.as_markdown().split("\n## ")[1:]
    assert [each for each in sections if len(each.split("\n\n")[2].strip()) < 10] == []


def test_starters_offered_for_every_game_and_site_language(client):
    languages.report(names=["python", "java"], takes_uploads=True)

    html = page(client, "/docs/starters/")

    offered = [link for link in links(html) if link.endswith(".zip")]
    assert offered == [
        f"/docs/starters/{slug}/{lang}.zip"
        for slug in registry.variants()
        for lang in ("python-kit", "python", "java")
        if lang in starters.languages_of(slug)
    ]
    for address in offered:
        with zipfile.ZipFile(io.BytesIO(client.get(address).content)) as archive:
            assert {"README.md", "drapeau.toml"} < set(archive.namelist())
    assert "This site plays bots in Python (.py) or Java (.java)." in " ".join(html.split())
    for address in ("classic/node", "nothing/python", "classic/cobol"):
        assert client.get(f"/docs/starters/{address}.zip").status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("short_games_in_processes")
@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=() if slug == "general" else pytest.mark.slow)
        for slug in registry.variants()
    ],
)
def test_downloaded_starter_passes_checks_as_it_is(client, slug):
    data = client.get(f"/docs/starters/{slug}/python-kit.zip").content
    version = bots.submit_version(bot=factories.make_bot(), filename="starter.zip", data=data)

    factories.validate(version_pk=version.pk)

    version.refresh_from_db()
    assert (version.status, version.reason) == (VersionStatus.READY, "")
    assert version.variants == [slug]


def test_zip_of_same_files_is_same():
    files = {"b": b"1", "a": b"2"}

    assert zipped(files) == zipped(dict(reversed(files.items())))
