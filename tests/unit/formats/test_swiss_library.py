"""Our Swiss rounds against those of py4swiss, the Dutch system of FIDE, from the same histories."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from arena.domain.formats.types import TournamentState
from tests.unit.formats import dutch
from tests.unit.formats.naive_swiss import Round, points
from tests.unit.formats.test_swiss import drawn, start
from tests.unit.formats.test_tiebreak_library import GAMES, ROUNDS, tournament

TOURNAMENTS = 3


def histories(entrants: int) -> Iterator[TournamentState]:
    for rng_seed in range(TOURNAMENTS):
        played = tournament(entrants, Random(rng_seed))
        for number in range(1, ROUNDS + 1):
            meetings = [meeting for meeting in played.meetings if meeting.round <= number]
            yield replace(played, meetings=meetings)


def measured(state: TournamentState, pairs: Round) -> tuple[float, float]:
    """Return the points of who rests, and how far those who meet are apart, summed."""
    resting = sum(points(state, pair[0]) for pair in pairs if len(pair) == 1)
    meetings = [pair for pair in pairs if len(pair) > 1]
    return resting, sum(abs(points(state, one) - points(state, two)) for one, two in meetings)


@pytest.mark.parametrize("entrants", [8, 9, 16, 17, 32])
def test_our_swiss_opponents_are_not_further_apart(entrants):
    """With a bye of as many points nearly so: its seed may differ, too."""
    for state in histories(entrants):
        rests, apart = measured(state, [meeting.entrants for meeting in drawn(state).meetings])
        their_rests, their_apart = measured(state, dutch.pairs(state))

        assert rests <= their_rests
        if rests == their_rests:
            assert apart <= their_apart + (GAMES if entrants % 2 else 0)


def test_round_one_is_the_same():
    for entrants in (8, 9, 32):
        state = start(entrants)
        ours = [set(meeting.entrants) for meeting in drawn(state).meetings]
        assert [set(pair) for pair in dutch.pairs(state)] == ours
