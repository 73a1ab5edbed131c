"""What decides a meeting of a knockout where its games do not, and who goes on then."""

from dataclasses import replace

import pytest

from arena.domain.formats import brackets, results, single_elimination, slots
from arena.domain.formats.double_elimination import DoubleElimination
from arena.domain.formats.single_elimination import SingleElimination
from arena.domain.formats.types import Decision, PairingState, Score, TournamentState
from tests.unit.formats.bracket_play import Play, entries, settled, setup_for

DOUBLE = DoubleElimination()
KNOCKOUT = SingleElimination()

LEVEL = (Score(wins=1, losses=1), Score(wins=1, losses=1))


def final_of_two(scores, extra=2):
    setup = setup_for(extra_matches=extra)
    play = Play(KNOCKOUT, setup, entries(2))
    draw = KNOCKOUT.initial_pairings(setup, entries(2))
    play.take(replace(draw.meetings[0], scores=scores))
    return play.state


@pytest.mark.parametrize(("legs", "asked"), [(1, 1), (2, 1), (3, 0)])
def test_extra_matches_are_asked_one_at_a_time(legs, asked):
    scores = tuple(Score(wins=legs, losses=legs) for _ in range(2))
    state = final_of_two(scores)
    assert KNOCKOUT.extra_matches(state, state.meetings[0]) == asked


def test_none_is_added_to_what_is_decided():
    state = final_of_two((Score(wins=1, draws=1), Score(draws=1, losses=1)))
    assert KNOCKOUT.extra_matches(state, state.meetings[0]) == 0
    awarded = replace(state.meetings[0], decision=Decision.AWARD, scores=LEVEL)
    assert KNOCKOUT.extra_matches(state, awarded) == 0


def test_no_match_added_where_level_entrant_has_left():
    state = final_of_two(LEVEL)
    left = (replace(state.entries[0], until_round=1), state.entries[1])
    state = replace(state, entries=left)
    assert KNOCKOUT.extra_matches(state, state.meetings[0]) == 0
    assert KNOCKOUT.standings(state)[0].entrant == 1002
    (note,) = KNOCKOUT.closing_notes(state)
    assert (note.details["entrant"], note.details["left"]) == (1002, [1001])


def test_entrant_waiting_for_extra_match_has_not_won():
    state = final_of_two(LEVEL)
    assert KNOCKOUT.extra_matches(state, state.meetings[0]) == 1
    assert not KNOCKOUT.is_finished(state)
    assert KNOCKOUT.closing_notes(state) == ()
    assert brackets.layout(KNOCKOUT.bracket_state_of(state)).winner is None
    assert {row.stage for row in KNOCKOUT.standings(state)} == {2}


def test_final_decision_stands_whoever_leaves_afterwards():
    state = final_of_two((Score(wins=3, losses=3), Score(wins=3, losses=3)))
    notes = KNOCKOUT.closing_notes(state)
    left = (replace(state.entries[0], until_round=1), state.entries[1])
    kept = replace(settled(state, notes), entries=left)
    assert KNOCKOUT.standings(kept)[0].entrant == notes[0].details["entrant"] == 1001
    assert brackets.layout(KNOCKOUT.bracket_state_of(kept)).winner == 1001
    assert KNOCKOUT.closing_notes(kept) == ()  # it was said


def test_higher_seed_goes_on_after_extra_matches_noted():
    state = final_of_two((Score(wins=3, losses=3), Score(wins=3, losses=3)))
    assert KNOCKOUT.standings(state)[0].entrant == 1001
    (note,) = KNOCKOUT.closing_notes(state)
    assert (note.code, note.meeting) == ("bracket_level", (1, 1))
    assert note.details == {
        "slot": "W1.1",
        "part": "upper",
        "column": 1,
        "to_go": 0,
        "places": 2,
        "is_double": 0,
        "is_final": 1,
        "entrants": [1001, 1002],
        "entrant": 1001,
        "left": [],
        "others": 1,
        "extra": 2,
    }


def four(*meetings, left=()):
    """Return round 2 of four, after these meetings of round 1 (1-4, 2-3)."""
    setup = setup_for()
    field = [
        replace(entry, until_round=dict(left).get(entry.seed, entry.until_round))
        for entry in entries(4)
    ]
    draw = KNOCKOUT.initial_pairings(setup, entries(4))
    over = [
        replace(meeting, **change) for meeting, change in zip(draw.meetings, meetings, strict=True)
    ]
    return KNOCKOUT.next_round(TournamentState(setup, field, over))


def won(first, second):
    return {"scores": (Score(wins=first, losses=second), Score(wins=second, losses=first))}


def test_whoever_waits_and_leaves_is_passed_by_walkover():
    draw = four(won(2, 0), won(0, 2), left=[(1, 1)])
    (final,) = draw.meetings
    assert (final.decision, final.entrants) == (Decision.WALKOVER, (1001, 1003))
    assert final.scores == (Score(losses=2, forfeits=2), Score(wins=2))
    assert [note.code for note in draw.notes] == ["bracket_walkover"]
    (note,) = draw.notes
    assert (note.details["entrant"], note.details["left"]) == (1003, [1001])
    assert (note.details["slot"], note.details["is_final"]) == ("W2.1", 1)


def test_pairing_both_have_left_keeps_its_place():
    void = {"decision": Decision.VOID}
    draw = four(void, won(0, 2), left=[(1, 0), (4, 0)])
    (final,) = draw.meetings
    assert (final.decision, final.entrants) == (Decision.WALKOVER, (1001, 1003))
    assert [note.code for note in draw.notes] == ["bracket_nobody", "bracket_walkover"]


@pytest.mark.parametrize("played", [KNOCKOUT, DOUBLE])
def test_bracket_ends_where_all_have_left(played):
    field = [replace(entry, until_round=0) for entry in entries(13)]
    state = Play(played, setup_for(third_place=1), field).run().finished
    assert {meeting.decision for meeting in state.meetings} == {Decision.VOID}
    assert played.standings(state)[0].entrant == 1001


def test_void_pairing_higher_seed_advances_unless_left():
    void = {"decision": Decision.VOID}
    assert four(void, won(0, 2)).meetings[0].entrants == (1003, 1001)  # 1 was named first before
    draw = four(void, won(0, 2), left=[(1, 1)])
    assert set(draw.meetings[0].entrants) == {1004, 1003}
    assert [note.code for note in draw.notes] == ["bracket_void"]


def test_a_shared_award_is_explained():
    shared = {
        "decision": Decision.AWARD,
        "scores": results.awarded(setup_for(), (1, 2), None),
    }
    draw = four(shared, won(2, 0))
    assert [note.code for note in draw.notes] == ["bracket_award_shared"]
    assert set(draw.meetings[0].entrants) == {1001, 1002}


def test_leaving_later_does_not_change_what_was_decided():
    """A level pairing was given to the higher seed; it leaves while it plays the next round."""
    level = {"scores": (Score(wins=3, losses=3), Score(wins=3, losses=3))}
    draw = four(level, won(2, 0), left=[(1, 2)])
    assert set(draw.meetings[0].entrants) == {1001, 1002}


def test_of_three_where_one_has_left_two_play():
    setup = setup_for(size=3)
    field = [replace(entries(3)[0], until_round=0), *entries(3)[1:]]
    (meeting,) = KNOCKOUT.initial_pairings(setup, field).meetings
    assert (meeting.entrants, meeting.is_over) == ((1002, 1003), False)
    state = Play(KNOCKOUT, setup, field).run().finished
    assert KNOCKOUT.standings(state)[0].entrant == 1002


def test_third_goes_on_where_two_of_three_left():
    field = [replace(entry, until_round=0) for entry in entries(3)[:2]] + entries(3)[2:]
    (meeting,) = KNOCKOUT.initial_pairings(setup_for(size=3), field).meetings
    assert meeting.decision == Decision.WALKOVER
    assert meeting.scores[2] == Score(wins=3)


def test_higher_seed_of_incomplete_three_goes_on():
    setup = replace(setup_for(size=3), sizes=(3,))
    field = [replace(entries(3)[0], until_round=0), *entries(3)[1:]]
    (meeting,) = KNOCKOUT.initial_pairings(setup, field).meetings
    assert (meeting.decision, meeting.entrants) == (Decision.VOID, (1001, 1002, 1003))
    state = TournamentState(setup, field, [meeting])
    assert KNOCKOUT.standings(state)[0].entrant == 1002
    assert [note.code for note in KNOCKOUT.closing_notes(state)] == ["bracket_void"]


def play_off(setup, ranked, field, meetings):
    return slots.BracketState.of(
        TournamentState(setup, field, meetings),
        nodes=single_elimination.nodes(setup, len(ranked), "P"),
        ranked=ranked,
        first_round=4,
    )


def test_play_off_has_own_slots_and_rounds():
    setup = setup_for()
    field = entries(9)
    ranked = (1007, 1002, 1009, 1001)
    group = PairingState(round=3, number=1, entrants=(1001, 1002), scores=LEVEL)
    bracket_state = play_off(setup, ranked, field, [group])
    draw = bracket_state.draw()
    assert draw
    assert [(m.round, m.slot, set(m.entrants)) for m in draw.meetings] == [
        (4, "PW1.1", {1007, 1001}),
        (4, "PW1.2", {1002, 1009}),
    ]
    over = [replace(meeting, **won(2, 0)) for meeting in draw.meetings]
    bracket_state = play_off(setup, ranked, field, over)
    final = bracket_state.draw()
    assert final
    assert [(m.round, m.slot) for m in final.meetings] == [(5, "PW2.1")]
    assert bracket_state.stages() == {1007: 3, 1002: 3, 1009: 1, 1001: 1}


def test_the_round_before_must_be_over():
    setup = setup_for()
    draw = KNOCKOUT.initial_pairings(setup, entries(4))
    with pytest.raises(ValueError, match="is not over"):
        KNOCKOUT.next_round(TournamentState(setup, entries(4), draw.meetings))


def test_reset_is_won_when_unbeaten_finalist_leaves():
    """It withdraws while the final is played, which ends level: the other has it, and the reset."""
    play = Play(DOUBLE, setup_for(), entries(4))
    while play.state.rounds < 3:
        play.step()
    (final,) = play.drawn()
    play.leave(1001, final.round)
    play.take(replace(final, scores=(Score(wins=1, losses=1),) * 2))

    play.run()

    assert [meeting.slot for meeting in play.state.meetings[-2:]] == ["G1.1", "G2.1"]
    assert play.state.meetings[-1].decision == Decision.WALKOVER
    said = [(note.code, note.details["entrant"]) for note in play.notes[-2:]]
    assert said == [("bracket_level", 1002), ("bracket_walkover", 1002)]
    assert [row.entrant for row in DOUBLE.standings(play.state)[:2]] == [1002, 1001]
    assert brackets.layout(DOUBLE.bracket_state_of(play.state)).winner == 1002
