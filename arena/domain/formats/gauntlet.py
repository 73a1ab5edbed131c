"""Gauntlets: each challenger meets all the others; with three in a match, all pairs of them.

The challengers are the best seeds, and do not meet each other; nor do the others but at a table
with a challenger. Challengers play more than the others, so points per game are compared. Whoever
leaves is met by walkovers to the end, as in a round robin.
"""

from collections.abc import Sequence
from math import comb

from arena.domain.formats import roundrobin, schedules, tables
from arena.domain.formats.schedules import Round
from arena.domain.formats.types import (
    DecisionNote,
    Draw,
    Entry,
    FormatOption,
    PairingState,
    RoundOutline,
    Setup,
    StandingsRow,
    TournamentState,
    Unplayable,
)

CHALLENGERS = FormatOption("challengers", default=1, least=1, most=8)
OPTIONS: tuple[FormatOption, ...] = (CHALLENGERS,)
TAKES_LATE_ENTRIES = False
PER_GAME = True
TIE_BREAKS: tuple[str, ...] = ("direct_encounter", "wins", "fewer_forfeits")


def check(setup: Setup, entrants: int) -> None:
    """Raise Unplayable where a challenger has nobody to meet, or there are too many pairings."""
    least = _challengers(setup) + setup.size - 1
    if entrants < least:
        raise Unplayable("too_few_entrants", least=least, entrants=entrants)
    others = entrants - _challengers(setup)
    pairings = _challengers(setup) * comb(others, setup.size - 1)
    roundrobin.require(setup, entrants, pairings=pairings)


def _challengers(setup: Setup) -> int:
    return int(setup.options.get(CHALLENGERS.name, CHALLENGERS.default))


def rounds(setup: Setup, entrants: int) -> Sequence[Round]:
    """Return the schedule, by places in the seeding from 0."""
    challengers = _challengers(setup)
    return schedules.gauntlet(challengers, entrants - challengers, setup.size)


def outline(setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
    """Return the rounds; who is in no pairing of one rests."""
    return roundrobin.outline("round", rounds(setup, entrants))


def initial_pairings(setup: Setup, entries: Sequence[Entry]) -> Draw:
    """Draw round 1."""
    return _draw(setup, entries, 1)


def next_round(state: TournamentState) -> Draw | None:
    """Draw the round after the last; None after the last of the schedule."""
    if is_finished(state):
        return None
    return _draw(state.setup, state.entries, state.rounds + 1)


def _draw(setup: Setup, entries: Sequence[Entry], number: int) -> Draw:
    seatings = rounds(setup, len(entries))[number - 1]
    return Draw(roundrobin.draw_round(setup, entries, number, seatings))


def extra_matches(state: TournamentState, meeting: PairingState) -> int:  # noqa: ARG001 - as in all formats
    """Return 0: a meeting may end level."""
    return 0


def standings(state: TournamentState) -> tuple[StandingsRow, ...]:
    """Rank by points per game and tie-breaks."""
    return tables.standings(state, per_game=True)


def closing_notes(state: TournamentState) -> tuple[DecisionNote, ...]:  # noqa: ARG001 - as every format has it
    """Return nothing: results need no more words than their games."""
    return ()


def is_finished(state: TournamentState) -> bool:
    """Return whether the schedule is at its end."""
    return state.rounds >= len(rounds(state.setup, len(state.entries)))
