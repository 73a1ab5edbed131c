"""Our tie-breaks against those of gacrux, the tie-break server of FIDE, row by row."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from arena.domain.formats import scoring
from arena.domain.formats.round_robin import DoubleRoundRobin, RoundRobin
from arena.domain.formats.swiss import Swiss
from arena.domain.formats.types import Decision, Entry, Setup, TournamentState
from tests.unit.formats import fide
from tests.unit.formats.test_swiss import DRAW, LOSS, WIN, start

SWISS = Swiss()

ROUNDS = 4
RESULTS = [(WIN, LOSS), (LOSS, WIN), (DRAW, DRAW)]
TIE_BREAKS = ("buchholz_cut1", "buchholz", "sonneborn_berger")
GAMES = 2  # of a meeting, of which the library counts one


def tournament(
    entrants: int, random: Random, *, leaving: float = 0.0, late: float = 0.0
) -> TournamentState:
    state = start(entrants, rounds=ROUNDS + 1, rng_seed=random.randrange(10**6))
    for number in range(1, ROUNDS + 1):
        draw = SWISS.next_round(state)
        if draw is None:
            break
        over = tuple(
            one if one.is_over else replace(one, scores=random.choice(RESULTS))
            for one in draw.meetings
        )
        entries = list(state.entries)
        if number < ROUNDS:
            entries = [_perhaps_gone(entry, number, random, leaving) for entry in entries]
            if random.random() < late:
                seed = len(entries) + 1
                entries.append(Entry(id=seed, seed=seed, from_round=number + 1))
        state = replace(state, entries=tuple(entries), meetings=(*state.meetings, *over))
    return replace(state, setup=replace(state.setup, tie_breaks=TIE_BREAKS))


def _perhaps_gone(entry: Entry, number: int, random: Random, leaving: float) -> Entry:
    if entry.until_round is None and random.random() < leaving:
        return replace(entry, until_round=number)
    return entry


def ours(state: TournamentState) -> dict[int, tuple[float, ...]]:
    """Return them in games of one point a round: points and opponents' points are both in games."""
    return {
        row.entrant: (
            row.points / GAMES,
            row.tie_breaks[0] / GAMES,
            row.tie_breaks[1] / GAMES,
            row.tie_breaks[2] / GAMES**2,
        )
        for row in SWISS.standings(state)
    }


@pytest.mark.parametrize("entrants", [9, 16])
def test_all_rows_are_the_same(entrants):
    """With odd numbers there are byes."""
    for rng_seed in range(10):
        state = tournament(entrants, Random(rng_seed))
        assert ours(state) == fide.tie_breaks(state)


@pytest.mark.parametrize("entrants", [8, 9, 16])
@pytest.mark.parametrize(("leaving", "late"), [(0.08, 0.0), (0.0, 0.6), (0.05, 0.4)])
def test_rows_are_same_with_leavers_and_late_entrants(entrants, leaving, late):
    """But for the cut of those who missed a round: FIDE cuts that round first."""
    missed = 0
    for rng_seed in range(6):
        state = tournament(entrants, Random(rng_seed), leaving=leaving, late=late)
        theirs = fide.tie_breaks(state)
        for entrant, (points, cut, *others) in ours(state).items():
            expected = theirs[entrant]
            assert (points, *others) == (expected[0], *expected[2:])
            if _has_missed(state, entrant):
                missed += 1
            else:
                assert cut == expected[1]
    assert missed > 5


def _has_missed(state: TournamentState, entrant: int) -> bool:
    return sum(entrant in meeting.entrants for meeting in state.meetings) < state.rounds


def all_play_all(
    played: RoundRobin, entrants: int, random: Random, *, leaving: float
) -> TournamentState:
    """Play a round robin of meetings of two games with one result; some leave, but two stay."""
    setup = Setup(rng_seed=random.randrange(10**6), scoring=scoring.CLASSIC, games=GAMES)
    state = TournamentState(setup, [Entry(seed, seed) for seed in range(1, entrants + 1)])
    while draw := played.next_round(state):
        over = tuple(
            one if one.is_over else replace(one, scores=random.choice(RESULTS))
            for one in draw.meetings
        )
        entries = [
            _perhaps_gone(entry, draw.meetings[0].round, random, leaving) for entry in state.entries
        ]
        if sum(entry.until_round is None for entry in entries) < 2:
            entries = list(state.entries)
        state = replace(state, entries=tuple(entries), meetings=(*state.meetings, *over))
    return state


@pytest.mark.parametrize("played", [RoundRobin(), DoubleRoundRobin()], ids=["single", "double"])
@pytest.mark.parametrize("entrants", [4, 5, 8])
def test_round_robins_count_scheduled_opponent_of_walkover(played, entrants):
    walkovers = 0
    for rng_seed in range(12):
        state = all_play_all(played, entrants, Random(rng_seed), leaving=0.06)
        tie_breaks = ("direct_encounter", "buchholz", "sonneborn_berger", "wins")
        state = replace(state, setup=replace(state.setup, tie_breaks=tie_breaks))
        rows = played.standings(state)
        theirs = fide.round_robin(state)
        walkovers += sum(one.decision == Decision.WALKOVER for one in state.meetings)
        for row in rows:
            points, _, *others = theirs[row.entrant]
            _, met, won, games = row.tie_breaks
            assert (row.points / GAMES, met / GAMES, won / GAMES**2, games / GAMES) == (
                points,
                *others,
            )
    assert walkovers > 5


@pytest.mark.parametrize("entrants", [8, 9])
def test_round_robins_reapply_direct_encounter_to_still_tied(entrants):
    """Void meetings aside: a game that neither plays is a loss of both for FIDE."""
    again = walkovers = 0
    for rng_seed in range(80):
        if again and walkovers > 5 and rng_seed >= 30:
            break
        played = RoundRobin()
        state = all_play_all(played, entrants, Random(rng_seed), leaving=0.04)
        if any(one.decision == Decision.VOID for one in state.meetings):
            continue
        walkovers += sum(one.decision == Decision.WALKOVER for one in state.meetings)
        state = replace(state, setup=replace(state.setup, tie_breaks=("direct_encounter",)))
        rows = played.standings(state)
        theirs = {who: (-values[0], values[1]) for who, values in fide.round_robin(state).items()}
        assert [theirs[row.entrant] for row in rows] == sorted(theirs.values())
        for row, after in pairwise(rows):
            is_level = theirs[row.entrant] == theirs[after.entrant]
            assert (row.decided_by == "coin") == is_level
            again += row.decided_by == "direct_encounter" and row.tie_breaks == after.tie_breaks
    assert walkovers > 5
    assert again > 0
