"""Single elimination: of every size, by strength and by lot, with whatever can go wrong."""

from dataclasses import replace

import pytest

from arena.domain.formats import results
from arena.domain.formats.single_elimination import SingleElimination
from arena.domain.formats.types import Decision, Score, Setup, TournamentState, Unplayable
from tests.unit.formats.bracket_play import Play, entries, setup_for

KNOCKOUT = SingleElimination()

COUNTS = (*range(2, 18), 24, 31, 32, 33, 64)  # `python -m tests.unit.formats` draws any size


def stages(state):
    return {row.entrant - 1000: row.stage for row in KNOCKOUT.standings(state)}


def played(state):
    return [meeting for meeting in state.meetings if meeting.decision != Decision.BYE]


@pytest.mark.parametrize("count", COUNTS)
def test_favourites_end_where_they_were_seeded(count):
    state = Play(KNOCKOUT, setup_for(), entries(count)).run().finished
    stage = stages(state)
    assert [stage[seed] for seed in range(1, count + 1)] == sorted(stage.values(), reverse=True)
    assert len(played(state)) == count - 1


def test_slots_and_rounds_of_six():
    state = Play(KNOCKOUT, setup_for(third_place=1), entries(6)).run().finished
    assert [(m.round, m.number, m.slot, m.decision, m.entrants) for m in state.meetings] == [
        (1, 1, "W1.1", "bye", (1001,)),
        (1, 2, "W1.2", "", (1004, 1005)),
        (1, 3, "W1.3", "bye", (1002,)),
        (1, 4, "W1.4", "", (1003, 1006)),
        (2, 1, "W2.1", "", (1001, 1004)),
        (2, 2, "W2.2", "", (1002, 1003)),
        (3, 1, "T1.1", "", (1003, 1004)),
        (3, 2, "W3.1", "", (1001, 1002)),
    ]


@pytest.mark.parametrize(
    ("setup", "entrants", "code"),
    [
        (setup_for(), 1, "too_few_entrants"),
        (setup_for(size=3), 1, "too_few_entrants"),
        (Setup(rng_seed=1, scoring=setup_for().scoring, size=4, sizes=(4,)), 4, "bracket_size"),
        (replace(setup_for(size=3), sizes=(3,)), 8, "bracket_needs_pairs"),
    ],
)
def test_refused(setup, entrants, code):
    with pytest.raises(Unplayable) as refused:
        KNOCKOUT.check(setup, entrants)
    assert refused.value.code == code
    KNOCKOUT.check(replace(setup_for(size=3), sizes=(3,)), 9)


def test_entrant_leaving_after_next_draw_has_gone_on():
    terms = setup_for(size=3, extra_matches=0)
    level = Score(wins=1, draws=1, losses=1)
    first = KNOCKOUT.initial_pairings(terms, entries(9)).meetings
    played = [replace(each, scores=(level,) * 3) for each in first]
    final = KNOCKOUT.next_round(TournamentState(terms, entries(9), played))
    assert final is not None
    semis = results.settled(played, final.notes)
    best = entries(9)[0]
    left = [replace(best, until_round=1), *entries(9)[1:]]

    closed = results.walk_over(terms, final.meetings[0], final.meetings[0].entrants[1:])
    ended = TournamentState(terms, left, [*semis, closed])

    ranked = [row.entrant for row in KNOCKOUT.standings(ended)]
    assert set(ranked[:3]) == set(final.meetings[0].entrants)


def test_matches_that_were_added_do_not_pay():
    """Who wins 2 of 2 and loses the next is before who needed more games for as much."""
    play = Play(KNOCKOUT, setup_for(), entries(8))
    for meeting in play.drawn():
        best = min(meeting.entrants)
        needs_more = best == 1002
        won, lost = (Score(wins=4, losses=2), Score(wins=2, losses=4))
        if not needs_more:
            won, lost = (Score(wins=2), Score(losses=2))
        scores = tuple(won if who == best else lost for who in meeting.entrants)
        play.take(replace(meeting, scores=scores))
    for meeting in play.drawn():  # both who are out have lost all of it
        best = max(meeting.entrants)
        scores = tuple(
            Score(wins=2) if who == best else Score(losses=2) for who in meeting.entrants
        )
        play.take(replace(meeting, scores=scores))
    rows = {row.entrant: row for row in KNOCKOUT.standings(play.state)}
    assert (rows[1001].points, rows[1002].points) == (2.0, 4.0)
    assert (rows[1001].rank, rows[1002].rank) == (4, 3)  # 2 of 4, and 4 of 8
    assert rows[1001].stage == rows[1002].stage


def test_first_round_losers_rank_by_meeting_the_winner():
    terms = replace(setup_for(), tie_breaks=KNOCKOUT.tie_breaks)
    rows = KNOCKOUT.standings(Play(KNOCKOUT, terms, entries(8)).run().state)
    assert [row.entrant - 1000 for row in rows[4:6]] == [8, 7]
    assert [row.decided_by for row in rows[4:]] == ["buchholz", "buchholz", "coin", ""]


@pytest.mark.parametrize(
    ("draws", "expected"), [((0, 1), [1001, 1002, 1003]), ((2, 0), [1001, 1003, 1002])]
)
def test_second_of_final_of_three_is_second(draws, expected):
    """Whatever they did before: 3 has won its semi-final by more than 2."""
    terms = setup_for(size=3)
    play = Play(KNOCKOUT, terms, entries(9))
    for meeting in play.drawn():
        best = min(meeting.entrants)
        won = Score(wins=2, losses=1) if best == 1002 else Score(wins=3)
        scores = tuple(won if who == best else Score(losses=3) for who in meeting.entrants)
        play.take(replace(meeting, scores=scores))
    (final,) = play.drawn()
    of = {
        1001: Score(wins=2, losses=1),
        1002: Score(wins=1 - draws[0] // 2, losses=2 + draws[0] // 2),
        1003: Score(draws=draws[1], wins=draws[0] // 2, losses=3 - draws[1] - draws[0] // 2),
    }
    play.take(replace(final, scores=tuple(of[who] for who in final.entrants)))
    rows = KNOCKOUT.standings(play.state)
    assert [row.entrant for row in rows[:3]] == expected
    assert [row.decided_by for row in rows[:2]] == ["stage", "stage"]
