"""Round robins: every two meet once, or twice; with three in a match, every three.

With an odd number somebody rests in each round. That is no bye: everybody rests equally often, and
nobody gets points for it. The schedule is that of the freeze: whoever leaves after it is met by
walkovers to the end, so that all have been given the same, and late entries are not taken.
"""

from collections.abc import Sequence
from math import comb

from arena.domain.formats import results, schedules, tables
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

MOST_PAIRINGS = 4096  # more than that nobody waits for, and no page shows
PAIR, THREE = 2, 3


class RoundRobin:
    """Everybody meets everybody as often as there are cycles; in every second one first is last."""

    OPTIONS: tuple[FormatOption, ...] = ()
    TAKES_LATE_ENTRIES = False
    PER_GAME = False
    TIE_BREAKS: tuple[str, ...] = ("direct_encounter", "sonneborn_berger", "wins", "fewer_forfeits")

    def __init__(self, cycles: int) -> None:
        self.cycles = cycles

    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable where too few or too many are there for this size of a match."""
        require(setup, entrants, pairings=self.cycles * comb(entrants, setup.size))

    def outline(self, setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
        """Return the rounds; who rests in one is in no pairing and has no bye."""
        return outline("round", self.rounds(setup.size, entrants))

    def initial_pairings(self, setup: Setup, entries: Sequence[Entry]) -> Draw:
        """Draw round 1."""
        return Draw(draw_round(setup, entries, 1, self._round(setup, entries, 1)))

    def next_round(self, state: TournamentState) -> Draw | None:
        """Draw the round after the last; None after the last of the schedule."""
        if self.is_finished(state):
            return None
        number = state.rounds + 1
        seatings = self._round(state.setup, state.entries, number)
        return Draw(draw_round(state.setup, state.entries, number, seatings))

    def extra_matches(self, state: TournamentState, meeting: PairingState) -> int:  # noqa: ARG002 - as all formats
        """Return 0: a meeting may end level."""
        return 0

    def standings(self, state: TournamentState) -> tuple[StandingsRow, ...]:
        """Rank by points and tie-breaks."""
        return tables.standings(state)

    def closing_notes(self, state: TournamentState) -> tuple[DecisionNote, ...]:  # noqa: ARG002 - as every format has it
        """Return nothing: results need no more words than their games."""
        return ()

    def is_finished(self, state: TournamentState) -> bool:
        """Return whether the schedule is at its end."""
        return state.rounds >= len(self.rounds(state.setup.size, len(state.entries)))

    def rounds(self, size: int, entrants: int) -> Sequence[Round]:
        """Return the schedule, by places in the seeding from 0."""
        if size == THREE:
            return schedules.all_of_three(entrants, self.cycles)
        there = schedules.circle(entrants)
        back = tuple(tuple(seating[::-1] for seating in turn) for turn in there)
        return tuple(
            turn for cycle in range(self.cycles) for turn in (back if cycle % 2 else there)
        )

    def _round(self, setup: Setup, entries: Sequence[Entry], number: int) -> Round:
        return self.rounds(setup.size, len(entries))[number - 1]


def require(setup: Setup, entrants: int, *, pairings: int) -> None:
    """Raise Unplayable where there are too few for a match, or too many pairings."""
    if setup.size not in (PAIR, THREE):
        raise Unplayable("unknown_size", size=setup.size, known=[PAIR, THREE])
    if entrants < setup.size:
        raise Unplayable("too_few_entrants", least=setup.size, entrants=entrants)
    if pairings > MOST_PAIRINGS:
        raise Unplayable("too_many_pairings", pairings=pairings, most=MOST_PAIRINGS)


def outline(code: str, rounds: Sequence[Round]) -> tuple[RoundOutline, ...]:
    """Return rounds of a schedule as outlines that have a code and their number."""
    return tuple(
        RoundOutline(code, {"round": number}, pairings=len(turn))
        for number, turn in enumerate(rounds, start=1)
    )


def draw_round(
    setup: Setup, entries: Sequence[Entry], number: int, seatings: Round
) -> tuple[PairingState, ...]:
    """Return the meetings of a round of a schedule, in which places count from the best seed.

    Those of which some have left are walkovers or void.
    """
    seeded = [entry.id for entry in sorted(entries, key=lambda entry: entry.seed)]
    there = {entry.id for entry in entries if entry.is_in(number)}
    meetings = [
        PairingState(round=number, number=at, entrants=tuple(seeded[place] for place in seating))
        for at, seating in enumerate(seatings, start=1)
    ]
    return tuple(results.walk_over(setup, meeting, there) for meeting in meetings)


SINGLE = RoundRobin(cycles=1)
DOUBLE = RoundRobin(cycles=2)
