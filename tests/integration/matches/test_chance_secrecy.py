"""No page, answer or record tells the chance of a game before its time, nor what it follows from.

A spy knows all that anybody can know: every page and answer of the site, as whoever sees most, and
the record of the first game. It tries every number and every secret in them, in every way in which
chance follows from another.
"""

import re
from dataclasses import replace
from hashlib import sha256

import pytest
from django.urls import reverse

from arena.domain.matches import replays
from arena.domain.tournaments import log, stages
from arena.models import Match, Release, Tournament, TournamentStatus, User
from engine import chance
from engine.rng import seat_seed
from tests import embargoes
from tests.integration.api import rows
from tests.integration.conftest import Caller

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

SEATS = ("red", "blue")
PUBLIC_SEED = "20261122"  # of a tournament, as the freeze once told it
NUMBER, SECRET = re.compile(r"\d+"), re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


@pytest.fixture
def world():
    """Return a round with a match that is over, one that is played and one that waits."""
    made = embargoes.draw_round(embargoes.make_world(), release=Release.PUBLIC)
    made.operator = User.objects.create_superuser("operator")
    return made


def answers(client, world, who, only=("",)):
    """Return what somebody can read, the pages and the API; with `only`, some of it."""
    user = getattr(world, who)
    client.force_login(user)
    found = embargoes.walk(client, world, under="", only=only)
    found |= embargoes.walk(Caller(rows.token(user)), world, under="/api/v1", only=only)
    assert len(found) > (150 if "" in only else 10), "the walk went nowhere"
    return {address: text for address, (_status, text) in found.items()}


def untimely(world):
    """Return everything that nobody may read yet."""
    yield world.tournament.secret
    yield from (str(world.tournament.lots_seed), f"{world.tournament.lots_seed:x}")
    for match in world.matches[1:]:
        yield match.secret
        for number in (1, 2):
            rng_seed = chance.game_seed(match.secret, game=number, take=1)
            yield str(rng_seed)
            yield from (str(seat_seed(rng_seed, seat)) for seat in SEATS)


def guesses(texts, places):
    """Return every `rng_seed` that a spy can make of what it has read."""
    numbers = {int(found) for text in texts for found in NUMBER.findall(text) if len(found) < 79}
    secrets = {found for text in texts for found in SECRET.findall(text)}
    secrets |= {f"{number:064x}" for number in numbers if number < 2**256}
    secrets |= {chance.match_secret(one, place=place) for one in secrets for place in places}
    public = {
        int.from_bytes(sha256(f"{number}/round 1/{pairing}/leg 1".encode()).digest()[:6])
        for number in numbers  # as matches once followed from the seed of their tournament
        for pairing in (1, 2, 3)
    }
    derived = {chance.game_seed(one, game=number, take=1) for one in secrets for number in (1, 2)}
    return numbers | public | derived


def early(world, told):
    """Return the addresses whose answers tell something before its time, each with what."""
    secrets = list(untimely(world))
    found = {at: [each for each in secrets if each in text] for at, text in told.items()}
    return {address: tells for address, tells in found.items() if tells}


def test_the_walk_sees_what_is_shown_too_early(client, world, monkeypatch):
    """The test above can fail, for each of the two kinds of secrets."""
    monkeypatch.setattr(Match, "shown_secret", property(lambda match: match.secret))
    monkeypatch.setattr(Tournament, "shown_secret", property(lambda cup: cup.secret))

    shown = early(world, answers(client, world, "owner", only=("matches/", "tournaments/stars")))

    for secret in (world.tournament.secret, *(match.secret for match in world.matches[1:])):
        assert any(secret in tells for tells in shown.values())


def test_release_shows_secret_from_which_all_follows(client, world):
    cup = world.tournament
    Tournament.objects.filter(pk=cup.pk).update(status=TournamentStatus.COMPLETED)
    stages.release(tournament=Tournament.objects.get(pk=cup.pk), by=None)

    told = Caller().get(f"/tournaments/{cup.slug}").json()
    (match,) = [Caller().get(f"/matches/{world.played.public_id}").json()]

    assert told["commitment"] == chance.tournament_commitment(told["secret"], tournament=cup.slug)
    assert match["secret"] == chance.match_secret(told["secret"], place=match["place"])
    assert match["commitment"] == chance.match_commitment(match["secret"], match=match["id"])
    page = client.get(f"/tournaments/{cup.slug}/").content.decode()
    assert told["secret"] == cup.secret
    assert cup.secret in page
    assert cup.secret in log.say(cup.log.get(action="released"))


def test_in_no_other_status_is_it_shown(world):
    caller = Caller(rows.token(world.organizer))

    for status in set(TournamentStatus) - {TournamentStatus.RELEASED}:
        Tournament.objects.filter(pk=world.tournament.pk).update(status=status)
        told = caller.get(f"/tournaments/{world.tournament.slug}").json()
        assert (status, told["secret"]) == (status, "")
        assert (told["commitment"] == "") == (status == TournamentStatus.DRAFT)


def spied(world, told, seed_of):
    """Return whether a spy of game 1 names the decks and the dice of game 2, of the running match.

    `told` are all pages and answers, `seed_of` gives the `rng_seed` of a game.
    """
    match = world.matches[1]
    record = replace(rows.played_record(), rng_seed=seed_of(match.secret, 1))
    dice = [str(seat_seed(record.rng_seed, seat)) for seat in SEATS]
    named = guesses([*told, record.to_json(), *dice], [match.place])
    real = seed_of(match.secret, 2)
    dice_named = {seat_seed(guess, seat) for guess in named for seat in SEATS} | named
    return real in named, bool(dice_named & {seat_seed(real, seat) for seat in SEATS})


def test_nothing_shows_and_spy_predicts_no_game(client, world):
    """Nor would the spy miss them, if chance followed from other things as it once did."""
    pages = answers(client, world, "operator")  # who may see everything
    played, running, waiting = world.matches
    assert early(world, pages) == {}
    assert any(played.secret in text for text in pages.values())  # it is over
    for match in (played, running, waiting):
        assert match.commitment in pages[f"/matches/{match.public_id}/"]
        assert match.commitment in pages[f"/api/v1/matches/{match.public_id}"]
    assert world.tournament.commitment in pages[f"/tournaments/{world.tournament.slug}/"]

    public = f"{PUBLIC_SEED}/round 1/{running.pairing.number}/leg 1"
    seed_of_place = int.from_bytes(sha256(public.encode()).digest()[:6])
    told = [*pages.values()]
    now = spied(world, told, lambda secret, game: chance.game_seed(secret, game=game, take=1))
    one_for_both = spied(
        world, told, lambda secret, _game: chance.game_seed(secret, game=1, take=1)
    )
    from_the_freeze = spied(world, [*told, PUBLIC_SEED], lambda *_: seed_of_place)

    assert now == (False, False)
    assert one_for_both == (True, True)
    assert from_the_freeze == (True, True)


def test_admin_pages_tell_no_secret(client, world):
    client.force_login(world.operator)
    waiting = world.matches[2]
    pages = {
        waiting: reverse("admin:arena_match_change", args=[waiting.pk]),
        world.tournament: reverse("admin:arena_tournament_change", args=[world.tournament.pk]),
    }

    for row, address in pages.items():
        page = client.get(address)
        assert page.status_code == 200
        assert row.secret not in page.content.decode()


def test_record_tells_chance_when_whole_match_is_over():
    match = rows.finished_match()
    game = match.games.get(number=2)

    told = replays.record(game=game)["chance"]

    assert told == {
        "match": match.public_id, "game": 2, "take": game.take, "commitment": match.commitment,
        "secret": match.secret, "tournament": "", "place": "",
    }  # fmt: skip


def test_old_match_without_secret_shows_none():
    match = rows.finished_match()
    Match.objects.filter(pk=match.pk).update(secret="")

    told = Caller().get(f"/matches/{match.public_id}").json()

    assert (told["commitment"], told["secret"], told["place"]) == ("", "", "")
    assert "chance" not in replays.record(game=Match.objects.get().games.get(number=1))
