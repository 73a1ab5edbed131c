"""The parts of tournament pages that need no rows: stations, cross table, words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.domain.formats import catalogue, scoring
from arena.domain.formats.types import (
    Decision,
    PairingState,
    Score,
    Scoring,
    Setup,
    TournamentState,
)
from arena.domain.tournaments.crosstables import crosstable
from arena.models import Tournament, TournamentStatus
from arena.web.tournaments import figures, format_words, life_cycle

BEGUN = datetime(2026, 3, 1, 18, tzinfo=UTC)
SETUP = Setup(rng_seed=1, scoring=Scoring(1.0, 0.5, 0.0, 0.0))


def tournament(status, **columns):
    return Tournament(status=status, created_at=BEGUN, **columns)


def shown(row, **known):
    return [(step.label, step.state) for step in life_cycle.steps(row, **known)]


def test_a_tournament_under_way_stands_at_its_station():
    row = tournament(TournamentStatus.FROZEN, frozen_at=BEGUN, starts_at=BEGUN + timedelta(days=1))

    steps = life_cycle.steps(row)

    assert [(step.label, step.state) for step in steps] == [
        ("draft", "done"),
        ("registration", "done"),
        ("frozen", "here"),
        ("running", "ahead"),
        ("completed", "ahead"),
        ("released", "ahead"),
    ]
    assert steps[2].at == BEGUN
    assert steps[3].at == BEGUN + timedelta(days=1)


@pytest.mark.parametrize(
    ("columns", "opened", "reached"),
    [
        ({}, None, ["draft"]),
        ({}, BEGUN, ["draft", "registration"]),
        (
            {"frozen_at": BEGUN, "started_at": BEGUN},
            None,
            ["draft", "registration", "frozen", "running"],
        ),
    ],
)
def test_cancelled_one_shows_no_station_never_reached(columns, opened, reached):
    row = tournament(TournamentStatus.CANCELLED, **columns)

    assert shown(row, opened=opened) == [
        *((label, "done") for label in reached),
        ("cancelled", "here"),
    ]


def game_points(score):
    return score.wins + score.draws / 2


def test_cross_table_has_what_each_took():
    state = TournamentState(
        SETUP,
        [],
        [
            PairingState(1, 1, (1, 2), scores=(Score(wins=2), Score(losses=2))),
            PairingState(1, 2, (3,), decision=Decision.BYE, scores=(Score(wins=2),)),
            PairingState(2, 1, (2, 1), scores=(Score(draws=2), Score(draws=2))),
            PairingState(2, 2, (1, 3)),
        ],
    )

    lines = crosstable(state=state, order=[1, 2, 3], points_of=game_points)

    assert [line.entrant for line in lines] == [1, 2, 3]
    cells = [
        [cell and (cell.points, cell.against, cell.result) for cell in line.cells] for line in lines
    ]
    assert cells == [
        [None, (3.0, 1.0, "won"), (None, None, "open")],
        [(1.0, 3.0, "lost"), None, (None, None, "")],
        [(None, None, "open"), (None, None, ""), None],
    ]
    between = lines[0].cells[1]
    assert between is not None
    assert [meeting.round for meeting in between.meetings] == [1, 2]


def test_meeting_of_three_stands_in_all_pair_cells():
    meeting = PairingState(1, 1, (1, 2, 3), scores=(Score(wins=2), Score(wins=1), Score(losses=3)))
    state = TournamentState(SETUP, [], [meeting])

    lines = crosstable(state=state, order=[1, 2, 3], points_of=game_points)

    assert [[cell and (cell.points, cell.against) for cell in line.cells] for line in lines] == [
        [None, (2.0, 1.0), (2.0, 0.0)],
        [(1.0, 2.0), None, (1.0, 0.0)],
        [(0.0, 2.0), (0.0, 1.0), None],
    ]


@pytest.mark.parametrize(
    ("format_", "changes", "named"),
    [
        ("round_robin", {"tie_breaks": ("direct_encounter",)}, ["lost by both", "however few"]),
        (
            "round_robin",
            {"tie_breaks": ("sonneborn_berger",), "scoring": scoring.CHAMPIONSHIP},
            ["in every scoring", "however few"],
        ),
        ("round_robin", {"size": 3}, ["however few", "matches of three"]),
        ("gauntlet", {"tie_breaks": ("fewer_forfeits",)}, ["however", "Averages", "forfeits"]),
        (
            "swiss",
            {"tie_breaks": ("direct_encounter", "buchholz_cut1", "fewer_forfeits")},
            ["have not met", "lowest", "fewer forfeits"],
        ),
    ],
)
def test_page_names_where_tie_break_differs_from_definition(format_, changes, named):
    setup = replace(Setup(rng_seed=1, scoring=scoring.CLASSIC), **changes)

    found = format_words.deviations(catalogue.FORMATS[format_], setup)

    assert len(found) == len(named)
    assert all(part in text for part, text in zip(named, found, strict=True))


@pytest.mark.parametrize(
    ("value", "said"), [(0.0, "0"), (1.5, "1½"), (-2.0, "2"), (96.25, "96.25"), (1 / 3, "0.33")]
)
def test_a_measure_is_written_as_points_are(value, said):
    assert figures.measure(value) == said


@pytest.mark.parametrize(("value", "said"), [(0.875, "0.88"), (-1.0, "1.00"), (1 / 3, "0.33")])
def test_an_average_has_two_digits_rounded_not_cut(value, said):
    assert figures.average(value) == said
