from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.domain.pairing import Candidate, choose


def candidate(key, **changes):
    fields = {"owner": key, "rating": 1500.0, "games": 10, "waiting_s": 0.0, "busy": 0, **changes}
    return Candidate(key=key, **fields)


def pick(*candidates, met=None, max_busy=2, seed=1, entrants=2):
    return choose(
        candidates, entrants=entrants, met=met or {}, max_busy=max_busy, random=Random(seed)
    )


def test_the_fewest_games_come_first():
    first, _second = pick(candidate(1), candidate(2, games=3), candidate(3))

    assert first == 2


def test_equal_need_goes_to_the_longest_wait():
    first, _second = pick(candidate(1), candidate(2), candidate(3, waiting_s=60.0))

    assert first == 3


def test_the_nearest_rating_is_preferred_over_one_beyond_the_noise():
    needy = candidate(1, games=0)

    chosen = {
        pick(needy, candidate(2, rating=1510.0), candidate(3, rating=1700.0), seed=seed)
        for seed in range(50)
    }

    assert chosen == {(1, 2)}


def test_recent_meetings_are_avoided():
    met = {frozenset((1, 2)): 1}

    chosen = {
        pick(candidate(1, games=0), candidate(2), candidate(3, rating=1550.0), met=met, seed=seed)
        for seed in range(50)
    }

    assert chosen == {(1, 3)}


def test_noise_varies_the_choice_between_near_equals():
    chosen = {
        pick(candidate(1, games=0), candidate(2), candidate(3), seed=seed) for seed in range(50)
    }

    assert chosen == {(1, 2), (1, 3)}


def test_one_owner_alone_meets_nobody():
    assert pick(candidate(1, owner=7), candidate(2, owner=7)) is None


def test_a_bot_at_its_bound_gets_no_further_match():
    assert pick(candidate(1, busy=2), candidate(2)) is None


def test_one_that_rests_asks_for_no_match_but_serves_as_an_opponent():
    resting = candidate(1, games=0, resting=True)

    assert pick(resting, candidate(2, resting=True)) is None
    assert pick(resting, candidate(2)) == (2, 1)


def test_the_next_in_need_plays_when_the_first_has_no_opponent():
    alone = candidate(1, owner=7, games=0)

    chosen = pick(alone, candidate(2, owner=7, games=1), candidate(3, busy=2), candidate(4, busy=2))

    assert chosen is None
    assert pick(alone, candidate(2, owner=7, games=1), candidate(3, games=9)) == (1, 3)


def test_a_third_is_near_to_both_who_are_there():
    needy = candidate(1, games=0, rating=1400.0)
    crowd = [candidate(2, rating=1500.0), candidate(3, rating=1600.0), candidate(4, rating=1800.0)]

    chosen = {pick(needy, *crowd, seed=seed, entrants=3) for seed in range(50)}

    assert {frozenset(keys) for keys in chosen} == {frozenset((1, 2, 3))}


def test_a_third_who_has_met_one_of_them_is_avoided():
    met = {frozenset((2, 3)): 2}
    crowd = [candidate(2), candidate(3, rating=1560.0), candidate(4, rating=1620.0)]

    chosen = {
        frozenset(pick(candidate(1, games=0), *crowd, met=met, seed=seed, entrants=3))
        for seed in range(50)
    }

    assert chosen == {frozenset((1, 2, 4))}


def test_two_owners_are_too_few_for_three_entrants():
    two_owners = [candidate(1, owner=7), candidate(2, owner=8), candidate(3, owner=8)]

    assert pick(*two_owners, entrants=3) is None
    assert pick(*two_owners, candidate(4, busy=2), entrants=3) is None
    assert len(pick(*two_owners, candidate(4), entrants=3)) == 3


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
def test_no_choice_breaks_a_rule_and_one_is_found_where_there_is_one(crowd, entrants, seed):
    met = {frozenset((a.key, b.key)): 1 for a, b in combinations(crowd, 2) if (a.key ^ b.key) & 1}

    chosen = choose(crowd, entrants=entrants, met=met, max_busy=2, random=Random(seed))

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
