"""Round robins: every two meet once; with three in a match, every three."""

from collections.abc import Sequence
from math import comb
from typing import ClassVar

from arena.domain.formats import scheduled, schedules
from arena.domain.formats.scheduled import Scheduled
from arena.domain.formats.schedules import Round
from arena.domain.formats.types import THREE, Setup, TournamentState, _


class RoundRobin(Scheduled):
    """Everybody meets everybody in each cycle; every second cycle names the first one last.

    With an odd number of entrants one rests in each round, everybody equally often.
    """

    slug = "round_robin"
    label = _("round robin")
    meaning = _("Everybody meets everybody once. The most points win.")
    meaning_for_more = _("Every %(size)d entrants meet once. The most points win.")
    position = 10

    tie_breaks = ("direct_encounter", "sonneborn_berger", "wins", "fewer_forfeits")
    cycles: ClassVar[int] = 1

    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable if there are too few or too many for this size of a match."""
        scheduled.require(setup, entrants, pairings=self.cycles * comb(entrants, setup.size))

    def rounds(self, setup: Setup, entrants: int) -> Sequence[Round]:
        """Return the schedule, by places in the seeding from 0."""
        if setup.size == THREE:
            return schedules.all_of_three(entrants, self.cycles)
        there = schedules.circle(entrants)
        back = tuple(tuple(seating[::-1] for seating in turn) for turn in there)
        return tuple(
            turn for cycle in range(self.cycles) for turn in (back if cycle % 2 else there)
        )

    def has_rests(self, state: TournamentState, round_number: int) -> bool:
        """Return True: everybody stays in to the end."""
        del state, round_number
        return True


class DoubleRoundRobin(RoundRobin):
    """A round robin of two cycles."""

    slug = "double_round_robin"
    label = _("double round robin")
    meaning = _("Everybody meets everybody twice. The most points win.")
    meaning_for_more = _("Every %(size)d entrants meet twice. The most points win.")
    position = 20

    cycles = 2
