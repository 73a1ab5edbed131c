"""A rehearsal as its page shows it: its result, its duration, and its reduced settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.formats import catalogue
from arena.domain.tournaments import changes
from arena.domain.tournaments.rehearsal import rehearsals
from arena.domain.tournaments.rehearsal.findings import Report, Sight
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


@dataclass(frozen=True, slots=True)
class RehearsalCard:
    """A rehearsal and its report; `lowered` has each reduced option in words, before and after."""

    row: Tournament
    report: Report
    is_running: bool
    sights: Sequence[tuple[Sight, Word]]
    lowered: Sequence[tuple[str, int, int]]

    @property
    def took_s(self) -> float | None:
        """The duration of the rehearsal in seconds, until now if it still runs."""
        return self.report.took.total_seconds() if self.report.took else None


def of(original: Tournament) -> list[RehearsalCard]:
    """Return the rehearsals of a tournament, the latest first."""
    return [_card(row) for row in rehearsals.of(tournament=original)]


def _card(row: Tournament) -> RehearsalCard:
    report = rehearsals.report(rehearsal=row)
    return RehearsalCard(
        row=row,
        report=report,
        is_running=row.status in changes.UNDER_WAY,
        sights=[(sight, SIGHTS[sight.code]) for sight in report.sights],
        lowered=[
            (gettext(option.label), *report.lowered[option.name])
            for option in catalogue.find(row.format).options
            if option.name in report.lowered
        ],
    )
