"""The Swiss system: whom it pairs, who rests, and when it ends."""

from dataclasses import replace
from random import Random

import pytest

from arena.domain.formats import swiss
from arena.domain.formats.scoring import CLASSIC
from arena.domain.formats.swiss import Swiss
from arena.domain.formats.types import (
    Decision,
    DecisionNote,
    Draw,
    Entry,
    PairingState,
    Score,
    Setup,
    TournamentState,
)
from tests.unit.formats import naive_swiss

SWISS = Swiss()

WIN, DRAW, LOSS = Score(wins=2), Score(draws=2), Score(losses=2)


def start(entrants: int, *, rounds: int = 3, size: int = 2, rng_seed: int = 0) -> TournamentState:
    setup = Setup(
        rng_seed=rng_seed,
        scoring=CLASSIC,
        size=size,
        sizes=(size,),
        games=size,
        options={"rounds": rounds},
    )
    return TournamentState(
        setup, tuple(Entry(id=seed, seed=seed) for seed in range(1, entrants + 1))
    )


def drawn(state: TournamentState) -> Draw:
    draw = SWISS.next_round(state)
    assert draw is not None
    return draw


def go_on(state: TournamentState, *, first_wins: bool = True) -> TournamentState:
    """Draw a round and let the better seed win (or lose) everywhere."""
    better, other = (WIN, LOSS) if first_wins else (LOSS, WIN)
    over = [
        replace(
            meeting,
            scores=tuple(
                better if entrant == min(meeting.entrants) else other
                for entrant in meeting.entrants
            ),
        )
        if not meeting.is_over
        else meeting
        for meeting in drawn(state).meetings
    ]
    return replace(state, meetings=(*state.meetings, *over))


def together(state: TournamentState) -> list[set[int]]:
    return [set(meeting.entrants) for meeting in drawn(state).meetings]


def after_rounds(
    state: TournamentState, results: list[list[tuple[int, int, Score]]]
) -> TournamentState:
    """Return the rounds so far as rows of who met whom, with the score of the first."""
    other = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}
    meetings = tuple(
        PairingState(number, at, (one, two), scores=(score, other[score]))
        for number, row in enumerate(results, start=1)
        for at, (one, two, score) in enumerate(row, start=1)
    )
    return replace(state, meetings=meetings)


def random_state(
    entrants: int, rounds: int, random: Random, *, size: int = 2, planned: int = 0
) -> TournamentState:
    """Return a tournament after these rounds; `planned` are one more, if not said."""
    planned = planned or rounds + 1
    state = start(entrants, rounds=planned, size=size, rng_seed=random.randrange(10**9))
    for _ in range(rounds):
        state = play_round(state, random)
    return state


def play_round(state: TournamentState, random: Random) -> TournamentState:
    over = tuple(
        meeting
        if meeting.is_over
        else replace(meeting, scores=tuple(random.choices([WIN, DRAW, LOSS], k=state.setup.size)))
        for meeting in drawn(state).meetings
    )
    return replace(state, meetings=(*state.meetings, *over))


def test_round_one_of_threes_is_a_slide():
    assert together(start(9, size=3)) == [{1, 4, 7}, {2, 5, 8}, {3, 6, 9}]


def test_winners_meet_winners_first_named_meet_second_named():
    assert together(go_on(start(8))) == [{1, 4}, {2, 3}, {5, 8}, {6, 7}]


def test_first_seat_alternates_in_round_one_from_lot():
    turns = set()
    for rng_seed in range(20):
        draw = drawn(start(8, rng_seed=rng_seed))
        turns.add(tuple(meeting.entrants[0] < meeting.entrants[1] for meeting in draw.meetings))
    assert turns == {(True, False, True, False), (False, True, False, True)}


def test_who_was_second_is_first():
    state = go_on(start(4))
    seconds = {meeting.entrants[1] for meeting in state.meetings}
    firsts = {meeting.entrants[0] for meeting in drawn(state).meetings}
    assert firsts == seconds


def test_last_has_bye_and_next_time_another():
    state = start(5)
    first = drawn(state)
    assert first.meetings[-1] == PairingState(1, 3, (5,), decision=Decision.BYE, scores=(WIN,))
    assert first.notes == (DecisionNote("swiss_bye", {"entrant": 5, "had": []}),)
    second = drawn(go_on(state))
    assert second.meetings[-1].entrants == (4,)


def test_bye_is_explained_by_lower_with_earlier_bye():
    random = Random(7)
    explained = 0
    for _ in range(60):
        state = random_state(7, random.randint(1, 4), random)
        (note,) = [one for one in drawn(state).notes if one.code == "swiss_bye"]
        order = sorted(
            (entry.id for entry in state.entries),
            key=lambda one: (-naive_swiss.points(state, one), one),
        )
        lower = order[order.index(note.details["entrant"]) + 1 :]
        had = [one.entrants[0] for one in state.meetings if len(one.entrants) == 1]
        assert note.details["had"] == lower
        assert set(lower) <= set(had)
        explained += bool(lower)
    assert explained > 5


def test_walkover_gives_no_bye_while_others_can():
    state = start(5, rounds=2)
    left = PairingState(1, 1, (3, 1), decision=Decision.WALKOVER, scores=(Score(losses=2), WIN))
    state = replace(
        state,
        entries=tuple(
            replace(one, until_round=1 if one.id == 3 else None) for one in state.entries
        ),
        meetings=(
            left,
            PairingState(1, 2, (2, 4), scores=(LOSS, WIN)),
            PairingState(1, 3, (5,), scores=(WIN,)),
        ),
    )
    late = replace(state, entries=(*state.entries, Entry(id=6, seed=6, from_round=2)))
    assert {6} in together(late)


def test_next_to_last_has_bye_after_last_walkover():
    """All have as many points, and the last seed has them for a walkover."""
    state = start(6, rounds=2)
    first = (
        PairingState(1, 1, (1, 4), scores=(WIN, WIN)),
        PairingState(1, 2, (2, 5), scores=(WIN, WIN)),
        PairingState(1, 3, (3, 6), decision=Decision.WALKOVER, scores=(Score(losses=2), WIN)),
    )
    left = tuple(replace(one, until_round=1 if one.id == 3 else None) for one in state.entries)
    played = replace(first[2], decision=Decision.PLAYED)
    assert {5} in together(replace(state, entries=left, meetings=first))
    assert {6} in together(replace(state, entries=left, meetings=(*first[:2], played)))


def test_late_entrants_begin_with_nothing_leavers_are_unpaired():
    state = go_on(start(6))
    entries = [replace(one, until_round=1 if one.id == 1 else None) for one in state.entries]
    state = replace(state, entries=(*entries, Entry(id=7, seed=7, from_round=2)))
    assert set().union(*together(state)) == {2, 3, 4, 5, 6, 7}
    assert [row.points for row in SWISS.standings(state) if row.entrant == 7] == [0]


def test_ends_where_no_round_without_repeat_is_left():
    state = start(4, rounds=5)
    for _ in range(3):
        state = go_on(state)
    assert SWISS.next_round(state) is None
    assert SWISS.is_finished(state)
    expected = DecisionNote("swiss_no_round_left", {"rounds": 3, "of": 5, "entrants": 4})
    assert SWISS.closing_notes(state) == (expected,)


def test_it_ends_where_too_few_are_left():
    state = go_on(start(4))
    entries = tuple(replace(one, until_round=1 if one.id > 1 else None) for one in state.entries)
    state = replace(state, entries=entries)
    assert SWISS.next_round(state) is None
    expected = DecisionNote("swiss_too_few_left", {"rounds": 1, "of": 3, "entrants": 1})
    assert SWISS.closing_notes(state) == (expected,)


def test_nothing_is_said_where_all_rounds_were_played():
    state = go_on(go_on(start(8)))
    last = replace(state, meetings=(*state.meetings, *drawn(state).meetings))
    assert not SWISS.is_finished(last)  # the last round is open
    over = go_on(state)
    assert SWISS.is_finished(over)
    assert SWISS.closing_notes(over) == ()


def test_steps_are_told():
    state = go_on(start(6))
    assert drawn(state).notes == (DecisionNote("swiss_steps", {"pairings": 1, "widest": 2.0}),)


@pytest.mark.parametrize("entrants", range(3, 9))
def test_no_other_pairing_is_better(entrants):
    """Against all pairings: the lowest bye, then points apart, then their squares."""
    random = Random(entrants)
    for _ in range(12):
        state = random_state(entrants, random.randint(1, swiss.most_rounds(2, entrants)), random)
        draw = SWISS.next_round(state)
        best = naive_swiss.best_cost(state)
        if draw is None:
            assert best is None
        else:
            assert naive_swiss.cost(state, [one.entrants for one in draw.meetings]) == best


@pytest.mark.parametrize(("rounds", "share"), [(1, 0.9), (2, 0.6), (3, 0.9)])
def test_groups_of_three_are_best_mostly(rounds, share):
    """Against all groupings of nine: points apart, squared."""
    random = Random(rounds)
    best = []
    for _ in range(30):
        state = random_state(9, rounds, random, size=3)
        groups = [one.entrants for one in drawn(state).meetings]
        best.append(naive_swiss.spread(state, groups) == naive_swiss.least_spread(state))
    assert sum(best) >= share * len(best)


def test_entrant_is_not_matched_down_twice_if_avoidable():
    """5 and 6 have as many points, and 6 met one with fewer in round 3: now 5 meets the last."""
    results = [
        [(1, 5, LOSS), (6, 2, WIN), (3, 7, LOSS), (8, 4, LOSS)],
        [(4, 6, DRAW), (5, 7, LOSS), (3, 1, LOSS), (2, 8, WIN)],
        [(7, 4, LOSS), (1, 6, WIN), (2, 5, DRAW), (8, 3, LOSS)],
    ]
    pairs = together(after_rounds(start(8, rounds=4), results))
    assert {5, 8} in pairs
    assert {3, 6} in pairs


def test_entrant_is_not_matched_up_twice_if_avoidable():
    """2 leads and has met 4 and 5; of 1 and 6, which have as many points, 1 met one with more."""
    results = [
        [(1, 4, LOSS), (5, 2, LOSS), (3, 6, LOSS)],
        [(4, 2, LOSS), (6, 1, LOSS), (5, 3, WIN)],
    ]
    assert together(after_rounds(start(6), results)) == [{2, 6}, {1, 5}, {3, 4}]


def test_meeting_an_equal_is_no_drift():
    """4 and 6 have as many points and both met one with fewer; the slide lets them meet."""
    results = [
        [(1, 4, LOSS), (5, 2, DRAW), (3, 6, DRAW)],
        [(4, 5, LOSS), (2, 3, DRAW), (6, 1, DRAW)],
    ]
    assert together(after_rounds(start(6), results)) == [{3, 5}, {1, 2}, {4, 6}]
