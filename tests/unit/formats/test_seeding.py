"""The standard tables, as they are printed everywhere, and what makes them standard."""

import pytest

from arena.domain.formats import seeding

PRINTED = {
    2: "1-2",
    4: "1-4 2-3",
    8: "1-8 4-5 2-7 3-6",
    16: "1-16 8-9 4-13 5-12 2-15 7-10 3-14 6-11",
}


def printed(text):
    return tuple(tuple(int(seed) for seed in pair.split("-")) for pair in text.split())


@pytest.mark.parametrize("slots", PRINTED)
def test_as_printed(slots):
    assert seeding.meetings(slots) == printed(PRINTED[slots])


def test_best_seeds_get_byes_and_top_two_split():
    for entrants in range(2, 65):
        met = seeding.meetings(entrants)
        byes = seeding.slots_for(entrants) - entrants
        assert sorted(seed for pair in met for seed in pair) == list(range(1, entrants + 1))
        assert sorted(pair[0] for pair in met if len(pair) == 1) == list(range(1, byes + 1))
        half = [seed for pair in met[: (len(met) + 1) // 2] for seed in pair]
        assert (1 in half, 2 in half) == (True, entrants == 2), entrants


def test_threes():
    assert seeding.meetings(9, 3) == ((1, 6, 9), (2, 5, 8), (3, 4, 7))
    assert seeding.meetings(8, 3) == ((1, 6), (2, 5, 8), (3, 4, 7))
    assert seeding.meetings(5, 3) == ((1,), (2, 5), (3, 4))
    assert seeding.meetings(3, 3) == ((1, 2, 3),)


def test_in_threes_the_best_have_the_smallest_meetings():
    for entrants in range(2, 82):
        met = sorted(seeding.meetings(entrants, 3))
        assert sorted(seed for three in met for seed in three) == list(range(1, entrants + 1))
        sizes = [len(three) for three in met]
        assert sizes == sorted(sizes), entrants
        assert sizes[0] >= 1
