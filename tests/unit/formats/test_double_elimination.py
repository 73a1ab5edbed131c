"""Double elimination: of every size, by strength and by lot, with whatever can go wrong."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from arena.domain.formats import double_elimination
from arena.domain.formats.double_elimination import DoubleElimination
from arena.domain.formats.trees import Part
from arena.domain.formats.types import (
    Decision,
    Score,
    TournamentState,
    Unplayable,
)
from tests.unit.formats.bracket_play import Play, by_strength, entries, setup_for

DOUBLE = DoubleElimination()

COUNTS = (*range(3, 18), 24, 31, 32, 33, 64)  # `python -m tests.unit.formats` draws any size


def slot_states(state):
    bracket_state = DOUBLE.bracket_state_of(state)
    return bracket_state.slot_states.values()


def defeats(state):
    """Count in how many slots everybody was beaten, whoever was there to beat it."""
    return Counter(
        who
        for slot_state in slot_states(state)
        if not slot_state.is_idle
        for who in slot_state.order[1:]
    )


@pytest.mark.parametrize("count", COUNTS)
def test_favourites_end_where_they_were_seeded(count):
    state = Play(DOUBLE, setup_for(), entries(count)).run().finished
    rows = {row.entrant: row.stage for row in DOUBLE.standings(state)}
    stages = [rows[entry.id] for entry in state.entries]
    assert stages == sorted(stages, reverse=True)
    assert stages[0] > stages[1] > stages[2]
    assert "G2.1" not in {meeting.slot for meeting in state.meetings}


def test_slots_of_eight_as_they_are_printed():
    nodes = double_elimination.nodes(setup_for(), 8)
    lower = {node.slot: _sources(node) for node in nodes if node.part != Part.UPPER}
    assert lower == {
        "L1.1": ["loser W1.1", "loser W1.2"],
        "L1.2": ["loser W1.3", "loser W1.4"],
        "L2.1": ["loser W2.2", "winner L1.1"],
        "L2.2": ["loser W2.1", "winner L1.2"],
        "L3.1": ["winner L2.1", "winner L2.2"],
        "L4.1": ["loser W3.1", "winner L3.1"],
        "G1.1": ["winner W3.1", "winner L4.1"],
        "G2.1": ["winner W3.1", "winner G1.1"],
    }
    assert [[node.slot for node in nodes if node.round == number] for number in range(1, 8)] == [
        ["W1.1", "W1.2", "W1.3", "W1.4"],
        ["W2.1", "W2.2", "L1.1", "L1.2"],
        ["L2.1", "L2.2"],
        ["W3.1", "L3.1"],
        ["L4.1"],
        ["G1.1"],
        ["G2.1"],
    ]


def _sources(node):
    return [
        f"{'winner' if source.place == 1 else 'loser'} {source.slot}" for source in node.sources
    ]


REPEATS = {8: 3, 16: 4, 32: 5, 64: 7}  # the first round of the lower bracket in which one can be


@pytest.mark.parametrize("count", REPEATS)
def test_nobody_meets_again_early(count):
    """By where those who come to a slot of the lower bracket may have lost."""
    nodes = {node.slot: node for node in double_elimination.nodes(setup_for(), count)}
    lower = [node for node in nodes.values() if node.part == Part.LOWER]
    repeats = [node.column for node in lower if _can_repeat(nodes, node)]
    assert min(repeats) == REPEATS[count]


def _can_repeat(nodes, node):
    """Return whether a loser that comes from one side may have lost to one of the other side."""
    sides = [_fell_from(nodes, source) for source in node.sources]
    return any(
        fell in _above(nodes, other) or other in _above(nodes, fell)
        for one, two in itertools.permutations(sides, 2)
        for fell in one
        for other in two
    )


def _fell_from(nodes, source):
    """Return the slots of the upper bracket in which those who come from here lost."""
    node = nodes[source.slot]
    if node.part == Part.UPPER:
        return {source.slot}
    return set().union(*(_fell_from(nodes, below) for below in node.sources))


def _above(nodes, slot):
    """Return the slots that whoever lost in this one has won."""
    won = set()
    for source in nodes[slot].sources:
        if source.slot:
            won |= {source.slot} | _above(nodes, source.slot)
    return won


def test_in_threes_nobody_meets_again_at_once():
    """Of two that lost in one meeting, the lower bracket's next round has them apart."""
    for count in range(6, 82):
        for node in double_elimination.nodes(setup_for(size=3), count):
            fell = [source.slot for source in node.sources if source.slot.startswith("W")]
            if node.part == Part.LOWER and node.column == 1:
                assert len(set(fell)) == len(fell), (count, node.slot)


def test_of_three_second_and_third_go_down_ordered():
    setup = setup_for(size=3)
    (first,) = DOUBLE.initial_pairings(setup, entries(3)).meetings
    scores = (Score(losses=3), Score(wins=1, losses=2), Score(wins=2, losses=1))
    over = replace(first, scores=scores)
    (slot_state, *_) = slot_states(TournamentState(setup, entries(3), [over]))
    assert slot_state.order == (1003, 1002, 1001)


def final_of(reset, *wins):
    """Play three to their end; `wins` say whether seed 1 wins the finals."""
    finals = iter(wins)

    def result(meeting, rng):
        if meeting.slot.startswith("G") and not next(finals):
            return tuple(reversed(by_strength(meeting, rng)))
        return by_strength(meeting, rng)

    return Play(DOUBLE, setup_for(reset=reset), entries(3), result=result).run()


@pytest.mark.parametrize(
    ("reset", "wins", "best", "finals"),
    [
        (1, [True], 1001, ["G1.1"]),
        (1, [False, True], 1001, ["G1.1", "G2.1"]),
        (1, [False, False], 1002, ["G1.1", "G2.1"]),
        (0, [True], 1001, ["G1.1"]),
        (0, [False], 1002, ["G1.1"]),
    ],
)
def test_final(reset, wins, best, finals):
    play = final_of(reset, *wins)
    assert DOUBLE.standings(play.finished)[0].entrant == best
    assert [m.slot for m in play.finished.meetings if m.slot.startswith("G")] == finals
    resets = [note.details for note in play.notes if note.code == "bracket_reset"]
    assert resets == [{"entrant": 1001, "by": 1002}] * (len(finals) - 1)


def test_whoever_leaves_with_one_loss_loses_once_more():
    setup = setup_for()
    play = Play(DOUBLE, setup, entries(4))
    play.step()
    play.leave(1004, 1)  # has lost to 1, and would meet 3 now
    draw = DOUBLE.next_round(play.state)
    assert draw
    (passed,) = [meeting for meeting in draw.meetings if meeting.slot == "L1.1"]
    assert passed.decision == Decision.WALKOVER
    assert passed.score_of(1004) == Score(losses=2, forfeits=2)
    play.run()
    assert defeats(play.finished)[1004] == 2


@pytest.mark.parametrize(
    ("setup", "entrants", "code"),
    [
        (setup_for(), 2, "too_few_entrants"),
        (replace(setup_for(size=3), sizes=(3,)), 9, "bracket_needs_pairs"),
    ],
)
def test_refused(setup, entrants, code):
    with pytest.raises(Unplayable) as refused:
        DOUBLE.check(setup, entrants)
    assert refused.value.code == code
    DOUBLE.check(setup_for(), 3)
    DOUBLE.check(setup_for(size=3), 9)
