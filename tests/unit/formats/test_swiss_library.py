"""Our Swiss rounds against those of py4swiss, the Dutch system of FIDE, from the same histories."""

from statistics import median

import pytest

from tests.unit.formats import comparison, dutch
from tests.unit.formats.comparison import Compared
from tests.unit.formats.test_swiss import drawn, start

FIELDS = [(8, 5), (9, 5), (16, 6), (17, 6), (32, 6)]  # entrants and rounds
TOURNAMENTS = 5


@pytest.fixture(scope="module", params=FIELDS, ids=str)
def compared(request) -> list[Compared]:
    entrants, rounds = request.param
    return [
        one
        for rng_seed in range(TOURNAMENTS)
        for one in comparison.compare(entrants=entrants, rounds=rounds, rng_seed=rng_seed)
    ]


def test_our_swiss_opponents_are_not_further_apart(compared):
    """Where the same points have the bye, or nobody, ours are the nearest that there are."""
    assert median(one.ours.apart - one.theirs.apart for one in compared) == 0
    alike = [one for one in compared if one.ours.bye_points == one.theirs.bye_points]
    with_even = [one for one in alike if one.ours.bye_points is None]
    assert all(one.ours.apart <= one.theirs.apart for one in with_even)
    assert all(one.ours.apart <= one.theirs.apart + 1 for one in alike)


def test_as_many_meet_with_unequal_points(compared):
    assert median(one.ours.floaters - one.theirs.floaters for one in compared) == 0
    ours, theirs = (
        sum(one.ours.floaters for one in compared),
        sum(one.theirs.floaters for one in compared),
    )
    assert abs(ours - theirs) <= 0.1 * theirs


def test_the_bye_goes_to_as_few_points(compared):
    """Ours always to the last who had none; theirs now and then to one with more points."""
    byes = [(one.ours.bye_points, one.theirs.bye_points) for one in compared]
    assert all(ours is None or ours <= theirs for ours, theirs in byes)
    assert sum(ours == theirs for ours, theirs in byes) >= 0.9 * len(byes)


def test_round_one_is_the_same():
    for entrants in (8, 9, 32):
        state = start(entrants)
        ours = [set(meeting.entrants) for meeting in drawn(state).meetings]
        assert [set(pair) for pair in dutch.pairs(state)] == ours
