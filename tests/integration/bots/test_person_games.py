"""Persons play against bots: what is refused, what the page is told, and a whole game."""

import json
from datetime import timedelta
from functools import partial
from itertools import count

import pytest
from django.urls import reverse
from django.utils import timezone

from arena.domain.bots import person_games
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle, record_compression
from arena.domain.queue import dispatch, fleet, sweeping
from arena.models import (
    ANYBODY,
    Bot,
    Entrant,
    Game,
    GameRecord,
    Match,
    MatchStatus,
    PersonSeat,
    RatingEvent,
)
from engine.outcome import RESIGN
from engine.record import Record, check_game
from tests import factories
from tests.integration.runner import workers
from tests.integration.web.played import finished_match, random_record
from tests.tree import ROOT
from tests.waiting import until

HERE, THERE = "192.0.2.1", "192.0.2.2"


def ask(bot, *, by=ANYBODY, address=HERE, ladder="classic", side="red"):
    return person_games.ask(
        by=by, address=address, bot=bot, ladder=factories.get_ladder(ladder), side=side
    )


def refusal(*args, **kwargs):
    with pytest.raises(Refused) as refused:
        ask(*args, **kwargs)
    return refused.value.code


class Person:
    """Somebody with a browser, who plays the first thing that is offered."""

    def __init__(self, client, seat):
        self._client, self._address = client, reverse("person-game", args=[seat.key])
        self.turns = []

    def look(self, after=0):
        """Return what is shown, or None as long as it is what was shown before."""
        response = self._client.get(f"{self._address}turn", {"after": after})
        return response.json() if response.status_code == 200 else None

    def send(self, what, **body):
        response = self._client.post(f"{self._address}{what}", body, "application/json")
        assert response.status_code == 200, response.content
        return response.json()

    def answer(self, turn, text):
        return self.send("answer", number=turn["number"], answer=text)

    def play(self, act=lambda turn: turn["acts"][0]["action"]):
        """Play to the end, and return the last turn."""
        after = 0
        while True:
            turn = until(partial(self.look, after))
            self.turns.append(turn)
            after = turn["number"]
            if turn["wanted"] == "last":
                return turn
            if turn["wanted"] == "set-up":
                assert self.answer(turn, turn["draft"]["codes"]) == {}
            elif turn["wanted"] == "move":
                assert self.answer(turn, act(turn)) == {}


@pytest.mark.django_db
def test_game_is_queued_apart_from_those_of_bots(opponent):
    seat = ask(opponent, side="blue")

    match = seat.match
    assert (match.kind, match.status, match.is_rated) == ("person", MatchStatus.QUEUED, False)
    assert [game.seats for game in match.games.all()] == [{"red": 1, "blue": 0}]
    assert [str(entrant.version.bot) for entrant in match.entrants.all()] == [
        "people_/person",
        str(opponent),
    ]
    assert dispatch.claim_next() is None
    assert fleet.longest_wait_s() == 0.0
    assert not Bot.objects.listed().filter(owner__username="people_").exists()
    lease = person_games.claim()
    assert lease
    assert lease.pk == match.pk
    factories.make_match(opponent.active_version, factories.make_ready())
    assert dispatch.claim_next() is not None  # the bot plays rated matches meanwhile


@pytest.mark.django_db
def test_refusals_name_their_reason(opponent, own, settings):
    settings.PERSON_GAMES_PER_ADDRESS, settings.OPEN_PERSON_GAMES = 1, 2
    assert refusal(opponent, side="white") == "unknown_side"
    assert refusal(opponent, ladder="siege") == "ladder_closed"
    ask(opponent)
    assert refusal(opponent) == "too_many_seats"
    ask(opponent, address=THERE)
    assert refusal(own, address="192.0.2.3") == "pool_full"
    Match.objects.update(status=MatchStatus.CANCELLED, finished_at="2026-01-01T00:00Z")
    settings.GUESTS_PLAY = False
    assert refusal(opponent) == "unwilling"
    assert ask(opponent, by=own.owner).match.requested_by == own.owner
    Bot.objects.update(accepts_challenges=False)
    opponent.refresh_from_db()
    assert refusal(opponent, address=THERE, by=own.owner) == "unwilling"


@pytest.mark.django_db
def test_game_of_a_person_is_not_repeated(opponent):
    match = ask(opponent).match

    with pytest.raises(Refused, match="not repeated"):
        lifecycle.void(match=match, reason="x")


@pytest.mark.django_db
def test_page_tells_how_many_come_first(client, opponent, settings):
    settings.PERSON_GAMES_PER_ADDRESS = 5
    first, second = ask(opponent), ask(opponent)

    assert Person(client, first).look()["title"] == "Waiting for a free place."
    assert Person(client, second).look()["title"].endswith("1 game comes first.")
    began_at = timezone.now()
    for minutes in (1, 5, 30):
        Match.objects.filter(pk=ask(opponent).match_id).update(
            status=MatchStatus.FINISHED,
            started_at=began_at,
            finished_at=began_at + timedelta(minutes=minutes),
        )
    assert "took at most 5 minutes" in Person(client, second).look()["title"]
    lifecycle.cancel(match=first.match, reason="x")
    assert Person(client, first).look()["title"] == "The game was cancelled."
    assert client.get("/play/nobody-knows/").status_code == 404


@pytest.mark.django_db
def test_visitor_without_account_asks_on_page(client, opponent):
    page = reverse("person-game-ask", args=[opponent.owner.username, opponent.slug])
    assert page in client.get(opponent.get_absolute_url()).content.decode()
    again = client.get(page, {"game": "general/blue"}).content.decode()
    assert '<option value="general/blue" selected>General: Blue</option>' in again

    response = client.post(page, {"game": "general/blue"})

    seat = PersonSeat.objects.get()
    assert response["Location"] == reverse("person-game", args=[seat.key])
    assert seat.match.ladder.slug == "general"
    assert (seat.side, seat.match.requested_by) == ("blue", None)
    shown = client.get(response["Location"])
    assert "no-store" in shown["Cache-Control"]
    assert client.post(page, {"game": "general/besiegers"}).status_code == 400


@pytest.fixture
def host(transactional_db, tmp_path, request):
    """Play games of persons. A test may say how many seconds a person has for a move."""
    factories.shorten_games(40)
    move_s = getattr(request, "param", 1200)
    with workers.playing_persons(tmp_path / "log", move_s=move_s):
        yield


@pytest.mark.usefixtures("host")
@pytest.mark.parametrize(
    ("variant", "side", "seats"),
    [
        pytest.param("cards", "blue", {"blue"}, marks=pytest.mark.slow),
        ("siege", "besiegers", {"white", "black"}),
        ("skirmish", "red", {"red"}),
    ],
)
def test_whole_games_are_played_and_kept(client, variant, side, seats):
    starter = (ROOT / f"engine/variants/{variant}/starter/bot.py").read_text()
    bot = factories.make_ready_with(source=starter, variants=[variant]).bot
    bot.refresh_from_db()
    seat = ask(bot, ladder=variant, side=side)
    person = Person(client, seat)
    moves = count()

    last = person.play(lambda turn: turn["acts"][-1]["action"] if next(moves) < 12 else RESIGN)

    until(lambda: Match.objects.get().status == MatchStatus.FINISHED)
    blob = bytes(GameRecord.objects.get().blob)
    record = Record.from_json(record_compression.unpacked(blob=blob))
    check_game(record)
    names = {name for name, who in record.players.items() if who.name == "people_/person v1"}
    assert names == seats
    seat.refresh_from_db()
    assert json.loads(seat.message)["view"]["observer"] in seats
    assert last["title"] in {"You won.", "You lost.", "The game is drawn."}
    assert Game.objects.get().fault == ""
    assert not RatingEvent.objects.exists()
    assert person.answer(last, RESIGN)["problem"]


@pytest.fixture
def set_up(host, client):
    """Return a person who is asked for a set-up, and the turn that asks."""
    bot = factories.make_ready_with(variants=["skirmish"]).bot
    bot.refresh_from_db()
    person = Person(client, ask(bot, ladder="skirmish"))
    turn = until(person.look)
    while turn["wanted"] != "set-up":
        turn = until(partial(person.look, turn["number"]))
    return person, turn


def test_set_up_is_shuffled_exchanged_and_judged(set_up):
    person, turn = set_up
    shuffled = person.send("draft")
    assert sorted(shuffled["codes"]) == sorted(turn["draft"]["codes"])
    swapped = shuffled["codes"][::-1]
    assert person.send("draft", codes=swapped)["codes"] == swapped
    assert person.look()["draft"]["codes"] == swapped
    assert "problem" in person.answer(turn, "a1a2")
    assert person.answer(turn, swapped) == {}
    assert "problem" in person.answer(turn, swapped)


def test_set_up_is_taken_from_rated_bot(set_up):
    person, _turn = set_up
    version, other = (factories.make_ready(variants=["skirmish"]) for _ in range(2))
    finished_match(version, other, ladder="skirmish")
    Entrant.objects.filter(version__in=[version, other]).update(rating=1600.0)

    turn = person.look()

    assert set(turn["likes"]) == {str(version.bot), str(other.bot)}
    opened = [act for seed in (2, 3) for act in random_record("skirmish", seed).actions[:2]]
    reds = {act.action for act in opened if act.seat == "red"}
    for of in (version, other):
        assert person.send("draft", like=str(of.bot))["codes"] in reds
    unknown = person.send("draft", like=str(factories.make_bot()))
    assert "has not set up there yet" in unknown["problem"]


def test_game_begins_anew_when_runner_dies(set_up):
    person, turn = set_up
    Match.objects.update(lease_token="of nobody", lease_until=timezone.now())
    broken = person.look(turn["number"])
    assert (broken["wanted"], "does not answer" in broken["problem"]) == ("", True)
    assert "problem" in person.answer(broken, turn["draft"]["codes"])

    sweeping.sweep()

    anew = until(person.look)
    while anew["wanted"] != "set-up":
        anew = until(partial(person.look, anew["number"]))
    assert "has begun anew" in anew["problem"]
    assert person.answer(turn, turn["draft"]["codes"])["problem"]
    assert person.answer(anew, anew["draft"]["codes"]) == {}


@pytest.mark.django_db
def test_a_person_has_no_page_of_a_bot(client, opponent):
    match = ask(opponent).match

    page = client.get(match.get_absolute_url()).content.decode()

    assert "A person" in page
    assert "people_" not in page
    assert client.get("/bots/people_/person/").status_code == 404


@pytest.mark.django_db
def test_own_games_and_unrated_opponents_are_listed(client, opponent, own):
    seat = ask(opponent, by=own.owner)
    assert seat.key not in client.get("/play/").content.decode()
    client.force_login(own.owner)

    page = client.get("/play/").content.decode()

    assert reverse("person-game", args=[seat.key]) in page
    assert reverse("person-game-ask", args=[opponent.owner.username, opponent.slug]) in page


@pytest.mark.parametrize("host", [1], indirect=True)
def test_who_does_not_answer_loses(host, client):
    bot = factories.make_ready_with(variants=["skirmish"]).bot
    bot.refresh_from_db()
    person = Person(client, ask(bot, ladder="skirmish"))

    until(lambda: Match.objects.get().status == MatchStatus.FINISHED)

    game = Game.objects.get()
    assert (game.termination, game.fault) == ("timeout", "red")
    assert person.look()["title"] == "You lost."
