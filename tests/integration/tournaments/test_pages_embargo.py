"""A round that is not shown is on no page of the site, for anybody whom it is not shown."""

import pytest

from arena.models import Release
from tests import embargoes, factories
from tests.clocks import Clock
from tests.integration.web.played import finished_match

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

CLOSED = {302, 404, 405}  # 302: to sign in, which every address of those who are signed in does


@pytest.fixture
def world(monkeypatch):
    Clock(monkeypatch)
    return embargoes.make_world()


def ask(client, world, who, only=""):
    """Walk through the whole site as somebody."""
    client.logout()
    if who != "anonymous":
        client.force_login(getattr(world, who))
    return embargoes.walk(client, world, under="", only=only)


def own(answers, world):
    """Return the answers at the addresses of the round's own matches, without those of staff."""
    return {
        address: status
        for address, (status, _text) in answers.items()
        if embargoes.of_round(world, address) and not address.startswith("/staff/")
    }


@pytest.mark.parametrize("who", ["anonymous", "stranger", "owner"])
@pytest.mark.kept("owner")
def test_a_hidden_round_changes_no_page(client, world, who):
    before = ask(client, world, who)

    embargoes.draw_round(world)
    after = ask(client, world, who)

    assert embargoes.differences(before, after) == []
    assert embargoes.leaks(after, world) == {}
    assert set(own(after, world).values()) == {404}


def test_entrants_only_round_changes_no_page_of_others(client, world):
    before = ask(client, world, "stranger")

    embargoes.draw_round(world, Release.ENTRANTS)
    after = ask(client, world, "stranger")

    assert embargoes.differences(before, after) == []
    assert embargoes.leaks(after, world) == {}


@pytest.mark.parametrize("who", ["anonymous", "owner"])
@pytest.mark.kept("owner")
def test_tournament_pages_hide_pairings_of_hidden_round(client, world, who):
    assert embargoes.retold(lambda only: ask(client, world, who, only), world) == []


def test_what_is_told_of_a_round_is_found(client, world):
    assert len(embargoes.retold(lambda only: ask(client, world, "organizer", only), world)) > 3


@pytest.mark.parametrize(
    ("release", "who"),
    [
        (Release.HIDDEN, "organizer"),
        (Release.ENTRANTS, "owner"),
        (Release.PUBLIC, "anonymous"),
    ],
)
@pytest.mark.kept("entrants-owner")
def test_who_is_shown_a_round_finds_it_everywhere(client, world, release, who):
    embargoes.draw_round(world, release)

    answers = ask(client, world, who)

    pages = own(answers, world)
    statuses = {status for address, status in pages.items() if "/games/" not in address}
    assert statuses == {200, 204}  # 204: the stream of a match that is over
    told = {address.split("?")[0] for address in embargoes.leaks(answers, world)}
    first = world.versions[0].bot.get_absolute_url()
    assert told >= {"/matches/", first, f"{first}vs/owner-of-betelgeuse/betelgeuse/", "/queue/"}


def test_the_walk_finds_what_is_left_open(client, world, monkeypatch):
    """The test above can fail: with the door open, it does, in many places."""
    before = ask(client, world, "anonymous")
    embargoes.draw_round(world)
    embargoes.open_the_door(monkeypatch)

    after = ask(client, world, "anonymous")

    assert len(embargoes.differences(before, after)) > 5
    assert len(embargoes.leaks(after, world)) >= 10


def test_the_queue_counts_what_it_does_not_name(client, world):
    embargoes.draw_round(world)

    text = client.get("/queue/").content.decode()
    client.force_login(world.owner)
    mine = client.get("/queue/?mine=1").content.decode()

    assert text.count("A match of a tournament that is not public yet.") == 2
    assert [star for star in embargoes.STARS if star in text] == []
    assert '<span class="queue-position">1</span>' in text
    assert (
        "tournament that is not public" in mine,
        "None of your bots has a match or a check here" in mine,
    ) == (
        False,
        True,
    )


def test_playing_unseen_is_no_reason_told_in_queue(client, world):
    embargoes.draw_round(world)
    playing = world.versions[2]
    factories.make_match(playing, world.versions[4], ladder=world.tournament.ladder)

    assert "in another match" not in client.get("/queue/").content.decode()


def test_home_features_only_public_even_for_privileged(client, world):
    embargoes.draw_round(world)
    shown = finished_match()
    world.played.__class__.objects.filter(pk=world.played.pk).update(
        finished_at=shown.finished_at.replace(year=2027)
    )
    client.force_login(world.organizer)

    text = client.get("/").content.decode()

    assert f"{shown.get_absolute_url()}games/" in text
    assert f"{world.played.get_absolute_url()}games/" not in text


@pytest.mark.parametrize(("release", "kept"), [(Release.HIDDEN, False), (Release.PUBLIC, True)])
def test_no_cache_keeps_restricted_replay(client, world, release, kept):
    embargoes.draw_round(world, release)
    client.force_login(world.organizer)
    game = f"{world.played.get_absolute_url()}games/1/"

    said = {
        address: client.get(address).headers.get("Cache-Control", "")
        for address in (
            world.played.get_absolute_url(),
            game,
            f"{game}replay/",
            f"{game}forensics/",
        )
    }

    assert {address: "no-store" in words for address, words in said.items()} == dict.fromkeys(
        said, not kept
    )
    assert ("max-age" in said[f"{game}replay/"]) == kept
