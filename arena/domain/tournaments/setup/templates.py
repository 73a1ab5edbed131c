"""Templates of popular kinds of tournaments: data, with a title and a line each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Template:
    """The first values of a draft. Fields that `values` leaves out have their defaults."""

    slug: str
    title: str | Promise
    line: str | Promise
    values: Mapping[str, Any]


TEMPLATES: Sequence[Template] = (
    Template(
        slug="swiss",
        title=_("Swiss, 5 rounds"),
        line=_(
            "Many bots in few rounds: bots with equal points meet, no two meet twice, and "
            "nobody is eliminated."
        ),
        values={
            "format": "swiss",
            "format_options": {"rounds": 5},
            "scoring": "classic",
            "matches_per_pairing": 5,
            "min_entrants": 8,
            "max_entrants": 64,
            "last_entry_round": 2,
        },
    ),
    Template(
        slug="round-robin",
        title=_("Round robin, 6/3/1/0"),
        line=_("Everybody meets everybody. A draw is worth half a win, a forfeit nothing."),
        values={
            "format": "round_robin",
            "scoring": "championship",
            "matches_per_pairing": 1,
            "min_entrants": 3,
            "max_entrants": 16,
        },
    ),
    Template(
        slug="double-elimination",
        title=_("Double elimination"),
        line=_("Two losses eliminate a bot. Ties are broken by more matches."),
        values={
            "format": "double_elimination",
            "scoring": "classic",
            "matches_per_pairing": 3,
            "min_entrants": 4,
            "max_entrants": 32,
        },
    ),
    Template(
        slug="groups",
        title=_("Groups, then play-off"),
        line=_("Round robins in groups. The best of each group play a knockout."),
        values={
            "format": "groups_playoff",
            "scoring": "classic",
            "matches_per_pairing": 1,
            "min_entrants": 8,
            "max_entrants": 32,
        },
    ),
    Template(
        slug="gauntlet",
        title=_("Gauntlet"),
        line=_("The first seed meets all others. Use it to measure a new bot."),
        values={
            "format": "gauntlet",
            "scoring": "classic",
            "matches_per_pairing": 10,
            "min_entrants": 3,
            "max_entrants": 16,
            "entry_policy": "listed",
        },
    ),
    Template(
        slug="single-elimination",
        title=_("Single elimination"),
        line=_("One loss eliminates a bot: the shortest way to a winner."),
        values={
            "format": "single_elimination",
            "format_options": {"third_place": 1},
            "scoring": "classic",
            "matches_per_pairing": 3,
            "min_entrants": 4,
            "max_entrants": 32,
        },
    ),
    Template(
        slug="double-round-robin",
        title=_("Double round robin"),
        line=_("Everybody meets everybody twice: the most reliable order of a few bots."),
        values={
            "format": "double_round_robin",
            "scoring": "classic",
            "matches_per_pairing": 1,
            "min_entrants": 3,
            "max_entrants": 10,
        },
    ),
)
