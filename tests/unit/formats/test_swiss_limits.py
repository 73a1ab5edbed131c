"""How many rounds of a Swiss tournament are always possible, and whether it ends too early."""

from dataclasses import replace
from random import Random

import pytest

from arena.domain.formats import swiss
from arena.domain.formats.swiss import Swiss
from arena.domain.formats.types import PairingState, Unplayable
from tests.unit.formats.test_swiss import DRAW, random_state, start

SWISS = Swiss()


@pytest.mark.parametrize(
    ("size", "entrants", "most"),
    [
        *[(2, 2, 1), (2, 3, 3), (2, 4, 3), (2, 6, 3), (2, 8, 5), (2, 9, 5), (2, 64, 33)],
        *[(3, 3, 1), (3, 5, 2), (3, 7, 1), (3, 8, 4), (3, 9, 4), (3, 10, 4), (3, 11, 4)],
        *[(3, 12, 3), (3, 13, 4), (3, 15, 3), (3, 64, 11)],
    ],
)
def test_more_rounds_than_are_always_possible_are_refused(size, entrants, most):
    SWISS.check(start(entrants, size=size, rounds=most).setup, entrants)
    with pytest.raises(Unplayable) as refused:
        SWISS.check(start(entrants, size=size, rounds=most + 1).setup, entrants)
    assert refused.value.code == "swiss_too_many_rounds"
    assert refused.value.details == {"rounds": most + 1, "most": most, "entrants": entrants}


@pytest.mark.parametrize("size", [2, 3])
def test_too_few_are_refused(size):
    with pytest.raises(Unplayable) as refused:
        SWISS.check(start(size, size=size, rounds=1).setup, size - 1)
    assert refused.value.details == {"least": size, "entrants": size - 1}
    with pytest.raises(Unplayable):
        SWISS.initial_pairings(start(size, size=size).setup, start(size - 1).entries)


def test_six_can_end_after_three_rounds():
    """What the limit is for: two threes of whom everybody has met the other three."""
    met = [[(1, 4), (2, 5), (3, 6)], [(1, 5), (2, 6), (3, 4)], [(1, 6), (2, 4), (3, 5)]]
    meetings = [
        PairingState(number, at, pair, scores=(DRAW, DRAW))
        for number, pairs in enumerate(met, start=1)
        for at, pair in enumerate(pairs, start=1)
    ]
    assert SWISS.next_round(replace(start(6, rounds=4), meetings=tuple(meetings))) is None


@pytest.mark.parametrize("entrants", [5, *range(8, 18)])
def test_all_rounds_that_are_always_possible_are_found(entrants):
    rounds = swiss.most_rounds(3, entrants)
    for rng_seed in range(15):
        random_state(entrants, rounds, Random(rng_seed), size=3)
