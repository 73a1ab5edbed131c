"""Round robins: everybody meets everybody, first as often as second, whatever goes wrong."""

from collections import Counter
from itertools import combinations
from math import ceil, comb
from random import Random

import pytest

from arena.domain.formats import schedules
from arena.domain.formats.round_robin import DoubleRoundRobin, RoundRobin
from arena.domain.formats.types import (
    Decision,
    Entry,
    Score,
    Unplayable,
)
from tests.unit.formats import simulator
from tests.unit.formats.bracket_play import entries, setup_for

SINGLE = RoundRobin()
DOUBLE = DoubleRoundRobin()

FORMATS = {1: SINGLE, 2: DOUBLE}


def firsts(rounds):
    return Counter(seating[0] for turn in rounds for seating in turn)


def spread(rounds, place):
    """How much more often one is named in one place of a seating than in another."""
    seatings = [seating for turn in rounds for seating in turn if place in seating]
    named = Counter(seating.index(place) for seating in seatings)
    counts = [named[at] for at in range(len(seatings[0]))]
    return max(counts) - min(counts)


def is_packed(rounds):
    """Nobody is in two meetings of a round."""
    return all(
        len({place for pair in turn for place in pair}) == sum(map(len, turn)) for turn in rounds
    )


@pytest.mark.parametrize("cycles", [1, 2])
@pytest.mark.parametrize("entrants", [*range(2, 24), 63, 64])
def test_every_two_meet_once_per_cycle(entrants, cycles):
    rounds = FORMATS[cycles].rounds(setup_for(), entrants)
    met = Counter(frozenset(pair) for turn in rounds for pair in turn)
    assert met == {frozenset(pair): cycles for pair in combinations(range(entrants), 2)}
    assert is_packed(rounds)
    assert len(rounds) == cycles * (entrants - 1 + entrants % 2)  # and no round more than needed
    counts = firsts(rounds)
    first = [counts[place] for place in range(entrants)]
    assert max(abs(2 * count - cycles * (entrants - 1)) for count in first) <= cycles % 2


def test_the_second_cycle_changes_who_is_first():
    there, back = schedules.circle(6), DOUBLE.rounds(setup_for(), 6)[5:]
    assert [[pair[::-1] for pair in turn] for turn in back] == [[*turn] for turn in there]


@pytest.mark.parametrize("cycles", [1, 2])
@pytest.mark.parametrize("entrants", range(3, 14))
def test_every_three_meet_once_per_cycle(entrants, cycles):
    rounds = FORMATS[cycles].rounds(setup_for(size=3), entrants)
    met = Counter(frozenset(three) for turn in rounds for three in turn)
    assert met == {frozenset(three): cycles for three in combinations(range(entrants), 3)}
    assert is_packed(rounds)
    assert max(spread(rounds, place) for place in range(entrants)) <= 1
    least = max(comb(entrants - 1, 2), ceil(comb(entrants, 3) / (entrants // 3)))
    assert len(rounds) <= cycles * least * 1.45


@pytest.mark.parametrize("size", [2, 3])
def test_nobody_meets_twice_whatever_goes_wrong(size):
    seen: Counter[Decision] = Counter()
    for rng_seed in range(60):
        played = simulator.play(
            formats={"round_robin": SINGLE},
            slug="round_robin",
            size=size,
            rng_seed=rng_seed,
            troubled=True,
        )
        met = Counter(frozenset(meeting.entrants) for meeting in played.state.meetings)
        everybody = combinations([entry.id for entry in played.state.entries], size)
        assert met == {frozenset(those): 1 for those in everybody}
        for state, draw in played.steps:
            gone = [entry.id for entry in state.entries if not entry.is_in(state.rounds + 1)]
            for meeting in draw.meetings:
                left = set(meeting.entrants).intersection(gone)
                if left:
                    all_left = len(left) == size
                    assert meeting.decision == (Decision.VOID if all_left else Decision.WALKOVER)
                    for who in left if meeting.scores else ():
                        games = state.setup.games
                        assert meeting.score_of(who) == Score(losses=games, forfeits=games)
        seen.update(meeting.decision for meeting in played.state.meetings)
    assert set(seen) == {Decision.PLAYED, Decision.WALKOVER, Decision.VOID, Decision.AWARD}


def test_seeds_decide_places_and_numbers_do_not():
    field = [Entry(id=7, seed=2), Entry(id=9, seed=1), Entry(id=8, seed=3)]
    drawn = SINGLE.initial_pairings(setup_for(), field)
    seats = SINGLE.rounds(setup_for(), 3)[0]
    assert [meeting.entrants for meeting in drawn.meetings] == [
        tuple({0: 9, 1: 7, 2: 8}[place] for place in pair) for pair in seats
    ]
    assert [(meeting.round, meeting.number) for meeting in drawn.meetings] == [(1, 1)]


@pytest.mark.parametrize(
    ("size", "entrants", "code", "details"),
    [
        (2, 1, "too_few_entrants", {"least": 2, "entrants": 1}),
        (3, 2, "too_few_entrants", {"least": 3, "entrants": 2}),
        (2, 92, "too_many_pairings", {"pairings": 4186, "most": 4096}),
        (3, 31, "too_many_pairings", {"pairings": 4495, "most": 4096}),
        (4, 9, "unknown_size", {"size": 4, "known": [2, 3]}),
    ],
)
def test_what_cannot_be_played_is_refused(size, entrants, code, details):
    with pytest.raises(Unplayable) as refused:
        SINGLE.check(setup_for(size=size), entrants)
    assert (refused.value.code, refused.value.details) == (code, details)


def test_as_many_as_may_play_can_be_drawn():
    for size, most in ((2, 91), (3, 30)):
        SINGLE.check(setup_for(size=size), most)
        assert SINGLE.initial_pairings(setup_for(size=size), entries(most)).meetings


def test_firsts_chosen_fairly_where_nearest_is_unfair():
    # In a star one is in every meeting, and must be first in half of them.
    star = [[(0, other)] for other in range(1, 10)]
    assert firsts(schedules.balanced(star))[0] in (4, 5)
    rng = Random("firsts")
    for _ in range(300):
        size = rng.choice([2, 3])
        meetings = [tuple(rng.sample(range(6), size)) for _ in range(rng.randint(1, 25))]
        rounds = schedules.balanced([[meeting] for meeting in meetings])
        assert [frozenset(turn[0]) for turn in rounds] == [frozenset(pair) for pair in meetings]
        assert max(spread(rounds, place) for pair in meetings for place in pair) <= 1
