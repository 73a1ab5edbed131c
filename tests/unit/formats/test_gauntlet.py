"""Gauntlets: challengers meet all others, or all pairs of them, and nobody else meets."""

from collections import Counter
from itertools import combinations, product

import pytest

from arena.domain.formats.gauntlet import Gauntlet
from arena.domain.formats.types import (
    Entry,
    PairingState,
    Score,
    TournamentState,
    Unplayable,
)
from tests.unit.formats.bracket_play import setup_for

GAUNTLET = Gauntlet()


@pytest.mark.parametrize("size", [2, 3])
def test_each_challenger_meets_all_the_others_once(size):
    for challengers, others in product((1, 2, 3, 8), range(size - 1, 9 if size == 2 else 7)):
        setup = setup_for(size=size, challengers=challengers)
        GAUNTLET.check(setup, challengers + others)
        rounds = GAUNTLET.rounds(setup, challengers + others)
        met = Counter(frozenset(seating) for turn in rounds for seating in turn)
        theirs = [*combinations(range(challengers, challengers + others), size - 1)]
        assert met == {
            frozenset((one, *those)): 1 for one in range(challengers) for those in theirs
        }
        for turn in rounds:
            assert len({place for seating in turn for place in seating}) == size * len(turn) > 0
        if size == 2:
            assert len(rounds) == max(challengers, others)


def test_points_per_game_are_compared():
    # The challenger makes 3 of 6 games, one of those it met 2 of 2.
    scores = [(0, 2), (1, 1), (2, 0)]
    meetings = [
        PairingState(
            at,
            1,
            (1, other),
            scores=(Score(wins=won, losses=2 - won), Score(wins=lost, losses=2 - lost)),
        )
        for at, (other, (won, lost)) in enumerate(zip((2, 3, 4), scores, strict=True), start=1)
    ]
    state = TournamentState(setup_for(), [Entry(who, who) for who in (1, 2, 3, 4)], meetings)
    rows = GAUNTLET.standings(state)
    assert (rows[0].entrant, rows[0].points) == (2, 2)
    assert {row.entrant for row in rows[1:3]} == {1, 3}
    assert [row.decided_by for row in rows] == [
        "points_per_game",
        "coin",
        "points_per_game",
        "",
    ]


@pytest.mark.parametrize(
    ("size", "challengers", "entrants", "code", "details"),
    [
        (2, 3, 3, "too_few_entrants", {"least": 4, "entrants": 3}),
        (3, 2, 3, "too_few_entrants", {"least": 4, "entrants": 3}),
        (3, 8, 48, "too_many_pairings", {"pairings": 6240, "most": 4096}),
    ],
)
def test_what_cannot_be_played_is_refused(size, challengers, entrants, code, details):
    with pytest.raises(Unplayable) as refused:
        GAUNTLET.check(setup_for(size=size, challengers=challengers), entrants)
    assert (refused.value.code, refused.value.details) == (code, details)
