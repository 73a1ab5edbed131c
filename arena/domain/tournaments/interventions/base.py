"""What an intervention is: one class with all that pages, the API and the log show of it.

The fields of the class are what organizers state, each annotated with its input. An instance holds
plain values. A class that names a `slug` is registered.
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
    """What an intervention did: the data of its log entry, and what organizers have to know of it.

    `seen` names the matches on which it was decided, and which of them were over before it.
    """

    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seen: str = ""


@dataclass(frozen=True)
class Intervention:
    """Something that organizers do to a tournament."""

    slug: ClassVar[str]
    label: ClassVar[Text]
    help: ClassVar[Text]
    short_label: ClassVar[Text] = ""  # of its link in the console, where `label` is too long
    request_body: ClassVar[str] = ""  # for the API's description, where the names do not say it all
    statuses: ClassVar[Collection[TournamentStatus]] = PLAYED_IN  # in which it can be done
    confirm_text: ClassVar[Text] = ""  # of its button, with placeholders; `label` if empty
    log_action: ClassVar[str]
    log_text: ClassVar[Text] = ""  # with placeholders for the details of the effect

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "slug" in cls.__dict__:
            REGISTRY[cls.slug] = cls
            log.WORDS[cls.log_action] = cls.say_entry

    @classmethod
    def inputs(cls) -> dict[str, Input]:
        """Return the input of every field, by the field's name."""
        hints = typing.get_type_hints(cls, include_extras=True)
        return {
            name: extra
            for name, hint in hints.items()
            for extra in getattr(hint, "__metadata__", ())
            if isinstance(extra, Input)
        }

    @classmethod
    def require_permission(cls, *, user: User, tournament: Tournament) -> None:
        """Raise Refused for a user who may not do it."""
        changes.require_organizer(user=user, tournament=tournament)

    @classmethod
    def say_entry(cls, said: Details) -> Sequence[Text]:
        """Return the texts of its log entry; a class where they depend on the details overrides."""
        del said
        return [cls.log_text]

    @staticmethod
    def fits(row: Any) -> bool:  # noqa: ANN401 - a match, a pairing, an entrant or a tournament
        """Return whether the console offers it for what it acts on, beside the status."""
        del row
        return True

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Do it to a tournament that the caller holds, in one of `statuses`.

        Raise Refused where it cannot be done, with what to do instead.
        """
        raise NotImplementedError

    def confirmation(self, tournament: Tournament) -> str:
        """Return the text of the button that does it, after a dry run."""
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
        """Return the match's number in its pairing and the names of who meets in it."""
        rows = Match.objects.filter(pairing__round__tournament=tournament)
        found = rows.select_related("pairing").get(public_id=self.match.strip())
        return {"leg": found.leg, "names": targets.names(found.pairing)}


@dataclass(frozen=True)
class OnPairing(Intervention):
    """An intervention on a pairing."""

    pairing: Annotated[str, PairingInput()]

    def confirm_details(self, tournament: Tournament) -> dict[str, object]:
        """Return the pairing's number and the names of who meets in it."""
        found = targets.pairing(tournament, self.pairing)
        return {"pairing": targets.label(found), "names": targets.names(found)}


@dataclass(frozen=True)
class OnEntrant(Intervention):
    """An intervention on an entrant that is in."""

    entrant: Annotated[int, EntrantInput(label=_("Entrant"))]

    def confirm_details(self, tournament: Tournament) -> dict[str, object]:
        """Return its bot."""
        return {"bot": targets.entrant(tournament, self.entrant).bot}

    @staticmethod
    def fits(row: TournamentEntrant) -> bool:
        """Return whether it is in."""
        return row.status == TournamentEntrantStatus.ENTERED


@dataclass(frozen=True)
class OnTournament(Intervention):
    """An intervention on the tournament as a whole."""


def offered(
    kind: type[Intervention], *, tournament: Tournament, row: models.Model
) -> list[type[Intervention]]:
    """Return the interventions of a kind that can be done to a row, the earliest possible first."""
    found = [
        each
        for each in REGISTRY.values()
        if issubclass(each, kind) and tournament.status in each.statuses and each.fits(row)
    ]
    order = list(TournamentStatus)
    return sorted(found, key=lambda each: min(map(order.index, each.statuses)))
