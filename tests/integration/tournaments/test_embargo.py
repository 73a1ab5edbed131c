"""A round that is not shown is on no page and in no answer of the API, but to whom it is shown."""

import pytest

from arena.models import Release, Scope
from tests import embargoes, factories
from tests.clocks import Clock
from tests.integration.web.played import SECRET, finished_match

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
API = "/api/v1/"


@pytest.fixture
def world(monkeypatch):
    Clock(monkeypatch)
    return embargoes.make_world()


@pytest.fixture(params=["pages", "api"])
def ask(request, client, anyone, signed_in, world):
    """Return a function that walks through the whole site, or the whole API, as somebody."""
    people = ("stranger", "owner", "organizer")
    callers = {who: signed_in(getattr(world, who)) for who in people} | {"anonymous": anyone}

    def read_pages(who, only=("",)):
        client.logout()
        if who != "anonymous":
            client.force_login(getattr(world, who))
        return embargoes.walk(client, world, under="", only=only)

    def call(who, only=("",)):
        return embargoes.walk(callers[who], world, under=API[1:], only=only)

    return {"pages": read_pages, "api": call}[request.param]


def own(answers, world):
    """Return the statuses at the addresses of the round's own matches.

    Those of staff are left out, and those where a challenge can only be taken back.
    """
    return {
        address: answers[address][0]
        for address in embargoes.of_round(world, answers)
        if not address.startswith(("/staff/", f"{API}challenges/"))
    }


@pytest.mark.parametrize(
    ("release", "who"),
    [
        (Release.HIDDEN, "anonymous"),
        (Release.HIDDEN, "stranger"),
        (Release.HIDDEN, "owner"),
        (Release.ENTRANTS, "stranger"),
    ],
)
@pytest.mark.kept("*hidden-owner*", "*entrants-stranger*")
def test_unseen_round_changes_no_answer(ask, world, release, who):
    before = ask(who, embargoes.stays)

    embargoes.draw_round(world, release)
    after = ask(who)

    assert embargoes.differences(before, after) == []
    assert embargoes.leaks(after, world) == {}
    is_private = who == "anonymous" and any(address.startswith(API) for address in after)
    assert set(own(after, world).values()) == ({404, 401} if is_private else {404})


@pytest.mark.parametrize("who", ["anonymous", "owner"])
@pytest.mark.kept("*owner*")
def test_hidden_round_does_not_tell_who_meets_whom(ask, world, who):
    assert embargoes.retold(lambda only: ask(who, only), world) == []


@pytest.mark.parametrize("ask", ["pages"], indirect=True)
def test_what_is_told_of_a_round_is_found(ask, world):
    assert len(embargoes.retold(lambda only: ask("organizer", only), world)) > 3


@pytest.mark.parametrize(
    ("release", "who"),
    [
        (Release.HIDDEN, "organizer"),
        (Release.ENTRANTS, "owner"),
        (Release.PUBLIC, "anonymous"),
    ],
)
@pytest.mark.kept("*entrants-owner*")
def test_who_is_shown_a_round_finds_it_everywhere(ask, world, release, who):
    embargoes.draw_round(world, release)
    lists = ("/matches", "/queue", world.versions[0].bot.get_absolute_url())

    answers = ask(who, (*lists, *(match.public_id for match in world.matches)))

    pages = own(answers, world)
    told = {address.split("?")[0] for address in embargoes.leaks(answers, world)}
    if f"{API}matches" in answers:
        game = f"{API}games/{world.played.public_id}/1"
        shown = {f"{API}matches/{match.public_id}" for match in world.matches}
        assert {pages[address] for address in (*shown, f"{game}/record")} == {200}
        assert told >= {f"{API}matches", f"{API}queue"}
        if who == "owner":
            assert SECRET in answers[f"{game}/log"][1]
            assert answers[f"{game}/evidence"][0] == 200
    else:
        statuses = {status for address, status in pages.items() if "/games/" not in address}
        assert statuses == {200, 204}  # 204: the stream of a match that is over
        first = world.versions[0].bot.get_absolute_url()
        versus = f"{first}vs/owner-of-betelgeuse/betelgeuse/"
        assert told >= {"/matches/", first, versus, "/queue/"}


@pytest.mark.parametrize("ask", ["api"], indirect=True)
def test_the_walk_finds_what_is_left_open(ask, world, monkeypatch):
    """The tests above can fail: with the door open, they do, in many places."""
    before = ask("anonymous", embargoes.stays)
    embargoes.draw_round(world)
    embargoes.open_the_door(monkeypatch)

    after = ask("anonymous")

    assert len(embargoes.differences(before, after)) > 3
    assert len(embargoes.leaks(after, world)) >= 10


def test_token_without_read_sees_only_public(signed_in, world):
    embargoes.draw_round(world, Release.ENTRANTS)

    answers = embargoes.walk(signed_in(world.owner, Scope.BOTS_WRITE), world, under=API[1:])

    assert embargoes.leaks(answers, world) == {}


def test_the_queue_counts_what_it_does_not_name(client, anyone, signed_in, world):
    embargoes.draw_round(world)
    said = "A match of a tournament that is not public yet."

    found = anyone.get("/queue").json()
    mine = signed_in(world.owner).get("/queue?mine=1").json()
    page = client.get("/queue/").content.decode()
    client.force_login(world.owner)
    my_page = client.get("/queue/?mine=1").content.decode()

    assert (found["in_work"], found["waiting"], mine["results"]) == (1, 1, [])
    names = ("position", "kind", "match", "ladder", "bots", "url", "reason")
    assert [tuple(row[name] for name in names) for row in found["results"]] == [
        (None, "tournament", None, None, [], None, said),
        (1, "tournament", None, None, [], None, said),
    ]
    assert page.count(said) == 2
    assert [star for star in embargoes.STARS if star in page] == []
    assert (said in my_page, "None of your bots has a match or a check here" in my_page) == (
        False, True,
    )  # fmt: skip


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
def test_no_cache_keeps_what_not_everybody_may_see(client, signed_in, world, release, kept):
    embargoes.draw_round(world, release)
    client.force_login(world.organizer)
    api, number = signed_in(world.organizer), world.played.public_id
    page = world.played.get_absolute_url()
    pages = (page, *(f"{page}games/1/{part}" for part in ("", "replay/", "forensics/")))
    calls = (f"/matches/{number}", f"/games/{number}/1/record", f"/games/{number}/1/replay")

    answers = {address: client.get(address) for address in pages}
    answers |= {address: api.get(address) for address in calls}

    said = {address: each.headers.get("Cache-Control", "") for address, each in answers.items()}
    assert {address: "no-store" in words for address, words in said.items()} == dict.fromkeys(
        said, not kept
    )
    assert ("max-age" in said[f"{page}games/1/replay/"]) == kept
