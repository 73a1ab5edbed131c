"""The inputs of interventions, described once for pages and the API.

A page makes a form field of an input. The API makes a field of the request body.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.domain.tournaments.interventions import targets
from arena.models import Tournament, TournamentEntrant
from arena.texts import Text

SHARED = "shared"  # the value that a page sends for all entrants of a pairing

Typed = Mapping[str, str]  # the current values of a form, by the names of fields
Options = list[tuple[str, str]]  # the value that a page sends and the text that it shows


@dataclass(frozen=True, kw_only=True, eq=False)
class Input:
    """A value that an organizer enters. `hint` returns the current values, and replaces `help`."""

    label: Text = ""
    help: Text = ""
    api_name: str = ""  # if it is not the name of the field
    required: bool = True
    hint: Callable[[Tournament, Typed], str] | None = None


class MatchInput(Input):
    """The id of a match."""


class PairingInput(Input):
    """The id of a pairing. Links of the console contain it."""


class EntrantInput(Input):
    """An entrant that is still in, by its primary key."""

    def options(self, tournament: Tournament, typed: Typed) -> Options:
        """Return the possible choices."""
        del typed
        rows = tournament.entrants.select_related("bot__owner", "version").entered()
        return [(str(row.pk), _name(row)) for row in rows]


class PairingEntrantInput(Input):
    """An entrant of the pairing in the field `pairing`, by its primary key. None means all."""

    def options(self, tournament: Tournament, typed: Typed) -> Options:
        """Return the possible choices.

        Entrants cannot share a pairing of a bracket, because one of them advances.
        """
        pairing = targets.find_pairing(tournament, typed.get("pairing", ""))
        if pairing is None:
            return []
        rows = pairing.entrants.select_related("entrant__bot__owner", "entrant__version")
        places = [
            (str(place.entrant_id), _name(place.entrant)) for place in rows.order_by("position")
        ]
        return places if pairing.slot else [*places, (SHARED, _("all of them share it"))]


class VersionInput(Input):
    """A version of the bot in the field `entrant`, by its primary key. People enter its number."""


class CountInput(Input):
    """The number to add, 1 or more."""


class TimeInput(Input):
    """A point in time."""


def _name(entrant: TournamentEntrant) -> str:
    version = f" v{entrant.version.number}" if entrant.version else ""
    return f"{entrant.bot}{version}"
