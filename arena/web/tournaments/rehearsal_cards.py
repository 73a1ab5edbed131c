"""A rehearsal as its page shows it: its result, its duration, and its reduced settings."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.formats import catalogue
from arena.domain.tournaments import changes
from arena.domain.tournaments.rehearsal import rehearsals
from arena.models import Tournament
from arena.web.tournaments.format_words import Word

SIGHTS: Mapping[str, Word] = {
    "bye": Word(_("a bye"), _("An odd number of entrants leaves one without an opponent.")),
    "tie": Word(
        _("a tie"), _("Two bots with the same program play each other and share the points.")
    ),
    "crash": Word(_("a crash"), _("A bot that crashes at the first request forfeits its games.")),
    "withdrawal": Word(_("a withdrawal"), _("One entrant leaves after round 1.")),
}


def of(original: Tournament) -> list[dict[str, Any]]:
    """Return the rehearsals of a tournament with their reports, the latest first.

    `lowered` has each reduced option in words, before and after.
    """
    return [_card(row) for row in rehearsals.of(tournament=original)]


def _card(row: Tournament) -> dict[str, Any]:
    report = rehearsals.report(rehearsal=row)
    return {
        "row": row,
        "report": report,
        "is_running": row.status in changes.UNDER_WAY,
        "sights": [(sight, SIGHTS[sight.code]) for sight in report.sights],
        "lowered": [
            (gettext(option.label), *report.lowered[option.name])
            for option in catalogue.find(row.format).options
            if option.name in report.lowered
        ],
    }
