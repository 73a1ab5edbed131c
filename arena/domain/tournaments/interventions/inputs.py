"""What organizers state for an intervention, described for pages and the API alike.

A page makes a form field of an input, the API a field of a request body.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.domain.tournaments.interventions import targets
from arena.models import Tournament, TournamentEntrant, TournamentEntrantStatus
from arena.texts import Text

SHARED = "shared"  # what a page sends for all entrants of a pairing

Typed = Mapping[str, str]  # what somebody typed into a page so far, by the names of fields
Options = list[tuple[str, str]]  # what a page offers: what it sends, and what it shows


@dataclass(frozen=True, kw_only=True, eq=False)
class Input:
    """A value to state; `hint` returns what is there so far, and stands in place of `help`."""

    label: Text = ""
    help: Text = ""
    api_name: str = ""  # where it is not the name of the field
    required: bool = True
    hint: Callable[[Tournament, Typed], str] | None = None


class MatchInput(Input):
    """The id of a match."""


class PairingInput(Input):
    """The id of a pairing, which links of the console carry."""


class EntrantInput(Input):
    """An entrant that is in, as its row."""

    def options(self, tournament: Tournament, typed: Typed) -> Options:
        """Return what can be chosen."""
        del typed
        rows = tournament.entrants.select_related("bot__owner", "version")
        there = rows.filter(status=TournamentEntrantStatus.ENTERED)
        return [(str(row.pk), _name(row)) for row in there]


class PairingEntrantInput(Input):
    """An entrant of the field `pairing`, as its row; None for all of them."""

    def options(self, tournament: Tournament, typed: Typed) -> Options:
        """Return what can be chosen: in a bracket one entrant goes on, so they cannot share."""
        pairing = targets.find_pairing(tournament, typed.get("pairing", ""))
        if pairing is None:
            return []
        rows = pairing.entrants.select_related("entrant__bot__owner", "entrant__version")
        places = [
            (str(place.entrant_id), _name(place.entrant)) for place in rows.order_by("position")
        ]
        return places if pairing.slot else [*places, (SHARED, _("all of them share it"))]


class VersionInput(Input):
    """A version of the bot of the field `entrant`, as its row; people name it by its number."""


class CountInput(Input):
    """How many more: 1 or more."""


class TimeInput(Input):
    """A point in time."""


def _name(entrant: TournamentEntrant) -> str:
    version = f" v{entrant.version.number}" if entrant.version else ""
    return f"{entrant.bot}{version}"
