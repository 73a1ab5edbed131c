"""Tie-breaks: worked by hand, against a naive second computation, and the coin."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.domain.formats import results, scoring, tables, tiebreaks
from arena.domain.formats.types import (
    Entry,
    PairingState,
    Score,
    Setup,
    TournamentState,
    Unplayable,
)
from tests.unit.formats.naive_tables import Naive
from tests.unit.formats.random_tables import random_state

ALL = tuple(tiebreaks.MEASURES)
A, B, C, D, E = 31, 22, 53, 14, 45
WON, DRAWN, LOST = Score(wins=1), Score(draws=1), Score(losses=1)
OTHER = {WON: LOST, LOST: WON, DRAWN: DRAWN}


def hand_made(rounds, *, tie_breaks, left=None):
    """A tournament of single games: in a round (one, its score, other), or (one,) for a bye."""
    setup = Setup(rng_seed=5, scoring=scoring.CLASSIC, tie_breaks=tie_breaks, games=1)
    meetings = []
    for number, pairs in enumerate(rounds, start=1):
        for at, pair in enumerate(pairs, start=1):
            if len(pair) == 1:
                meetings.append(results.bye(setup, PairingState(number, at, pair)))
            else:
                one, score, other = pair
                meetings.append(
                    PairingState(number, at, (one, other), scores=(score, OTHER[score]))
                )
    met = sorted({entrant for meeting in meetings for entrant in meeting.entrants})
    entries = [
        Entry(entrant, seed, until_round=(left or {}).get(entrant))
        for seed, entrant in enumerate(met, start=1)
    ]
    return TournamentState(setup, entries, meetings)


def columns(rows):
    return {row.entrant: (row.points, *row.tie_breaks) for row in rows}


# A Swiss of five in three rounds; each has one bye but A and B.
#
#      round 1   round 2   round 3   points
#  A   1 v B     1 v E     ½ v D     2½
#  B   0 v A     1 v C     1 v E     2
#  C   ½ v D     0 v B     1 (bye)   1½
#  D   ½ v C     1 (bye)   ½ v A     2
#  E   1 (bye)   0 v A     0 v B     1
#
# Buchholz (a bye: a dummy with one's own points; the least in brackets is cut):
#  A  2 + (1) + 2 = 5, 4         B  2½ + 1½ + (1) = 5, 4        C  2 + 2 + (1½) = 5½, 4
#  D  (1½) + 2 + 2½ = 6, 4½      E  (1) + 2½ + 2 = 5½, 4½
# Sonneborn-Berger:
#  A  2 + 1 + ½·2 = 4            B  0 + 1½ + 1 = 2½             C  ½·2 + 0 + 1½ = 2½
#  D  ½·1½ + 2 + ½·2½ = 4        E  1 + 0 + 0 = 1
SWISS = [
    [(A, WON, B), (C, DRAWN, D), (E,)],
    [(A, WON, E), (B, WON, C), (D,)],
    [(A, DRAWN, D), (B, WON, E), (C,)],
]


def test_swiss_buchholz_and_sonneborn_berger_by_hand():
    order = ("direct_encounter", "buchholz_cut1", "buchholz", "sonneborn_berger", "wins")
    rows = tables.standings(hand_made(SWISS, tie_breaks=order), every_round=True)
    assert columns(rows) == {
        A: (2.5, 0, 4, 5, 4, 2),
        B: (2, 0, 4, 5, 2.5, 2),
        C: (1.5, 0, 4, 5.5, 2.5, 0),
        D: (2, 0, 4.5, 6, 4, 0),
        E: (1, 0, 4.5, 5.5, 1, 0),
    }
    assert [(row.entrant, row.decided_by) for row in rows] == [
        (A, "points"),
        (D, "buchholz_cut1"),
        (B, "points"),
        (C, "points"),
        (E, ""),
    ]


# A round robin of four: A beats B and D, B beats C, C beats A and D, D beats B.
# Points: A 2, B 1, C 2, D 1. Sonneborn-Berger: A 1 + 1, B 2, C 2 + 1, D 1.
# A and C have met, and C won; B and D have met, and D won.
ALL_PLAY_ALL = [
    [(A, WON, B), (C, WON, D)],
    [(A, LOST, C), (B, LOST, D)],
    [(A, WON, D), (B, WON, C)],
]


@pytest.mark.parametrize(
    ("order", "ranked"),
    [
        (("sonneborn_berger",), [C, A, B, D]),
        (("direct_encounter", "sonneborn_berger"), [C, A, D, B]),
    ],
)
def test_the_published_order_decides(order, ranked):
    rows = tables.standings(hand_made(ALL_PLAY_ALL, tie_breaks=order))
    assert [row.entrant for row in rows] == ranked
    assert [row.decided_by for row in rows] == [order[0], "points", order[0], ""]
    shown = {row.entrant: row.tie_breaks[-1] for row in rows}
    assert shown == {A: 2, B: 2, C: 3, D: 1}


def test_rounds_missed_after_leaving_are_opponents_draws():
    # E loses to A in round 1 and leaves: two rounds missed, so it is worth 0 + ½ + ½ to A, who has
    # Buchholz E 1 + B 2 + C 1 = 4; without the option E is worth what it has, 0.
    rounds = [
        [(A, WON, E), (B, WON, C)],
        [(A, WON, B), (C, WON, D)],
        [(A, WON, C), (B, WON, D)],
    ]
    state = hand_made(rounds, tie_breaks=("buchholz",), left={E: 1})
    shown = columns(tables.standings(state, every_round=True))
    assert (shown[A], shown[E]) == ((3, 4), (0, 3 + 0 + 0))
    assert columns(tables.standings(state))[A] == (3, 3)


def test_direct_encounter_counts_only_where_equals_have_met():
    # A beats B, B beats C; A and C, who have not met, and B have one point each.
    state = hand_made(
        [[(A, WON, B), (C, LOST, D)], [(B, WON, C), (D, WON, A)], [(A, LOST, E), (C, WON, E)]],
        tie_breaks=("direct_encounter",),
    )
    shown = columns(tables.standings(state))
    assert {who: shown[who] for who in (A, B, C, E)} == dict.fromkeys((A, B, C, E), (1, 0))


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("kind", ["", "every_round", "is_scheduled"])
def test_standings_are_those_of_a_naive_computation(size, kind):
    rng = Random(f"naive {size} {kind}")
    how: dict[str, Any] = {kind: True} if kind else {}
    decided: Counter[str] = Counter()
    expected = {"", "stage", "points", "points_per_game", "coin", *ALL}
    for number in range(400):
        if number >= 100 and decided.keys() == expected:
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


def test_coin_is_even_and_tossed_for_everybody():
    tossed = [tiebreaks.coin(rng_seed, who) for rng_seed in range(100) for who in range(100)]
    counts = Counter(int(value * 10) for value in tossed)
    square = sum((counts[part] - 1000) ** 2 / 1000 for part in range(10))
    assert square < 27.9  # chi-square with 9 degrees of freedom: one in a thousand is above
    ahead = sum(
        tiebreaks.coin(rng_seed, 1) > tiebreaks.coin(rng_seed, 2) for rng_seed in range(4000)
    )
    assert 1850 < ahead < 2150  # 4.7 standard deviations
    assert len(set(tossed)) == 10000
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


def test_the_default_list_is_as_published():
    tiebreaks.check((*tiebreaks.DEFAULT, "coin"))
    assert tiebreaks.DEFAULT == (
        "direct_encounter",
        "buchholz_cut1",
        "sonneborn_berger",
        "wins",
        "fewer_forfeits",
    )
