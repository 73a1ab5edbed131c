"""Ratings where sides have several seats, held by one entrant or by several."""

from fractions import Fraction

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.domain import finishing
from arena.domain.matches import lifecycle
from arena.domain.ratings import elo, recomputation, refits
from arena.models import Entrant, Game, Match, RatingEvent
from tests import factories

pytestmark = pytest.mark.django_db

LIFTED = {"garrison": 1.0, "besiegers": 0.0}
DRAWN = {"garrison": 0.5, "besiegers": 0.5}
TAKEN = {"garrison": 0.0, "besiegers": 1.0}
BOTH_LOST = {"garrison": 0.0, "besiegers": 0.0}
# How a game of a siege may end: the points, and the seat at fault.
ENDS = [
    *((outcome, "") for outcome in (LIFTED, DRAWN, TAKEN)),
    (TAKEN, "garrison"),
    (LIFTED, "white"),
    (LIFTED, "black"),
    (BOTH_LOST, "garrison"),  # and a besieger at the same moment
]


def ready(number):
    return [factories.make_ready(variants=["siege"]) for _ in range(number)]


def siege(versions):
    slug = "siege" if len(versions) == 2 else f"siege-{len(versions)}"
    return factories.make_match(*versions, ladder=factories.get_ladder(slug))


def events(match):
    """Return the event of each position that has one."""
    positions = {entrant.version_id: entrant.position for entrant in match.entrants.all()}
    return {positions[event.version_id]: event for event in match.rating_events.all()}


def results(event):
    return event.wins, event.draws, event.losses


def test_rerun_keeps_entrants_and_seats_with_new_secret():
    match = siege(ready(3))

    again = lifecycle.void(match=match, reason="power cut")

    assert again.secret != match.secret
    for rows in ("entrants", "games"):
        fields = ("position", "version") if rows == "entrants" else ("number", "seats")
        first, second = (getattr(row, rows).values_list(*fields) for row in (match, again))
        assert list(first) == list(second)


@pytest.mark.parametrize("end", [("white",), ("", "white")], ids=["fault", "resigned"])
def test_besieger_that_fails_or_resigns_loses_alone(end):
    match = siege(ready(3))  # white of the first game is entrant 1

    factories.finish_with(match, (LIFTED, *end), (DRAWN, ""), (DRAWN, ""))

    assert {position: results(event) for position, event in events(match).items()} == {
        0: (0, 2, 0),
        1: (0, 2, 1),
        2: (0, 2, 0),
    }
    assert [event.score for _position, event in sorted(events(match).items())] == [0.5, 0.375, 0.5]
    assert [entrant.points for entrant in match.entrants.all()] == [2.0, 1.0, 1.0]
    assert recomputation.rerate(ladder=match.ladder) == []


@pytest.mark.parametrize("end", [("garrison", ""), ("", "garrison")], ids=["fault", "resigned"])
def test_failing_or_resigning_garrison_loses_to_both_besiegers(end):
    match = siege(ready(3))

    factories.finish_with(match, (TAKEN, *end), (DRAWN, ""), (DRAWN, ""))

    assert [results(events(match)[position]) for position in range(3)] == [
        (0, 2, 1),
        (1, 2, 0),
        (1, 2, 0),
    ]


def test_entrant_without_rated_game_has_played_without_event():
    versions = ready(3)
    match = siege(versions)
    # Entrant 0 fails whenever it besieges, and entrant 1 beside entrant 2.
    factories.finish_with(match, (LIFTED, "white"), (LIFTED, "black"), (LIFTED, "white"))

    assert {position: results(event) for position, event in events(match).items()} == {
        0: (0, 0, 2),
        1: (0, 0, 1),
    }
    idle = Entrant.objects.get(version=versions[2], ladder=match.ladder)
    match.refresh_from_db()
    assert (idle.games, idle.last_match_at) == (0, match.finished_at)
    assert recomputation.rerate(ladder=match.ladder) == []


def test_rerate_finds_a_game_that_was_changed_afterwards():
    match = siege(ready(3))
    factories.finish_with(match, (LIFTED, "white"), (DRAWN, ""), (TAKEN, ""))
    game = Game.objects.filter(match=match, number=1)
    (stored,) = game.values("fault", "outcome")

    for tamper in ({"fault": ""}, {"fault": "black"}, {"outcome": DRAWN}):
        game.update(**tamper)
        assert recomputation.rerate(ladder=match.ladder) != []
        game.update(**stored)
    assert recomputation.rerate(ladder=match.ladder) == []


def rated_for(game, outcome, fault):
    """Return the positions for which a game is rated, from the rule alone."""
    besiegers = {game.seats["white"], game.seats["black"]}
    everybody = {game.seats["garrison"], *besiegers}
    if fault and len(besiegers) > 1 and outcome["besiegers"] == 0:
        return {game.seats[fault]}
    return everybody


def shares_of(match, ends):
    """Work out expected and score of each position exactly, apart from the code under test."""
    numbers = {
        entrant.position: Entrant.objects.get(
            ladder=match.ladder, bot=entrant.version.bot_id
        ).rating
        or elo.START
        for entrant in match.entrants.select_related("version")
    }
    found = {}
    for position in numbers:
        weights = expected = score = Fraction(0)
        for game, (outcome, fault) in zip(match.games.order_by("number"), ends, strict=True):
            if position not in rated_for(game, outcome, fault):
                continue
            besiegers = {game.seats["white"], game.seats["black"]}
            besieges = position in besiegers
            weight = Fraction(1, len(besiegers)) if besieges else Fraction(1)
            fort = numbers[game.seats["garrison"]]
            camp = sum(numbers[each] for each in besiegers) / len(besiegers)
            gap = (fort - camp) if besieges else (camp - fort)
            weights += weight
            expected += weight * Fraction(1 / (1 + 10 ** (gap / 400)))
            score += weight * Fraction(outcome["besiegers" if besieges else "garrison"])
        if weights:
            found[position] = (float(expected / weights), float(score / weights))
    return found


@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    played=st.lists(
        st.tuples(
            st.permutations(range(4)), st.lists(st.sampled_from(ENDS), min_size=3, max_size=3)
        ),
        min_size=1,
        max_size=3,
    ),
    entrants=st.sampled_from([2, 3]),
)
def test_results_follow_the_rule_once_whatever_happens(played, entrants, crowd):
    with transaction.atomic():
        for version, rating in zip(crowd, (1700.0, 1600.0, 1500.0, 1200.0), strict=True):
            Entrant.objects.filter(version=version).update(rating=rating)
        for order, ends in played:
            match = siege([crowd[number] for number in order[:entrants]])
            foretold = shares_of(match, ends[:entrants])

            lease = factories.finish_with(match, *ends[:entrants])

            assert finishing.finish(lease=lease) is False  # the message is delivered again
            written = events(match)
            assert {
                position: (event.expected, event.score) for position, event in written.items()
            } == {position: pytest.approx(both) for position, both in foretold.items()}
            if not any(fault for _outcome, fault in ends[:entrants]):
                surprise = sum(event.score - event.expected for event in written.values())
                assert surprise == pytest.approx(0)
        ladder = Match.objects.latest("pk").ladder
        refits.refresh(ladder=ladder)
        assert recomputation.rerate(ladder=ladder) == []
        assert Match.objects.count() == len(played)
        games = sum(entrant.games for entrant in Entrant.objects.filter(ladder=ladder))
        assert games == sum(event.games for event in RatingEvent.objects.all())
        transaction.set_rollback(True)


@pytest.fixture
def crowd():
    return ready(4)
