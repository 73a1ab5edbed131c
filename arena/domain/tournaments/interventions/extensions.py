"""Interventions that extend a tournament: more rounds, more matches in a pairing, more time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar

from django.conf import settings
from django.db.models import F, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.errors import Refused
from arena.domain.formats import catalogue
from arena.domain.formats.types import RoundOutline, Setup, Unplayable
from arena.domain.tournaments import log, snapshot
from arena.domain.tournaments.interventions import targets
from arena.domain.tournaments.interventions.base import PLAYED_IN, Effect, OnPairing, OnTournament
from arena.domain.tournaments.interventions.inputs import CountInput, TimeInput, Typed
from arena.domain.tournaments.interventions.matches import decided_anew
from arena.domain.tournaments.setup import terms
from arena.domain.tournaments.wording import Details
from arena.models import Pairing, Tournament, TournamentStatus
from arena.texts import Text
from arena.texts.times import in_utc

ROUNDS = "rounds"  # the option of a format for the number of rounds


def _present_rounds(tournament: Tournament, typed: Typed) -> str:
    del typed
    count = tournament.format_options.get(ROUNDS)
    if not count:
        return ""
    text = ngettext("It has %(count)d round now.", "It has %(count)d rounds now.", count)
    return text % {"count": count}


def _present_matches(tournament: Tournament, typed: Typed) -> str:
    pairing = targets.find_pairing(tournament, typed.get("pairing", ""))
    if pairing is None:
        return ""
    count = pairing.matches_wanted
    text = ngettext("It now has %(count)d match.", "It now has %(count)d matches.", count)
    return text % {"count": count}


def _present_time(at: datetime | None) -> str:
    if at is None:
        return _("Now: when the organizers decide.")
    return _("Now: %(at)s.") % {"at": in_utc(at)}


@dataclass(frozen=True)
class AddRounds(OnTournament):
    """Add rounds to a tournament."""

    rounds: Annotated[
        int, CountInput(label=gettext_lazy("More rounds"), api_name="count", hint=_present_rounds)
    ]

    slug: ClassVar = "add_rounds"
    label: ClassVar = gettext_lazy("Add rounds")
    help: ClassVar = gettext_lazy(
        "The tournament gets more rounds than planned. They are drawn later."
    )
    statuses: ClassVar = (TournamentStatus.FROZEN, *PLAYED_IN)
    log_action: ClassVar = "rounds_added"
    log_text: ClassVar = gettext_lazy("Rounds were added: there are %(rounds)s now.")

    @staticmethod
    def fits(row: Tournament) -> bool:
        """Return whether its format lets organizers choose the number of rounds."""
        return ROUNDS in row.format_options

    def confirmation(self, tournament: Tournament) -> str:
        """Return the text of the button."""
        del tournament
        text = ngettext("Add %(count)d round", "Add %(count)d rounds", self.rounds)
        return text % {"count": self.rounds}

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        del reason
        format_ = catalogue.find(tournament.format)
        option = next((option for option in format_.options if option.name == ROUNDS), None)
        if option is None:
            text = _("This format determines the number of rounds, so it cannot be changed.")
            raise Refused("rounds_follow", text, field="rounds")
        if self.rounds < 1:
            raise Refused("wrong_number", _("Add one round or more."), field="rounds")
        total = tournament.format_options.get(ROUNDS, option.default) + self.rounds
        tournament.format_options = {**tournament.format_options, ROUNDS: total}
        entrants = tournament.entrants.entered().count()
        try:
            setup, rounds = terms.outline(tournament=tournament, entrants=entrants)
        except Unplayable as exc:
            text = _("That is too many. %(why)s")
            raise Refused(exc.code, text % {"why": log.why_not(exc=exc)}, field="rounds") from exc
        _require_games(tournament, setup, rounds, field="rounds")
        tournament.save(update_fields=["format_options"])
        return Effect({"rounds": int(total)}, tuple(targets.reopen(tournament)))


@dataclass(frozen=True)
class AddMatches(OnPairing):
    """Add matches to a pairing."""

    # Not `matches`: an input of this name would hide the method of the form that scripts call.
    count: Annotated[int, CountInput(label=gettext_lazy("More matches"), hint=_present_matches)]

    slug: ClassVar = "add_matches"
    label: ClassVar = gettext_lazy("Add matches to a pairing")
    short_label: ClassVar = gettext_lazy("More matches")
    help: ClassVar = gettext_lazy("The pairing gets more matches than planned.")
    log_action: ClassVar = "matches_added"

    @staticmethod
    def fits(row: Pairing) -> bool:
        """Return whether matches decide the pairing."""
        return not row.decision

    def confirmation(self, tournament: Tournament) -> str:
        """Return the text of the button."""
        text = ngettext(
            "Add %(count)d match to %(names)s", "Add %(count)d matches to %(names)s", self.count
        )
        return text % {**self.confirm_details(tournament), "count": self.count}

    @classmethod
    def say_entry(cls, details: Details) -> Sequence[Text]:
        """Return the texts of the log entry."""
        text = gettext_lazy("Matches were added to pairing %(pairing)s: it now has %(matches)s.")
        return [text, *decided_anew(details)]

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        del reason
        pairing = targets.pairing(tournament, self.pairing)
        seen = targets.seen(targets.latest(pairing))
        targets.require_undecided(pairing)
        targets.require_free(pairing)
        targets.require_all_there(pairing)
        total = pairing.matches_wanted + self.count
        if self.count < 1 or total > terms.MOST_MATCHES:
            text = _(
                "Add one match or more. A pairing has at most %(most)d matches, and this one "
                "has %(has)d."
            )
            numbers = {"most": terms.MOST_MATCHES, "has": pairing.matches_wanted}
            raise Refused("wrong_number", text % numbers, field="count")
        pairing.matches_wanted = total  # the next step creates the matches
        pairing.save(update_fields=["matches_wanted"])
        setup = snapshot.setup_of(tournament=tournament)
        entrants = tournament.entrants.filter(seed__isnull=False).count()
        rounds = catalogue.find(tournament.format).outline(setup, entrants)
        _require_games(tournament, setup, rounds, field="count")
        details = {
            "pairing": targets.label(pairing),
            "matches": total,
            "was_settled": pairing.advancing_position is not None,
        }
        notes = [*targets.reopen(tournament, pairing), *targets.later_rounds(pairing)]
        return Effect(details, tuple(notes), seen)


@dataclass(frozen=True)
class Postpone(OnTournament):
    """Postpone the freeze or the start."""

    freezes_at: Annotated[
        datetime | None,
        TimeInput(
            label=gettext_lazy("Versions are frozen (UTC)"),
            required=False,
            hint=lambda tournament, _typed: _present_time(tournament.freezes_at),
        ),
    ] = None
    starts_at: Annotated[
        datetime | None,
        TimeInput(
            label=gettext_lazy("Starts (UTC)"),
            required=False,
            hint=lambda tournament, _typed: _present_time(tournament.starts_at),
        ),
    ] = None

    slug: ClassVar = "postpone"
    label: ClassVar = gettext_lazy("Postpone")
    help: ClassVar = gettext_lazy("The freeze or the start is later than planned.")
    request_body: ClassVar = "freezes_at, starts_at or both"
    statuses: ClassVar = (TournamentStatus.REGISTRATION, TournamentStatus.FROZEN)
    log_action: ClassVar = "times_changed"

    @classmethod
    def say_entry(cls, details: Details) -> Sequence[Text]:
        """Return the texts of the log entry."""
        texts = {
            "freezes_at": gettext_lazy("Versions are frozen at %(freezes_at)s."),
            "starts_at": gettext_lazy("The tournament starts at %(starts_at)s."),
        }
        changes = [text for name, text in texts.items() if details.get(name)]
        return changes or [gettext_lazy("The times were changed.")]

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        del reason
        if not (self.freezes_at or self.starts_at):
            text = _("Give a time for the freeze, for the start, or for both.")
            raise Refused("nothing_changes", text)
        if self.freezes_at:
            if tournament.status != TournamentStatus.REGISTRATION:
                text = _("Its versions are frozen already.")
                raise Refused("frozen_already", text, field="freezes_at")
            _require_later(self.freezes_at, tournament.freezes_at, "freezes_at")
            tournament.freezes_at = self.freezes_at
        if self.starts_at:
            _require_later(self.starts_at, tournament.starts_at, "starts_at")
            tournament.starts_at = self.starts_at
        freezes, starts = tournament.freezes_at, tournament.starts_at
        if freezes and starts and starts < freezes:
            text = _("A tournament cannot start before the freeze. Give a later start too.")
            raise Refused("wrong_order", text, field="starts_at")
        tournament.save(update_fields=["freezes_at", "starts_at"])
        given = {"freezes_at": self.freezes_at, "starts_at": self.starts_at}
        return Effect({name: at.isoformat() if at else None for name, at in given.items()})


def _require_games(
    tournament: Tournament, setup: Setup, rounds: Sequence[RoundOutline], *, field: str
) -> None:
    """Raise Refused if all rounds and the added matches have more games than the site allows."""
    usual = tournament.matches_per_pairing
    rows = Pairing.objects.filter(round__tournament=tournament, matches_wanted__gt=usual)
    added = rows.aggregate(matches=Sum(F("matches_wanted") - usual))["matches"] or 0
    games = sum(outline.pairings for outline in rounds) * setup.games + added * setup.size
    if games > settings.TOURNAMENT_MAX_GAMES:
        text = _("That would be more games than a tournament may have: %(most)d. Add fewer.")
        most = settings.TOURNAMENT_MAX_GAMES
        raise Refused("too_many_games", text % {"most": most}, field=field)


def _require_later(wanted: datetime, was: datetime | None, name: str) -> None:
    if wanted <= timezone.now():
        raise Refused(
            "in_the_past", _("This time is in the past. Give a time in the future."), field=name
        )
    if was is not None and wanted <= was:
        text = _("You can only postpone it. Give a time after %(was)s.")
        raise Refused("not_later", text % {"was": in_utc(was)}, field=name)
