"""The base of interventions: one class has all that pages, the API and the log show of one.

The fields of the class are what organizers enter, each annotated with its input. An instance has
plain values. A class with a `slug` is registered.
"""

import typing
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.domain.tournaments import changes, log
from arena.domain.tournaments.interventions import targets
from arena.domain.tournaments.interventions.inputs import (
    EntrantInput,
    Input,
    MatchInput,
    PairingInput,
)
from arena.domain.tournaments.wording import Details
from arena.models import (
    Match,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)
from arena.texts import Text

PLAYED_IN = (TournamentStatus.RUNNING, TournamentStatus.PAUSED, TournamentStatus.COMPLETED)

REGISTRY: dict[str, type["Intervention"]] = {}  # by slug


@dataclass(frozen=True, slots=True)
class Effect:
    """What an intervention did: the data of its log entry, and notes for the organizers.

    `seen` identifies the matches on which the decision was based, and which of them were over.
    """

    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seen: str = ""


@dataclass(frozen=True)
class Intervention:
    """An act of an organizer on a tournament."""

    slug: ClassVar[str]
    label: ClassVar[Text]
    help: ClassVar[Text]
    short_label: ClassVar[Text] = ""  # of the link in the console, if `label` is too long
    request_body: ClassVar[str] = ""  # for the API's description, if the field names are unclear
    statuses: ClassVar[Collection[TournamentStatus]] = PLAYED_IN  # in which it is possible
    confirm_text: ClassVar[Text] = ""  # of the button, with placeholders; `label` if empty
    log_action: ClassVar[str]
    log_text: ClassVar[Text] = ""  # with placeholders for `Effect.details`

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "slug" in cls.__dict__:
            REGISTRY[cls.slug] = cls
            log.WORDS[cls.log_action] = cls.say_entry

    @classmethod
    def inputs(cls) -> dict[str, Input]:
        """Return the inputs by the names of their fields."""
        hints = typing.get_type_hints(cls, include_extras=True)
        return {
            name: extra
            for name, hint in hints.items()
            for extra in getattr(hint, "__metadata__", ())
            if isinstance(extra, Input)
        }

    @classmethod
    def require_permission(cls, *, user: User, tournament: Tournament) -> None:
        """Raise Refused if the user may not do the intervention."""
        changes.require_organizer(user=user, tournament=tournament)

    @classmethod
    def say_entry(cls, details: Details) -> Sequence[Text]:
        """Return the texts of the log entry. Override this if the texts depend on the details."""
        del details
        return [cls.log_text]

    @staticmethod
    def fits(row: Any) -> bool:  # noqa: ANN401 - a match, a pairing, an entrant or a tournament
        """Return whether the console offers the intervention for a row, apart from the status."""
        del row
        return True

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention to a locked tournament whose status is in `statuses`.

        Raise Refused, with an alternative, if that is impossible.
        """
        raise NotImplementedError

    def confirmation(self, tournament: Tournament) -> str:
        """Return the text of the button that confirms the intervention after a dry run."""
        return str(self.confirm_text or self.label) % self.confirm_details(tournament)

    def confirm_details(self, tournament: Tournament) -> dict[str, object]:
        """Return the values of the placeholders of `confirm_text`."""
        del tournament
        return {}


@dataclass(frozen=True)
class OnMatch(Intervention):
    """An intervention on a match."""

    match: Annotated[str, MatchInput(label=_("Match"))]

    def confirm_details(self, tournament: Tournament) -> dict[str, object]:
        """Return the leg of the match and the names of the bots in its pairing."""
        rows = Match.objects.filter(pairing__round__tournament=tournament)
        match = rows.select_related("pairing").get(public_id=self.match.strip())
        return {"leg": match.leg, "names": targets.names(match.pairing)}


@dataclass(frozen=True)
class OnPairing(Intervention):
    """An intervention on a pairing."""

    pairing: Annotated[str, PairingInput()]

    def confirm_details(self, tournament: Tournament) -> dict[str, object]:
        """Return the number of the pairing and the names of its bots."""
        pairing = targets.pairing(tournament, self.pairing)
        return {"pairing": targets.label(pairing), "names": targets.names(pairing)}


@dataclass(frozen=True)
class OnEntrant(Intervention):
    """An intervention on an entrant that is still in."""

    entrant: Annotated[int, EntrantInput(label=_("Entrant"))]

    def confirm_details(self, tournament: Tournament) -> dict[str, object]:
        """Return the bot of the entrant."""
        return {"bot": targets.entrant(tournament, self.entrant).bot}

    @staticmethod
    def fits(row: TournamentEntrant) -> bool:
        """Return whether the entrant is still in."""
        return row.status == TournamentEntrantStatus.ENTERED


@dataclass(frozen=True)
class OnTournament(Intervention):
    """An intervention on the tournament as a whole."""


def offered(
    kind: type[Intervention], *, tournament: Tournament, row: models.Model
) -> list[type[Intervention]]:
    """Return the interventions of a kind that are possible on a row.

    They are sorted by the earliest status in which each is possible.
    """
    possible = [
        intervention
        for intervention in REGISTRY.values()
        if issubclass(intervention, kind)
        and tournament.status in intervention.statuses
        and intervention.fits(row)
    ]
    order = list(TournamentStatus)
    return sorted(possible, key=lambda intervention: min(map(order.index, intervention.statuses)))
