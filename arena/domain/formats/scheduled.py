"""Schedules as formats: what round robins, groups and gauntlets share.

The schedule follows from the number of entrants at the freeze, so late entries are not taken. The
opponents of an entrant that has left get walkovers to the end, so that all get the same. An entrant
without a pairing in a round rests. That is no bye: it gives no points.
"""

from abc import abstractmethod
from collections.abc import Sequence

from arena.domain.formats import results, tables
from arena.domain.formats.base import Format
from arena.domain.formats.schedules import Round
from arena.domain.formats.types import (
    PAIR,
    THREE,
    Draw,
    Entry,
    PairingState,
    RoundOutline,
    Setup,
    StandingsRow,
    TournamentState,
    Unplayable,
    by_seed,
)

MOST_PAIRINGS = 4096  # more take too long to play and to show


class Scheduled(Format):
    """A format whose rounds all follow from the number of entrants."""

    is_scheduled = True

    @abstractmethod
    def rounds(self, setup: Setup, entrants: int) -> Sequence[Round]:
        """Return the schedule, by places in the seeding from 0."""

    def outline(self, setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
        """Return the rounds of the schedule."""
        return outline("round", self.rounds(setup, entrants))

    def next_round(self, state: TournamentState) -> Draw | None:
        """Draw the round after the last one; None at the end of the schedule."""
        if self.is_finished(state):
            return None
        number = state.rounds + 1
        seatings = self.rounds(state.setup, len(state.entries))[number - 1]
        return Draw(draw_round(state.setup, state.entries, number, seatings))

    def standings(self, state: TournamentState) -> tuple[StandingsRow, ...]:
        """Rank by points, or points per game, and the tie-breaks."""
        return tables.standings(state, per_game=self.compares_per_game, is_scheduled=True)

    def is_finished(self, state: TournamentState) -> bool:
        """Return whether the last round of the schedule was drawn."""
        return state.rounds >= len(self.rounds(state.setup, len(state.entries)))


def require(setup: Setup, entrants: int, *, pairings: int) -> None:
    """Raise Unplayable if there are too few for a match, or too many pairings."""
    if setup.size not in (PAIR, THREE):
        raise Unplayable("unknown_size", size=setup.size, known=[PAIR, THREE])
    if entrants < setup.size:
        raise Unplayable("too_few_entrants", least=setup.size, entrants=entrants)
    if pairings > MOST_PAIRINGS:
        raise Unplayable("too_many_pairings", pairings=pairings, most=MOST_PAIRINGS)


def outline(code: str, rounds: Sequence[Round]) -> tuple[RoundOutline, ...]:
    """Return rounds of a schedule as outlines with a code and their number."""
    return tuple(
        RoundOutline(code, {"round": number}, pairings=len(turn))
        for number, turn in enumerate(rounds, start=1)
    )


def draw_round(
    setup: Setup, entries: Sequence[Entry], number: int, seatings: Round
) -> tuple[PairingState, ...]:
    """Return the pairings of a round of a schedule, in which places count from the best seed.

    A pairing of an entrant that has left is a walkover or void.
    """
    seeded = by_seed(entries)
    present = {entry.id for entry in entries if entry.is_in(number)}
    meetings = [
        PairingState(round=number, number=at, entrants=tuple(seeded[place] for place in seating))
        for at, seating in enumerate(seatings, start=1)
    ]
    return tuple(results.walk_over(setup, meeting, present) for meeting in meetings)
