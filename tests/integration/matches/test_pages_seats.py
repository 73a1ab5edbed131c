"""Who sat where and how it ended, for games of any number of seats and sides."""

import pytest

from arena.models import Game, Match
from arena.web.matches import labels, seatings
from engine.outcome import PLATFORM
from engine.registry import terminations
from tests.integration.web.played import players_of, waiting_match

pytestmark = pytest.mark.django_db


def ended(match, number, **result):
    """Return a game of a match as if it had ended so, and how its page says it."""
    game = match.games.get(number=number)
    game.status, game.match.status = Game.Status.FINISHED, Match.Status.FINISHED
    for name, value in result.items():
        setattr(game, name, value)
    return seatings.show(game, list(match.entrants.all()))


def test_an_entrant_that_holds_two_seats_comes_once():
    match = waiting_match(ladder="siege")
    first, second = (version.bot.name for version in players_of(match))

    shown = ended(match, 1, termination="fort_entered", outcome={"garrison": 0.0, "besiegers": 1.0})

    places = [(place.seats, place.label, place.version.bot.name) for place in shown.places]
    assert places == [
        (["garrison"], "Garrison", first),
        (["white", "black"], "White and Black", second),
    ]
    assert [place.points for place in shown.places] == [0.0, 1.0]
    assert shown.ending == f"{second} (Besiegers) brought enough soldiers into the fort."


def test_a_side_of_two_bots_names_both():
    match = waiting_match(ladder="siege-3")
    one, two, three = (version.bot.name for version in players_of(match))

    shown = ended(
        match, 1, termination="garrison_blocked", outcome={"garrison": 0.0, "besiegers": 1.0}
    )

    assert [place.version.bot.name for place in shown.places] == [one, two, three]
    assert shown.ending == (
        f"{two} and {three} (Besiegers) blocked {one} (Garrison), who could not move."
    )


def test_fault_names_seat_and_not_side():
    match = waiting_match(ladder="siege-3")
    names = [version.bot.name for version in players_of(match)]

    shown = ended(
        match,
        1,
        termination="timeout",
        fault="black",
        detail="black: 5001 ms",
        outcome={"garrison": 1.0, "besiegers": 0.0},
    )

    assert shown.ending == f"{names[2]} (Black) ran out of time: 5001 ms"


def said_of(termination, garrison=1.0):
    """Return how a game of a siege is said to have ended, with these points of the garrison."""
    game = Game(
        match=Match(status="finished"),
        number=1,
        seats={"garrison": 0, "white": 1, "black": 1},
        status="finished",
        outcome={"garrison": garrison, "besiegers": 1.0 - garrison},
        termination=termination,
    )
    return labels.ending(game)


def test_every_ending_has_its_sentence():
    for termination in set(terminations()) - {"platform_fault"}:
        said = said_of(termination)

        assert said.endswith(".")
        assert "%" not in said


@pytest.mark.parametrize("termination", ["ply_cap", "no_progress_cap"])
def test_cap_names_winner_by_progress_draw_names_nobody(termination):
    assert said_of(termination, 1.0).startswith("A win by progress for Garrison: ")
    assert said_of(termination, 0.0).startswith("A win by progress for Besiegers: ")
    assert said_of(termination, 0.5).startswith("Draw: ")


def test_a_void_game_blames_nobody():
    game = Game(number=1, seats={"red": 0}, status="finished", fault=PLATFORM)

    assert labels.ending(game) == "Void: the platform failed, not a bot."
