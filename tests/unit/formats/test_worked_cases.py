"""Tie-breaks of round robins, worked by hand: `worked_cases.toml`."""

import tomllib
from pathlib import Path

import pytest

from arena.domain.formats import schedules, scoring
from arena.domain.formats.round_robin import RoundRobin
from arena.domain.formats.types import (
    Decision,
    Entry,
    PairingState,
    Score,
    Setup,
    TournamentState,
)

CASES = tomllib.loads((Path(__file__).with_name("worked_cases.toml")).read_text())["case"]
WON, DRAWN, LOST, FORFEITED = (
    Score(wins=1), Score(draws=1), Score(losses=1), Score(losses=1, forfeits=1),
)  # fmt: skip
SCORES = {"1": WON, "=": DRAWN, "0": LOST, "+": WON, "-": FORFEITED}
BOTH = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def state_of(case):
    """Return the tournament of a table; entrants are numbered from 1 in its order."""
    rows = [line.split() for line in case["table"].strip().splitlines()]
    cells = [row[1:] for row in rows]
    meetings = []
    for number, turn in enumerate(schedules.circle(len(rows)), start=1):
        for at, (one, other) in enumerate(turn, start=1):
            sign = cells[one][other]
            assert cells[other][one] == BOTH[sign]
            meetings.append(
                PairingState(
                    number,
                    at,
                    (one + 1, other + 1),
                    decision=Decision.WALKOVER if sign in "+-" else Decision.PLAYED,
                    scores=(SCORES[sign], SCORES[BOTH[sign]]),
                )
            )
    setup = Setup(rng_seed=1, scoring=scoring.CLASSIC, tie_breaks=tuple(case["order"]), games=1)
    entries = [Entry(seed, seed) for seed in range(1, len(rows) + 1)]
    return [row[0] for row in rows], TournamentState(setup, entries, meetings)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_standings_are_as_worked_out(case):
    names, state = state_of(case)

    rows = RoundRobin().standings(state)

    found = {names[row.entrant - 1]: [row.points, *row.tie_breaks] for row in rows}
    assert found == case["values"]
    told = [f"{names[row.entrant - 1]} {row.decided_by}".strip() for row in rows]
    assert told == case["ranked"]
