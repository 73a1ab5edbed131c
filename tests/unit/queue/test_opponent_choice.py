from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.queue.opponent_choice import (
    ROUND,
    Candidate,
    LadderActivity,
    choose,
    groups_of,
    worth_of_two,
)


def candidate(key, **changes):
    fields = {"owner": key, "rating": 1500.0, "games": 10, "waiting_s": 0.0, "busy": 0, **changes}
    return Candidate(key=key, **fields)


def pick(*candidates, met=None, seed=1, entrants=2, number=1, idle=False):
    field = LadderActivity(
        met=met or {}, max_busy=2, number=number, entrants=entrants, runner_is_idle=idle
    )
    return choose(candidates, field=field, random=Random(seed))


def test_equal_need_goes_to_the_longest_wait():
    first, _second = pick(candidate(1), candidate(2), candidate(3, waiting_s=60.0))

    assert first == 3


@pytest.mark.parametrize(
    ("crowd", "met", "chosen"),
    [
        ([candidate(2, rating=1510.0), candidate(3, rating=1700.0)], {}, {(1, 2)}),
        ([candidate(2), candidate(3, rating=1550.0)], {frozenset((1, 2)): 1}, {(1, 3)}),
        ([candidate(2), candidate(3)], {}, {(1, 2), (1, 3)}),
    ],
    ids=["nearest beyond noise", "not met lately", "near equals"],
)
def test_nearest_that_was_not_met_is_preferred(crowd, met, chosen):
    needy = candidate(1, games=0)

    assert {pick(needy, *crowd, met=met, seed=seed) for seed in range(50)} == chosen


def test_two_just_met_wait_for_somebody_else():
    """Of four bots two are free, and the other two have as many matches as they may have."""
    met = {frozenset((1, 2)): 1}
    free, full = [candidate(1), candidate(2)], [candidate(3, busy=2), candidate(4, busy=2)]

    assert pick(*free, *full, met=met) is None
    assert pick(*free, *full) == (1, 2)  # if they have not met
    assert pick(*free, *full, met={**met, frozenset((1, 3)): 1, frozenset((1, 4)): 1}) == (1, 2)
    assert pick(*free, met=met) == (1, 2)  # if there is nobody else
    own = [candidate(3, owner=1, busy=2), candidate(4, owner=1, busy=2)]
    assert pick(*free, *own, met=met) == (1, 2)  # or only bots of the same owner
    assert pick(*free, *full, candidate(5, games=99), met=met) == (1, 5)
    assert pick(*free, *full, met=met, idle=True) == (1, 2)  # if they are idle, and a runner is
    assert pick(candidate(1), candidate(2, busy=1), *full, met=met, idle=True) is None
    assert pick(candidate(1, overdue=True), candidate(2), *full, met=met) == (1, 2)


def test_new_ladder_match_joins_unconnected_groups():
    groups = groups_of((1, 2, 3, 4), [(1, 2), (3, 4)])
    field = LadderActivity(met={}, max_busy=2, number=1, runner_is_idle=True, groups=groups)
    near, far = candidate(2), candidate(3, rating=2500.0, games=99)

    assert choose([candidate(1, games=0), near, far], field=field, random=Random(1)) == (1, 3)
    waits = [candidate(1), near, replace(far, busy=2)]
    assert choose(waits, field=field, random=Random(1)) is None
    assert choose(waits, field=replace(field, groups={}), random=Random(1)) == (1, 2)
    alone = [candidate(1), near, replace(far, busy=2, owner=1), candidate(4, owner=2, busy=2)]
    assert choose(alone[:3], field=field, random=Random(1)) == (1, 2)  # nobody else for the first
    assert groups_of((1, 2, 3), [(1, 2), (3, 2)]) == {}


@given(st.integers(2, 40), st.integers(1, 60), st.integers(0, 1000))
@settings(max_examples=30)
def test_n_matches_join_all_entrants(bots, runners, seed):
    """Matches end in any order, and a runner plays each match as soon as it is made."""
    random = Random(seed)
    crowd = {key: candidate(key, games=0, rating=random.gauss(1500, 300)) for key in range(bots)}
    running: list[tuple[int, ...]] = []
    made: list[tuple[int, ...]] = []
    while len(made) < bots - 1:
        field = LadderActivity(
            met={},
            max_busy=2,
            number=len(made) + 1,
            runner_is_idle=len(running) < runners,
            groups=groups_of(crowd, made),
        )
        two = choose(list(crowd.values()), field=field, random=random)
        if two is None or len(running) >= runners:
            over = running.pop(random.randrange(len(running)))
            crowd.update({key: replace(crowd[key], busy=crowd[key].busy - 1) for key in over})
            continue
        made.append(two)
        running.append(two)
        for key in two:
            each = crowd[key]
            crowd[key] = replace(each, games=each.games + 2, busy=each.busy + 1)

    assert groups_of(crowd, made) == {}


def test_third_is_near_both_and_has_met_neither():
    needy = candidate(1, games=0, rating=1400.0)
    crowd = [candidate(2, rating=1500.0), candidate(3, rating=1600.0), candidate(4, rating=1800.0)]
    near = {frozenset(pick(needy, *crowd, seed=seed, entrants=3)) for seed in range(50)}
    met = {frozenset((2, 3)): 2}
    crowd = [candidate(2), candidate(3, rating=1560.0), candidate(4, rating=1620.0)]

    chosen = {
        frozenset(pick(candidate(1, games=0), *crowd, met=met, seed=seed, entrants=3))
        for seed in range(50)
    }

    assert near == {frozenset((1, 2, 3))}
    assert frozenset((1, 2, 3)) not in chosen
    assert frozenset((1, 2, 4)) in chosen


def test_longest_wait_asks_once_every_round():
    patient, new = candidate(1, games=50, waiting_s=90.0), candidate(2, games=0, waiting_s=1.0)

    askers = [pick(patient, new, candidate(3), number=number)[0] for number in range(1, ROUND + 1)]

    assert askers == [2] * (ROUND - 1) + [1]


def test_a_match_teaches_most_where_least_is_known():
    known = candidate(1, sd=30.0)
    settled, other, newcomer = candidate(2, sd=30.0), candidate(3, sd=200.0), candidate(4, games=0)

    assert worth_of_two(known, settled) < worth_of_two(known, other) < worth_of_two(known, newcomer)
    assert pick(known, settled, other) == (1, 3)
    assert candidate(1, games=3, sd=42.0).variance == 42.0**2
    assert candidate(1, games=3).variance > candidate(1, games=30).variance
    asker = candidate(1, sd=100.0)
    worths = [
        worth_of_two(asker, candidate(2, sd=100.0, rating=1500.0 + gap)) for gap in (0, 200, 800)
    ]
    assert worths == sorted(worths, reverse=True)
    assert 0 < worths[-1] < worths[0] < 2 * 100.0**2


candidates = st.builds(
    Candidate,
    key=st.integers(0, 30),
    owner=st.integers(0, 4),
    rating=st.floats(0, 3000),
    games=st.integers(0, 500),
    waiting_s=st.floats(0, 1e6),
    busy=st.integers(0, 3),
    resting=st.booleans(),
)


crowds = st.lists(candidates, unique_by=lambda each: each.key, max_size=12)


@given(crowds, st.integers(2, 4), st.integers())
def test_choice_breaks_no_rule_and_finds_existing_one(crowd, entrants, seed):
    met = {frozenset((a.key, b.key)): 1 for a, b in combinations(crowd, 2) if (a.key ^ b.key) & 1}
    crowd = [replace(each, overdue=True) for each in crowd]  # nobody waits for a better opponent

    chosen = pick(*crowd, met=met, seed=seed, entrants=entrants)

    by_key = {each.key: each for each in crowd}
    owners = {each.owner for each in crowd if each.busy < 2}
    asking = [each for each in crowd if each.busy < 2 and not each.resting]
    assert (chosen is None) == (len(owners) < entrants or not asking)
    if chosen is not None:
        table = [by_key[key] for key in chosen]
        assert len({each.owner for each in table}) == len(table) == entrants
        assert max(each.busy for each in table) < 2
        assert not table[0].resting
        assert table[0].need == min(each.need for each in asking)


def flicker(each, random):
    """Let every third entrant have its bound of matches open or rest, now and then."""
    if each.key % 3:
        return each
    return replace(each, busy=random.choice((0, 0, 2)), resting=random.random() < 0.2)


@settings(max_examples=15)
@given(
    st.lists(st.integers(0, 2), min_size=30, max_size=80),
    st.integers(3, 6),
    st.integers(2, 3),
    st.integers(),
)
def test_nobody_waits_beyond_bound_despite_new_arrivals(arrivals, first, entrants, seed):
    """A ladder to which new versions, without a game and so in the greatest need, keep coming.

    An entrant that is overdue, able and asks has its match among the next ROUND * n, n as it began
    to ask.
    """
    random = Random(seed)
    crowd = {key: candidate(key, owner=key % 4) for key in range(first)}
    stamps = dict.fromkeys(crowd, 0)
    left: dict[int, int] = {}  # how many matches may be made until it must have had its own
    made = 0
    for arriving in arrivals:
        for key in range(len(crowd), len(crowd) + arriving):
            crowd[key] = candidate(key, owner=random.randrange(4), games=0)
            stamps[key] = made
        for key, each in crowd.items():
            waits = made - stamps[key]
            fresh = flicker(each, random)
            crowd[key] = replace(fresh, waiting_s=float(waits), overdue=waits >= len(crowd))
        asking = {
            key
            for key, each in crowd.items()
            if each.overdue and each.busy < 2 and not each.resting
        }
        left = {key: left.get(key, ROUND * len(crowd)) for key in asking}
        seated = pick(*crowd.values(), number=made + 1, seed=seed + made, entrants=entrants)
        if seated is None:
            continue
        made += 1
        for key in seated:
            left.pop(key, None)
            stamps[key] = made
            crowd[key] = replace(crowd[key], games=crowd[key].games + 2)
        left = {key: matches - 1 for key, matches in left.items()}
        assert min(left.values(), default=1) > 0
