"""Where points go, as rows of tables and figures: for one bot, and for two head to head."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _

from arena.domain.bots.head_to_head import Tally
from arena.domain.bots.points import Points
from arena.texts.matches import MEANINGS
from arena.web.matches import labels, usage_bars
from engine import registry

ROWS = 10  # of each part: those with most games

Part = tuple[str, Sequence[tuple[str, Tally]]]  # a title, and rows of a name and a tally


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a bot beside that of its opponents; empty where there is none."""

    title: str
    own: str
    theirs: str


def figures(on: Points) -> list[Figure]:
    """Return the forfeits and the time used."""
    times = on.action_ms, on.opponent_action_ms
    mean, slowest = (
        [usage_bars.amount(figure(each), "ms") if each else "" for each in times]
        for figure in (fmean, max)
    )
    found = [Figure(_("Forfeits"), str(on.forfeits), str(on.opponent_forfeits))]
    if any(times):
        found += [
            Figure(_("Time for an action, on average"), *mean),
            Figure(_("Slowest action"), *slowest),
        ]
    return found


def by_side(on: Points) -> Part:
    """Return the part by side."""
    return _("By side"), [(labels.seat_name(side), of) for side, of in most_games(on.sides)]


def of(on: Points) -> list[Part]:
    """Return the parts by ending, length and set-up."""
    lengths = [(_("up to %s plies") % most, tally) for most, tally in sorted(on.lengths.items())]
    return [
        (_("By ending"), [(_ending(word), tally) for word, tally in most_games(on.endings)]),
        (_("By length"), lengths),
        (
            _("By set-up"),
            [
                (format_html("<code>{}</code>", setup), tally)
                for setup, tally in most_games(on.setups)
            ],
        ),
    ]


def most_games(tallies: Mapping[Any, Tally]) -> list[tuple[Any, Tally]]:
    """Return the rows with most games, and of as many those with fewest points first."""
    return sorted(tallies.items(), key=lambda row: (-row[1].games, row[1].points))[:ROWS]


def _ending(word: str) -> str:
    """Return the title of a termination; that of a game that is gone keeps its own name."""
    if by_rules := registry.endings().get(word):
        return _(by_rules.title)
    return str(MEANINGS[word].title) if word in MEANINGS else word
