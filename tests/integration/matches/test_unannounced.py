"""Nobody learns who plays a rated match before a runner begins it, on no page and in no answer.

The match is dealt twice, the second time to other bots, and whoever may not know asks every address
of the site both times: the answers are the same. Where nothing is unannounced, they differ.
"""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import Q

from arena.domain.matches import lifecycle, unannounced
from arena.domain.matches.purposes import Purpose
from arena.models import Match, MatchKind, MatchStatus, User
from arena.models.match import MatchQuerySet
from engine import chance
from tests import embargoes, factories
from tests.integration.api import rows
from tests.integration.conftest import Caller
from tests.integration.web.played import finished_match

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,
]

MATCH = "m_waiting"
SECRET = "5" * 64
PAGE = f"/matches/{MATCH}/"
DEALS = {  # for a visitor: which bots play first, and which play the second time
    "anonymous": [(0, 1), (2, 3)],
    "stranger": [(0, 1), (2, 3)],
    "operator": [(0, 1), (2, 3)],
    "owner": [(0, 1), (0, 2)],  # of the first bot, and knows that it has a match
}


@dataclass
class World(embargoes.World):
    """Bots of several owners, with a match of a ladder instead of a tournament's."""

    @property
    def matches(self):
        return list(Match.objects.filter(public_id=MATCH))


@pytest.fixture
def world(clock):
    made = World(**vars(embargoes.make_world()))
    made.operator = User.objects.create_user("operator", is_staff=True)  # without a permission
    played = finished_match(made.versions[0], made.versions[1])
    clock.move(5)
    assert played.games.exists()
    return made


def deal(world, bots, **columns):
    match = lifecycle.create_match(
        ladder=factories.get_ladder(embargoes.LADDER),
        versions=[world.versions[bot] for bot in bots],
    )
    Match.objects.filter(pk=match.pk).update(public_id=MATCH, secret=SECRET, **columns)
    return Match.objects.get(pk=match.pk)


def ask(client, caller, world, only):
    """Ask every address of the pages and the API; with `only`, those with one of these."""
    pages = embargoes.walk(client, world, under="", only=only)
    answers = embargoes.walk(caller, world, under="/api/v1", only=only)
    more = {}
    for version in world.versions:
        asked = f"bot={version.bot}&status=queued"
        for address, by in (("/matches/", client), ("/api/v1/matches", caller)):
            response = by.get(f"{address}?{asked}")
            more[f"{address}?{asked}"] = (response.status_code, response.content.decode())
        address = version.bot.get_absolute_url()
        more[address] = (200, client.get(address).content.decode())
    found = {**pages, **answers, **more}
    return {address: embargoes.steady(answer) for address, answer in found.items()}


def differences(client, world, who, only=("",), **columns):
    """Return the addresses whose answers to somebody depend on who plays the match."""
    caller = Caller()
    if who != "anonymous":
        client.force_login(getattr(world, who))
        caller = Caller(rows.token(getattr(world, who)))
    told = []
    for bots in DEALS[who]:
        point = transaction.savepoint()
        deal(world, bots, **columns)
        told.append(ask(client, caller, world, only))
        transaction.savepoint_rollback(point)
    first, second = told
    assert len(first) > (150 if "" in only else 10), "the walk went nowhere"
    assert first.keys() == second.keys()
    return [address for address in first if first[address] != second[address]]


@pytest.mark.parametrize("who", DEALS)
@pytest.mark.kept("owner")
def test_nobody_learns_who_plays_a_match_that_waits(client, world, who):
    assert differences(client, world, who) == []


@pytest.mark.soak
def test_cancelled_match_does_not_tell_its_players(client, world):
    columns = {"status": MatchStatus.CANCELLED, "failure": "Bot capella was retired."}

    assert differences(client, world, "stranger", **columns) == []


def test_walk_sees_both_deals_when_nothing_unannounced(client, world, monkeypatch):
    monkeypatch.setattr("arena.models.match._announced", lambda _match: Q())
    monkeypatch.setattr(MatchQuerySet, "unannounced", lambda found: found.none())

    told = differences(client, world, "stranger", only=("queue", "matches"))

    first = world.versions[0].bot.get_absolute_url()
    assert {"/queue/", "/matches/", PAGE, first, "/api/v1/queue", "/api/v1/matches"} <= set(told)


def test_everybody_sees_players_once_runner_began(client, world):
    match = deal(world, (0, 1))
    assert "aldebaran" not in client.get(PAGE).content.decode()

    lease = factories.claim(match)
    begun = client.get(PAGE).content.decode()
    lifecycle.void_attempt(lease=lease, reason="The engine is away.")
    again = client.get(PAGE).content.decode()

    assert [("aldebaran" in text, "betelgeuse" in text) for text in (begun, again)] == [
        (True, True),
        (True, True),
    ]


def test_queue_place_does_not_tell_its_bot_plays(client, world):
    """With few bots at work, that would tell who is in it."""
    factories.claim(factories.make_match(world.versions[0], world.versions[4]))
    deal(world, (0, 1))

    assert "One of its bots is playing" not in client.get("/queue/").content.decode()
    assert "One of its bots is playing" not in client.get(PAGE).content.decode()


def test_unannounced_row_holds_nothing_shown_by_mistake(anyone, world):
    deal(world, (0, 1), failure="Bot capella", waiting_reason="Bot capella")

    told = anyone.get(f"/matches/{MATCH}").json()
    shown = unannounced.find(public_id=MATCH, viewer=None)

    assert (told["ladder"], told["status"], told["is_rated"]) == ("general", "queued", True)
    assert (told["entrants"], told["games"]) == ([], [])
    assert anyone.get(f"/games/{MATCH}/1/replay").status_code == 404
    assert shown is not None
    assert [*shown.entrants.all(), *shown.games.all(), *shown.rating_events.all()] == []
    assert (shown.failure, shown.waiting_reason, shown.secret) == ("", "", "")
    assert shown.commitment == chance.match_commitment(SECRET, match=MATCH)
    assert unannounced.find(public_id=MATCH, viewer=factories.operator()) is None


def test_an_owner_learns_that_a_match_waits(client, world):
    deal(world, (0, 1))
    page = world.versions[0].bot.get_absolute_url()
    line = "A rated match of this bot waits here."
    assert line not in client.get(page).content.decode()
    client.force_login(world.owner)

    text = client.get(page).content.decode()

    assert line in text
    assert MATCH not in text
    assert MATCH not in client.get("/queue/?mine=1").content.decode()


def test_public_queue_listing_shows_row_without_names(client, world):
    deal(world, (0, 1))

    text = client.get("/queue/").content.decode()

    assert f'href="{PAGE}"' in text
    assert "A match of General" in text
    assert "aldebaran" not in text


def test_staff_with_the_permission_see_who_plays(client, world):
    deal(world, (0, 1))
    client.force_login(world.operator)
    assert client.get(f"/staff/matches/{MATCH}/").status_code == 404

    world.operator.user_permissions.add(Permission.objects.get(codename="view_match"))

    for address in ("/queue/", "/matches/", PAGE, f"/staff/matches/{MATCH}/"):
        assert "aldebaran" in client.get(address).content.decode(), address


@pytest.mark.parametrize("kind", [MatchKind.CHALLENGE, MatchKind.PROBE])
def test_unrated_matches_are_announced(world, kind):
    match = lifecycle.create_match(
        ladder=factories.get_ladder(embargoes.LADDER),
        versions=world.versions[:2],
        purpose=Purpose(kind),
    )

    assert not match.is_unannounced
    assert match in Match.objects.visible_to(None)


def test_unannounced_queryset_agrees_with_is_unannounced(clock, world):
    waiting = deal(world, (0, 1))
    begun = factories.make_begun_match(*world.versions[2:4])
    old = factories.make_match(*world.versions[4:])
    Match.objects.filter(pk=old.pk).update(started_at=clock.after(-timedelta(days=1).seconds))

    assert {match.pk for match in Match.objects.all() if match.is_unannounced} == {waiting.pk}
    assert set(Match.objects.unannounced()) == {waiting}
    assert {begun, old} <= set(Match.objects.visible_to(None))
    assert waiting not in Match.objects.visible_to(None)
