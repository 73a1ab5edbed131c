"""Tie-breaks against a naive second computation, and the coin."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.domain.formats import scoring, tables, tiebreaks
from arena.domain.formats.types import (
    Entry,
    Score,
    Setup,
    TournamentState,
    Unplayable,
)
from tests.unit.formats.naive_tables import Naive
from tests.unit.formats.random_tables import random_state

ALL = tuple(tiebreaks.MEASURES)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("kind", ["", "every_round", "is_scheduled"])
def test_standings_are_those_of_a_naive_computation(size, kind):
    rng = Random(f"naive {size} {kind}")
    how: dict[str, Any] = {kind: True} if kind else {}
    decided: Counter[str] = Counter()
    expected = {"", "stage", "points", "points_per_game", "coin", *ALL}
    for number in range(400):
        if number >= 30 and decided.keys() == expected:
            break
        state = random_state(rng, size=size)
        stages = (
            {entry.id: rng.randint(0, 1) for entry in state.entries} if rng.random() < 0.2 else {}
        )
        per_game = rng.random() < 0.4
        naive = Naive(state, per_game=per_game, **how)
        first = {
            "stage": {who: stages.get(who, 0) for who in naive.ids},
            "points_per_game" if per_game else "points": {
                who: naive.compared(who) for who in naive.ids
            },
        }
        rows = tables.standings(state, stages=stages, per_game=per_game, **how)
        found = [(row.entrant, row.tie_breaks, row.decided_by) for row in rows]
        assert found == naive.ranking(first)
        assert [row.rank for row in rows] == [*range(1, len(rows) + 1)]
        decided.update(row.decided_by for row in rows)
    assert set(decided) == expected  # each of them was needed


def test_points_are_of_games_a_row_counts():
    rng = Random("rows")
    for _ in range(100):
        state = random_state(rng, size=2)
        for row in tables.standings(state):
            counted = Score(row.wins, row.draws, row.losses, row.forfeits)
            assert row.points == scoring.points(state.setup.scoring, counted)
            assert row.games == counted.games
            own = [meeting for meeting in state.meetings if row.entrant in meeting.entrants]
            assert row.byes == sum(len(meeting.entrants) == 1 for meeting in own)


def test_coin_is_tossed_for_everybody():
    assert len({tiebreaks.coin(rng_seed, who) for rng_seed in range(9) for who in range(99)}) == 891
    # sha256("7/coin/12") begins 8cde7405d9b1c4: the first 53 of these 56 bits over 2^53
    assert tiebreaks.coin(7, 12) == (0x8CDE7405D9B1C4 >> 3) / 2**53


def test_coin_may_be_named_and_comes_last():
    named = Setup(rng_seed=3, scoring=scoring.CLASSIC, tie_breaks=("wins", "coin"))
    silent = replace(named, tie_breaks=("wins",))
    entries = [Entry(who, who) for who in range(1, 9)]
    assert tables.standings(TournamentState(named, entries)) == tables.standings(
        TournamentState(silent, entries)
    )
    ranked = [row.entrant for row in tables.standings(TournamentState(named, entries))]
    assert ranked == sorted(ranked, key=lambda who: -tiebreaks.coin(3, who))


@pytest.mark.parametrize(
    ("slugs", "code", "slug"),
    [
        (("wins", "elo"), "unknown_tie_break", "elo"),
        (("wins", "buchholz", "wins"), "tie_break_twice", "wins"),
        (("coin", "wins"), "unknown_tie_break", "coin"),
    ],
)
def test_a_list_that_means_nothing_is_refused(slugs, code, slug):
    with pytest.raises(Unplayable) as refused:
        tiebreaks.check(slugs)
    assert (refused.value.code, refused.value.details["slug"]) == (code, slug)
