"""Gauntlets: each challenger meets all the others; with three in a match, all pairs of them."""

from collections.abc import Sequence
from math import comb

from arena.domain.formats import scheduled, schedules
from arena.domain.formats.scheduled import Scheduled
from arena.domain.formats.schedules import Round
from arena.domain.formats.types import FormatOption, Setup, Unplayable, _

CHALLENGERS = FormatOption(
    name="challengers",
    label=_("Challengers"),
    help=_("How many of the first seeds meet all the others."),
    default=1,
    least=1,
    most=8,
)


class Gauntlet(Scheduled):
    """The challengers are the best seeds, and do not meet each other.

    The others meet each other only at a table with a challenger. Challengers play more than the
    others, so points per game are compared.
    """

    slug = "gauntlet"
    label = _("gauntlet")
    meaning = _(
        "The first seeds, the challengers, meet all others. The others do not meet each other."
    )
    meaning_for_more = _(
        "The first seeds, the challengers, meet all others, in matches of %(size)d."
    )
    position = 60

    options = (CHALLENGERS,)
    tie_breaks = ("direct_encounter", "wins", "fewer_forfeits")
    compares_per_game = True

    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable if a challenger has nobody to meet, or there are too many pairings."""
        challengers = CHALLENGERS.value(setup)
        least = challengers + setup.size - 1
        if entrants < least:
            raise Unplayable("too_few_entrants", least=least, entrants=entrants)
        pairings = challengers * comb(entrants - challengers, setup.size - 1)
        scheduled.require(setup, entrants, pairings=pairings)

    def rounds(self, setup: Setup, entrants: int) -> Sequence[Round]:
        """Return the schedule, by places in the seeding from 0."""
        challengers = CHALLENGERS.value(setup)
        return schedules.gauntlet(challengers, entrants - challengers, setup.size)
