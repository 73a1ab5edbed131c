"""Search finds by name what the visitor may see, and says what to do where it finds nothing."""

import re

import pytest

from arena.domain import search
from arena.models import Match, Release
from tests import embargoes, factories
from tests.clocks import Clock
from tests.integration.tournaments.rows import make_tournament

pytestmark = pytest.mark.django_db


def named(slug, name, owner=None):
    bot = factories.make_bot(owner, slug)
    bot.name = name
    bot.save()
    return bot


def bots_found(text):
    return [bot.slug for bot in search.find(text=text, viewer=None).bots.rows]


def links(client, text):
    page = client.get("/search/", {"q": text}).content.decode()
    return re.findall(r'<a class="bot-name" href="([^"]+)"', page)


@pytest.mark.every_store
def test_bot_is_found_by_beginning_of_either_name():
    named("grey-fox", "Silver Raider")
    named("silver", "Another")
    named("other", "Quicksilver")
    named("silver", "Another", factories.make_user("bob"))

    assert bots_found("SILVER") == ["grey-fox", "silver", "silver"]
    (bot,) = search.find(text="bob/sil", viewer=None).bots.rows
    assert str(bot) == "bob/silver"
    assert bots_found("grey-") == ["grey-fox"]
    assert bots_found("raider") == []


@pytest.mark.every_store  # each orders and lowers letters in its own way
@pytest.mark.parametrize("text", ["a_", "a%", "a-b", "a b", "é", "a\N{SMILE}"])
def test_signs_stand_for_themselves(text):
    named("one", f"{text}x")
    named("two", "axbx")

    assert bots_found(text) == ["one"]


def test_everything_visible_is_found_by_words(client):
    factories.make_user("Adam")
    gone = factories.make_user("adele")
    gone.is_active = False
    gone.save()
    make_tournament(slug="spring-cup", name="Cup of Spring")
    draft = make_tournament(slug="hushed-cup", status="draft")

    assert links(client, "@ad") == ["/@Adam/"]
    assert links(client, "ada") == ["/@Adam/"]
    assert links(client, "classic") == ["/ladders/classic/", "/variants/classic/"]
    assert "/docs/how-to/upload-a-bot/" in links(client, "bot upload")
    assert links(client, "spring cup") == ["/tournaments/spring-cup/"]
    assert links(client, "hushed") == []
    client.force_login(draft.organizers.get())
    assert links(client, "hushed") == ["/tournaments/hushed-cup/"]


def test_announced_match_is_found_by_its_id(client):
    begun, waiting = factories.make_begun_match(), factories.make_match()

    for match, is_found in ((begun, True), (waiting, False)):
        page = client.get(f"/search/?q={match.public_id}").content.decode()
        assert (match.get_absolute_url() in page) == is_found


def test_match_of_hidden_round_is_not_found(client, monkeypatch):
    Clock(monkeypatch)
    world = embargoes.draw_round(embargoes.make_world(), Release.HIDDEN)
    for release, is_found in ((Release.HIDDEN, False), (Release.PUBLIC, True)):
        Match.objects.update(release=release)
        page = client.get(f"/search/?q={world.played.public_id}").content.decode()

        assert ("Nothing that you may see" not in page) == is_found
        assert (world.played.get_absolute_url() in page) == is_found


def test_no_more_than_some_are_shown(client):
    for number in range(search.SHOWN + 1):
        named(f"zzsame{number}", "Other")

    assert len(bots_found("zzsame")) == search.SHOWN
    page = client.get("/search/?q=zzsame").content.decode()
    assert f"More than {search.SHOWN} results" in page
    assert "Type more of the name" in page


def test_a_page_without_results_helps(client):
    for text in ("", "%20", "%00", "x" * 5000, "nothing-at-all", "//", "@", "/x"):
        response = client.get(f"/search/?q={text}")

        assert response.status_code == 200
        assert "You can search for:" in response.content.decode()


def test_search_text_is_escaped_and_kept_in_box(client):
    page = client.get("/search/", {"q": '"><script>x'}).content.decode()

    assert "<script>x" not in page
    assert page.count('value="&quot;&gt;&lt;script&gt;x"') == 2  # in the header and on the page
