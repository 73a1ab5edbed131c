"""Double round robins: every two meet twice; with three in a match, every three."""

from arena.domain.formats.round_robin import RoundRobin
from arena.domain.formats.types import _


class DoubleRoundRobin(RoundRobin):
    """A round robin of two cycles."""

    slug = "double_round_robin"
    label = _("double round robin")
    meaning = _("Everybody meets everybody twice. The most points win.")
    meaning_for_more = _("Every %(size)d entrants meet twice. The most points win.")
    position = 20

    cycles = 2
