"""How many rounds of a Swiss tournament are always possible, and whether it ends too early."""

from dataclasses import replace
from random import Random

import pytest

from arena.domain.formats import swiss
from arena.domain.formats.swiss import Swiss
from arena.domain.formats.types import PairingState, Unplayable
from tests.unit.formats import naive_swiss
from tests.unit.formats.test_swiss import DRAW, play_round, random_state, start

SWISS = Swiss()


@pytest.mark.parametrize(
    ("size", "entrants", "most"),
    [
        *[(2, 2, 1), (2, 3, 3), (2, 4, 3), (2, 6, 5), (2, 9, 9), (2, 12, 11), (2, 13, 7)],
        (2, 64, 33),
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


@pytest.mark.parametrize("entrants", range(3, 13))
def test_few_play_all_rounds_whoever_wins(entrants):
    most = swiss.most_rounds(2, entrants)
    for rounds in range(1, most + 1):
        for rng_seed in range(2):
            state = random_state(entrants, rounds, Random(rng_seed), planned=rounds)
            assert SWISS.is_finished(state)
            assert SWISS.closing_notes(state) == ()


@pytest.mark.parametrize("entrants", range(4, 13))
def test_leavers_cost_no_round_that_can_be_played(entrants):
    """Two leave after a round: those who stay play on while any round is left."""
    most = swiss.most_rounds(2, entrants)
    for after in range(1, most):
        random = Random(after)
        state = random_state(entrants, after, random, planned=most)
        gone = random.sample(range(1, entrants + 1), 2)
        entries = [
            replace(each, until_round=after if each.id in gone else None) for each in state.entries
        ]
        state = replace(state, entries=tuple(entries))
        while SWISS.next_round(state) is not None:
            state = play_round(state, random)
        assert SWISS.is_finished(state)
        assert state.rounds == most or naive_swiss.best_cost(state) is None


@pytest.mark.parametrize("entrants", [5, *range(8, 18)])
def test_all_rounds_that_are_always_possible_are_found(entrants):
    rounds = swiss.most_rounds(3, entrants)
    for rng_seed in range(15):
        random_state(entrants, rounds, Random(rng_seed), size=3)
