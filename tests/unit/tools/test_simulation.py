"""The simulated ladders of the bench: worlds of known strength, and when a ranking is right."""

from itertools import islice
from random import Random

import pytest

from arena.domain.ratings import elo
from tools.bench.simulation.books import Book, plain
from tools.bench.simulation.makers import MAKERS
from tools.bench.simulation.ranking import games_until_right, kendall_tau
from tools.bench.simulation.worlds import ARRIVAL, BOTS, RENEWALS, WORLDS


def test_kendall_tau_of_the_same_the_opposite_and_one_exchange():
    assert kendall_tau([1, 2, 3], [10, 20, 30]) == 1.0
    assert kendall_tau([1, 2, 3], [30, 20, 10]) == -1.0
    assert kendall_tau([1, 2, 3], [10, 30, 20]) == pytest.approx(1 / 3)


def test_the_stronger_gets_what_was_foretold():
    world = WORLDS["constant"](1)
    order = sorted(range(BOTS), key=world.worths().__getitem__)
    weak, strong = order[0], order[-1]

    points = [sum(world.play(strong, weak)) for _ in range(200)]

    assert order == sorted(range(BOTS), key=world.strengths.__getitem__)
    assert sum(points) > 1.5 * len(points)


def test_in_circles_who_is_best_is_not_who_is_strongest_for_all():
    world = WORLDS["in circles"](1)

    assert kendall_tau(world.worths(), world.strengths) < 1.0


def test_versions_that_improve_come_at_their_time_and_start_anew():
    world, book = WORLDS["improving"](1), Book(elo.k_factor, fits=False)
    book.enter(0, 1, (1.0, 1.0))
    before = list(world.strengths)

    renewed = world.renew(RENEWALS[0])
    for bot in renewed:
        book.renew(bot)

    assert len(renewed) == BOTS // 3
    assert {bot for bot in range(BOTS) if world.strengths[bot] != before[bot]} == set(renewed)
    assert all(book.games[bot] == 0 for bot in renewed)
    assert world.renew(RENEWALS[0] + 1) == []
    assert world.settled() == RENEWALS[-1]


def test_newcomers_take_the_places_of_others_and_inherit_nothing():
    world, book = WORLDS["newcomers"](1), Book(elo.k_factor, fits=False)
    book.enter(0, 1, (1.0, 1.0))
    assert world.welcome(ARRIVAL - 1) == []

    for bot in (arrived := world.welcome(ARRIVAL)):
        book.replace(bot)

    assert sorted(world.strengths[bot] for bot in arrived) == [-500.0] * 4 + [500.0] * 4
    assert {(book.ratings[bot], book.games[bot]) for bot in arrived} == {(elo.START, 0)}
    assert [book.firsts[bot] for bot in arrived] == [book.versions[bot] for bot in arrived]
    assert world.settled() == ARRIVAL


@pytest.mark.parametrize("name", MAKERS)
def test_every_maker_lets_all_meet_others(name):
    world, book = WORLDS["constant"](2), Book(plain, fits=False)

    for one, other in islice(MAKERS[name](book, Random(1)), 300):
        assert one != other
        book.enter(one, other, world.play(one, other))

    assert min(book.games) > 0
    assert sum(book.games) == 300 * 4


def test_a_ranking_is_right_from_the_first_of_the_looks_at_which_it_held():
    world, book = WORLDS["constant"](3), Book(plain, fits=False)
    truth = world.worths()

    def rank(book):
        is_known = len(book.played) >= 40
        return truth if is_known else [-each for each in truth]

    assert games_until_right(world, book, MAKERS["random"], rank, seed=1) == 80
