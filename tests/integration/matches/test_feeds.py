"""Feeds have the results that everybody may see, and are sent only when they change."""

from xml.etree import ElementTree as ET

import pytest

from arena.models import Match, Release, TournamentRound
from tests import embargoes, factories
from tests.clocks import Clock
from tests.integration.tournaments.rows import make_tournament

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(client, address):
    response = client.get(address)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/atom+xml")
    root = ET.fromstring(response.content)
    return [
        (entry.findtext(f"{ATOM}title"), link.get("href"))
        for entry in root.iter(f"{ATOM}entry")
        for link in entry.iter(f"{ATOM}link")
    ]


def test_bots_and_ladders_have_feeds_of_finished_matches(client):
    first, second = factories.make_ready(), factories.make_ready()
    first.bot.name = "A < B & C"
    first.bot.save()
    played = factories.make_match(first, second)
    factories.play_out(played, [1, 0.5])
    factories.make_begun_match(first, second)
    factories.play_out(factories.make_match(), [1, 0])
    wanted = (
        f"A < B & C 1½ \N{EN DASH} {second.bot.name} ½",
        f"http://testserver{played.get_absolute_url()}",
    )

    assert entries(client, f"{first.bot.get_absolute_url()}results.atom") == [wanted]
    of_ladder = entries(client, "/ladders/classic/results.atom")
    assert (len(of_ladder), of_ladder[1]) == (2, wanted)


def test_tournament_has_results_of_public_rounds(client, monkeypatch):
    Clock(monkeypatch)
    world = embargoes.draw_round(embargoes.make_world(), Release.HIDDEN)
    client.force_login(world.organizer)  # sees the round, and the feed is for everybody
    feeds = ("/tournaments/stars/", world.versions[0].bot.get_absolute_url(), "/ladders/general/")
    played = f"http://testserver{world.played.get_absolute_url()}"

    for release, told in ((Release.HIDDEN, 0), (Release.ENTRANTS, 0), (Release.PUBLIC, 1)):
        Match.objects.update(release=release)
        TournamentRound.objects.update(release=release)
        for feed in feeds:
            found = [place for _, place in entries(client, f"{feed}results.atom")]
            assert found.count(played) == told, feed


def test_tournament_tells_what_happened_draft_tells_nothing(client):
    make_tournament(slug="over", status="cancelled")
    make_tournament(slug="draft", status="draft")

    told = entries(client, "/tournaments/over/results.atom")

    assert [place for _, place in told] == ["http://testserver/tournaments/over/log/"]
    assert client.get("/tournaments/draft/results.atom").status_code == 404


def test_who_has_the_feed_is_told_so(client):
    address = f"{factories.make_ready().bot.get_absolute_url()}results.atom"
    first = client.get(address)

    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    since = client.get(address, headers={"If-Modified-Since": first["Last-Modified"]})

    assert (again.status_code, since.status_code) == (304, 304)
