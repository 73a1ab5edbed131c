"""Groups and their play-off: who is where, who goes on, and who meets whom there."""

from dataclasses import replace
from random import Random

import pytest

from arena.domain.formats import groups_playoff
from arena.domain.formats.groups_playoff import GroupsPlayoff
from arena.domain.formats.types import Decision, Entry, Unplayable
from tests.unit.formats.bracket_play import Play, by_lot, by_strength, entries, setup_for

GROUPS = GroupsPlayoff()


def setup(size=2, **options):
    return setup_for(size=size, **options)


def test_seeds_are_dealt_like_a_snake():
    hands = groups_playoff.dealt(setup(groups=3), Random(1).sample(entries(8), 8))
    assert [[entry.seed for entry in hand] for hand in hands] == [[1, 6, 7], [2, 5, 8], [3, 4]]


def test_draw_of_round_1_says_groups():
    drawn = GROUPS.initial_pairings(setup(groups=2), entries(5))
    [note] = drawn.notes
    assert (note.code, note.details) == (
        "group_draw",
        {"groups": [[1001, 1004, 1005], [1002, 1003]]},
    )
    assert [meeting.number for meeting in drawn.meetings] == [1, 2]
    assert {meeting.slot for meeting in drawn.meetings} == {""}


def sizes(rng, size):
    number, qualifiers = rng.randint(2, 4), rng.randint(1, 3)
    if size == 3:
        number, qualifiers = rng.randint(2, 3), rng.randint(1, 3)
    least = number * max(size, qualifiers)
    return number, qualifiers, least + rng.randint(0, 5 if size == 2 else 3)


@pytest.mark.parametrize("size", [2, 3])
def test_best_of_each_group_go_on_and_lead(size):
    rng = Random(f"going on {size}")
    for _ in range(25):
        number, qualifiers, count = sizes(rng, size)
        terms = setup(size, groups=number, qualifiers=qualifiers)
        play = Play(GROUPS, terms, entries(count), result=by_lot, rng=rng).run()
        tables = GROUPS.group_tables(play.state)
        expected = {row.entrant for rows in tables.values() for row in rows[:qualifiers]}
        rows = GROUPS.standings(play.state)
        assert {row.entrant for row in rows[: len(expected)]} == expected
        assert {row.stage > 0 for row in rows[: len(expected)]} == {True}
        places = {row.entrant: row.rank for table in tables.values() for row in table}
        others = rows[len(expected) :]
        assert [row.stage for row in others] == sorted(
            (-places[r.entrant] for r in others), reverse=True
        )
        final = [m for m in play.state.meetings if m.slot == f"PW{deepest(play.state)}.1"]
        assert rows[0].entrant in final[0].entrants
        said = {
            n.details["group"]: n.details["entrants"] for n in play.notes if n.code == "qualified"
        }
        assert said == {at: [r.entrant for r in table[:qualifiers]] for at, table in tables.items()}


def deepest(state):
    return max(int(m.slot[2:].split(".")[0]) for m in state.meetings if m.slot.startswith("PW"))


def test_who_has_left_is_passed_over():
    terms = setup(groups=2, qualifiers=2)
    play = Play(GROUPS, terms, entries(8), result=by_strength)
    last = GROUPS.group_rounds(play.state)
    for _ in range(last):
        play.step()
    play.leave(1001, last)  # it has won its group of 1, 4, 5 and 8
    play.step()
    codes = [(note.code, note.details) for note in play.notes]
    assert ("passed_over", {"group": 1, "entrant": 1001}) in codes
    assert ("qualified", {"group": 1, "entrants": [1004, 1005]}) in codes
    assert ("qualified", {"group": 2, "entrants": [1002, 1003]}) in codes
    rows = GROUPS.standings(play.run().state)
    assert [row.entrant for row in rows[:4]] == [1002, 1003, 1004, 1005]
    assert (rows[4].entrant, rows[4].stage) == (1001, -1)


def test_the_play_off_keeps_whom_it_began_with():
    terms = setup(groups=2, qualifiers=2)
    play = Play(GROUPS, terms, entries(8), result=by_strength)
    for _ in range(GROUPS.group_rounds(play.state) + 1):
        play.step()
    # What the groups played is void now: their tables are empty, and the final is the same.
    drawn = GROUPS.next_round(play.state)
    voided = [
        meeting if meeting.slot else replace(meeting, decision=Decision.VOID, scores=())
        for meeting in play.state.meetings
    ]
    changed = replace(play.state, meetings=voided)
    assert {row.points for table in GROUPS.group_tables(changed).values() for row in table} == {0}
    assert GROUPS.next_round(changed) == drawn
    assert {row.entrant for row in GROUPS.standings(changed)[:4]} == {1001, 1002, 1003, 1004}


@pytest.mark.parametrize("left", [0, 1, 2])
def test_too_few_left_means_no_play_off(left):
    terms = setup(groups=2, qualifiers=1)
    play = Play(GROUPS, terms, entries(4), result=by_strength)
    play.step()
    staying = {1001, 1002, 1003, 1004} if left == 2 else {1001, 1004} if left == 1 else set()
    for entry in entries(4):
        if entry.id not in staying:
            play.leave(entry.id, 1)
    assert GROUPS.is_finished(play.state) == (left < 2)
    assert (GROUPS.next_round(play.state) is None) == (left < 2)
    assert len(GROUPS.standings(play.state)) == 4


def test_bracket_of_three_leaves_out_surplus_entrants():
    # For exactly three: three groups with one qualifier each, and one group has emptied.
    terms = replace(setup(3, groups=3, qualifiers=3), sizes=(3,))
    GROUPS.check(terms, 9)
    play = Play(GROUPS, terms, entries(9), result=by_strength)
    play.step()
    play.leave(1009, 1)
    play.step()
    assert [note.details for note in play.notes if note.code == "left_out"] == [
        {"entrants": sorted_out(play)}
    ]
    assert sum(len(m.entrants) for m in play.state.meetings if m.round == 2) == 3


def sorted_out(play):
    there = {who for m in play.state.meetings if m.round == 2 for who in m.entrants}
    tables = GROUPS.group_tables(play.state)
    return [r.entrant for rows in tables.values() for r in rows if r.entrant not in {*there, 1009}]


@pytest.mark.parametrize(
    ("size", "options", "entrants", "code", "details"),
    [
        (
            2,
            {"groups": 4, "qualifiers": 1},
            7,
            "groups_too_small",
            {"groups": 4, "least": 8, "entrants": 7},
        ),
        (
            3,
            {"groups": 2, "qualifiers": 2},
            5,
            "groups_too_small",
            {"groups": 2, "least": 6, "entrants": 5},
        ),
        (
            2,
            {"groups": 2, "qualifiers": 1},
            140,
            "too_many_pairings",
            {"pairings": 4830, "most": 4096},
        ),
    ],
)
def test_what_cannot_be_played_is_refused(size, options, entrants, code, details):
    with pytest.raises(Unplayable) as refused:
        GROUPS.check(setup(size, **options), entrants)
    assert (refused.value.code, refused.value.details) == (code, details)


def test_play_off_for_exactly_three_is_checked():
    terms = replace(setup(3, groups=2, qualifiers=2), sizes=(3,))
    with pytest.raises(Unplayable) as refused:
        GROUPS.check(terms, 8)
    assert refused.value.code == "bracket_needs_pairs"


def test_unequal_groups_are_compared_by_points_per_game():
    # 1, 4 and 5 are a group of three, 2 and 3 one of two: its winner has half as many games.
    terms = setup(groups=2, qualifiers=1)
    field = [Entry(who, who) for who in (1, 2, 3, 4, 5)]
    play = Play(GROUPS, terms, field, result=by_strength)
    for _ in range(GROUPS.group_rounds(play.state)):
        play.step()
    rows = GROUPS.standings(play.state)
    assert [(row.entrant, row.group, row.stage, row.points) for row in rows if row.stage == -2] == [
        (4, 1, -2, 2.0),
        (3, 2, -2, 0.0),
    ]
    assert {row.points for row in rows if row.stage == -1} == {4.0, 2.0}
    assert rows[0].decided_by == "coin"  # 4 of 4 games and 2 of 2 are as good
