"""The standard tables, as they are printed everywhere, and what makes them standard."""

import pytest

from arena.domain.formats import seeding

PRINTED = {
    2: "1-2",
    4: "1-4 2-3",
    8: "1-8 4-5 2-7 3-6",
    16: "1-16 8-9 4-13 5-12 2-15 7-10 3-14 6-11",
    32: ("1-32 16-17 8-25 9-24 4-29 13-20 5-28 12-21 2-31 15-18 7-26 10-23 3-30 14-19 6-27 11-22"),
    64: (
        "1-64 32-33 16-49 17-48 8-57 25-40 9-56 24-41 "
        "4-61 29-36 13-52 20-45 5-60 28-37 12-53 21-44 "
        "2-63 31-34 15-50 18-47 7-58 26-39 10-55 23-42 "
        "3-62 30-35 14-51 19-46 6-59 27-38 11-54 22-43"
    ),
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
