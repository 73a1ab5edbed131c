"""The layout of brackets: every slot once, in its place, and who is in it as far as is known."""

import pytest

from arena.domain.formats.brackets import Join
from arena.domain.formats.double_elimination import DoubleElimination
from arena.domain.formats.groups_playoff import GroupsPlayoff
from arena.domain.formats.round_robin import RoundRobin
from arena.domain.formats.single_elimination import SingleElimination
from arena.domain.formats.types import TournamentState
from tests.unit.formats.bracket_play import Play, entries, setup_for

DOUBLE = DoubleElimination()
GROUPS = GroupsPlayoff()
KNOCKOUT = SingleElimination()
ROUND_ROBIN = RoundRobin()

FORMATS = (KNOCKOUT, DOUBLE)


def drawn(section):
    """Draw a section as text: a line for each column, a dash where a place is empty."""
    return [
        " ".join(cell.slot if cell else "-" for cell in column.cells) for column in section.columns
    ]


def laid_out(played, count, **options):
    return of(played, TournamentState(setup_for(**options), entries(count)))


def of(played, state):
    """Return the bracket where there must be one."""
    bracket = played.bracket(state)
    assert bracket
    return bracket


def test_of_eight():
    (upper, third) = laid_out(KNOCKOUT, 8, third_place=1).sections
    assert drawn(upper) == ["W1.1 W1.2 W1.3 W1.4", "W2.1 W2.2", "W3.1"]
    assert [column.join for column in upper.columns] == [Join.TWOS, Join.TWOS, Join.NONE]
    assert [column.to_go for column in upper.columns] == [2, 1, 0]
    assert (third.part, drawn(third)) == ("third_place", ["T1.1"])


def test_of_thirteen_twice():
    upper, lower, final = laid_out(DOUBLE, 13).sections
    assert drawn(upper)[0] == " ".join(f"W1.{place}" for place in range(1, 9))
    assert drawn(lower) == [
        "- L1.2 - -",
        "L2.1 L2.2 L2.3 L2.4",
        "L3.1 L3.2",
        "L4.1 L4.2",
        "L5.1",
        "L6.1",
    ]
    joins = [Join.STRAIGHT, Join.TWOS] * 3
    assert [column.join for column in lower.columns] == [*joins[:-1], Join.NONE]
    assert drawn(final) == ["G1.1", "G2.1"]
    assert [column.round for column in upper.columns] == [1, 2, 4, 6]
    assert [column.round for column in lower.columns] == [2, 3, 4, 5, 6, 7]


def test_threes():
    (upper,) = laid_out(KNOCKOUT, 9, size=3).sections
    assert [column.join for column in upper.columns] == [Join.THREES, Join.NONE]
    upper, lower, _ = laid_out(DOUBLE, 9, size=3).sections
    assert [column.join for column in upper.columns] == [Join.THREES, Join.NONE]
    assert drawn(lower) == ["L1.1 L1.2", "L2.1 L2.2", "L3.1"]
    assert {column.join for column in lower.columns} == {Join.NONE}


@pytest.mark.parametrize("played", FORMATS)
@pytest.mark.parametrize("size", [2, 3])
def test_every_slot_is_there_once(played, size):
    for count in range(3, 65):
        bracket = laid_out(played, count, size=size)
        cells = [
            cell.slot
            for section in bracket.sections
            for column in section.columns
            for cell in column.cells
            if cell
        ]
        state = TournamentState(setup_for(size=size), entries(count))
        nodes = played.bracket_state_of(state).nodes
        assert sorted(cells) == sorted(node.slot for node in nodes)
        for section in bracket.sections:
            for column in section.columns:
                assert any(column.cells)


def lines(bracket, slot):
    return next(
        cell
        for section in bracket.sections
        for column in section.columns
        for cell in column.cells
        if cell and cell.slot == slot
    )


def test_bracket_before_start_shows_seeds_and_sources():
    bracket = laid_out(KNOCKOUT, 6)
    assert [(line.entrant, line.seed) for line in lines(bracket, "W1.2").lines] == [
        (1004, 4),
        (1005, 5),
    ]
    assert [(line.entrant, line.source.slot) for line in lines(bracket, "W2.1").lines] == [
        (1001, "W1.1"),  # from a bye it is known
        (None, "W1.2"),
    ]
    assert bracket.winner is None


def test_slots_are_numbered_like_drawn_pairings():
    play = Play(DOUBLE, setup_for(), entries(6))
    before = {
        cell.slot: (column.round, cell.number)
        for section in of(DOUBLE, play.state).sections
        for column in section.columns
        for cell in column.cells
        if cell
    }
    play.run()
    drawn = {each.slot: (each.round, each.number) for each in play.state.meetings}
    assert drawn == {slot: before[slot] for slot in drawn}
    assert before["G1.1"] == (6, 1)


def test_while_it_is_played():
    play = Play(KNOCKOUT, setup_for(), entries(6))
    play.step()
    bracket = of(KNOCKOUT, play.state)
    first = lines(bracket, "W1.2")
    assert [(line.entrant, line.score.wins, line.has_won) for line in first.lines] == [
        (1004, 2, True),
        (1005, 0, False),
    ]
    assert [line.entrant for line in lines(bracket, "W2.1").lines] == [1001, 1004]
    play.run()
    assert of(KNOCKOUT, play.state).winner == 1001


def test_a_final_that_is_not_needed_is_idle():
    play = Play(DOUBLE, setup_for(), entries(5)).run()
    bracket = of(DOUBLE, play.state)
    assert (lines(bracket, "G1.1").is_idle, lines(bracket, "G2.1").is_idle) == (False, True)
    assert not any(line.has_won for line in lines(bracket, "G2.1").lines)
    assert bracket.winner == 1001


def test_where_there_is_none():
    assert ROUND_ROBIN.bracket(TournamentState(setup_for(), entries(4))) is None
    assert KNOCKOUT.bracket(TournamentState(setup_for(), entries(1))) is None


def test_play_off_of_groups_once_drawn():
    play = Play(GROUPS, setup_for(groups=2, qualifiers=2), entries(8))
    for _ in range(3):
        assert GROUPS.bracket(play.state) is None
        play.step()
    play.step()
    (upper,) = of(GROUPS, play.state).sections
    assert drawn(upper) == ["PW1.1 PW1.2", "PW2.1"]
    assert [column.round for column in upper.columns] == [4, 5]
