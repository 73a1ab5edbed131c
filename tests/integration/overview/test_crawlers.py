"""What search engines are told: every page that everybody may see, in pages that cost little."""

from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest

from arena.models import REHEARSAL_OWNER, Bot
from arena.web.overview import sitemaps
from tests import factories
from tests.integration.tournaments.rows import make_tournament

pytestmark = pytest.mark.django_db

PLACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def places(client, address):
    response = client.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml")
    return [each.text for each in ET.fromstring(response.content).iter(PLACE)]


def listed_pages(client, section=""):
    """Return what the site lists, or a section of it: the ids of a test may be on a late page."""
    pages = [page for page in places(client, "/sitemap.xml") if section in page]
    return [place for page in pages for place in places(client, page)]


def test_each_listed_page_is_there(client):
    factories.make_ready()
    make_tournament()

    listed = listed_pages(client)

    assert len(listed) > 60
    assert {page: client.get(page).status_code for page in listed} == dict.fromkeys(listed, 200)


def test_drafts_and_bots_of_rehearsals_are_not_listed(client):
    make_tournament(slug="draft-cup", status="draft", entrants=0)
    shown = factories.make_bot()
    hidden = factories.make_bot(factories.make_user(REHEARSAL_OWNER))

    assert listed_pages(client, "/sitemap-tournaments.xml") == []
    bots = listed_pages(client, "/sitemap-bots.xml")

    assert bots == [f"http://testserver{shown.get_absolute_url()}"]
    assert hidden.get_absolute_url() not in bots


def test_a_page_has_a_range_of_ids(client, monkeypatch):
    monkeypatch.setattr(sitemaps.BotSitemap, "limit", 10)
    owner = factories.make_user("ada")
    Bot.objects.bulk_create(
        Bot(pk=pk, owner=owner, slug=f"b{pk}", name="B") for pk in (1, 10, 11, 35)
    )

    pages = [page for page in places(client, "/sitemap.xml") if "bots" in page]

    assert pages == [
        "http://testserver/sitemap-bots.xml",
        *(f"http://testserver/sitemap-bots.xml?p={number}" for number in (2, 3, 4)),
    ]
    found = [[place.split("/")[-2] for place in places(client, page)] for page in pages]
    assert found == [["b1", "b10"], ["b11"], [], ["b35"]]


@pytest.mark.parametrize("page", ["0", "2", "x", "9" * 5000])
def test_there_is_no_page_beyond_the_last_one(client, page):
    assert client.get(f"/sitemap-bots.xml?p={page}").status_code == 404


def test_robots_are_kept_from_pages_without_an_end(client):
    response = client.get("/robots.txt")
    rules = RobotFileParser()
    rules.parse(response.content.decode().splitlines())

    assert response["Content-Type"].startswith("text/plain")
    assert rules.site_maps() == ["http://testserver/sitemap.xml"]
    assert not rules.can_fetch("any", "http://testserver/search/?q=x")
    assert not rules.can_fetch("any", "http://testserver/api/v1/bots")
    assert rules.can_fetch("any", "http://testserver/bots/ada/greedy/")
