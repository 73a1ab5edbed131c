"""Acts of organizers that give a tournament more: rounds, matches of a pairing, time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import F, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.formats import catalogue
from arena.domain.formats.shapes import RoundOutline, Setup, Unplayable
from arena.domain.tournaments import snapshot
from arena.domain.tournaments.interventions import targets
from arena.domain.tournaments.interventions.acts import PLAYED_IN, Done
from arena.domain.tournaments.setup import terms
from arena.models import (
    Pairing,
    Tournament,
    TournamentEntrantStatus,
    TournamentStatus,
)

ROUNDS = "rounds"  # the option of a format that says how many there are
EXTENDED_IN = (TournamentStatus.FROZEN, *PLAYED_IN)
POSTPONED_IN = (TournamentStatus.REGISTRATION, TournamentStatus.FROZEN)


@dataclass(frozen=True, slots=True)
class AddRounds:
    """Let the tournament have more rounds than was said."""

    rounds: int

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        del reason
        targets.require_status(tournament, EXTENDED_IN)
        total = _add_rounds(tournament, self.rounds)
        return Done("rounds_added", {"rounds": total}, tuple(targets.reopen(tournament)))


@dataclass(frozen=True, slots=True)
class AddMatches:
    """Let a pairing be played in more matches than was said."""

    pairing: str
    matches: int

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        del reason
        targets.require_status(tournament, PLAYED_IN)
        pairing = targets.pairing(tournament, self.pairing)
        seen = targets.seen(targets.latest(pairing))
        targets.require_undecided(pairing)
        targets.require_free(pairing)
        targets.require_all_there(pairing)
        total = _add_matches(pairing, self.matches)
        details = {
            "pairing": targets.label(pairing),
            "matches": total,
            "was_settled": pairing.goes_on is not None,
        }
        notes = [*targets.reopen(tournament, pairing), *targets.later_rounds(pairing)]
        return Done("matches_added", details, tuple(notes), seen)


@dataclass(frozen=True, slots=True)
class Postpone:
    """Freeze or start later than was said."""

    freezes_at: datetime | None = None
    starts_at: datetime | None = None

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        del reason
        targets.require_status(tournament, POSTPONED_IN)
        _postpone(tournament, self.freezes_at, self.starts_at)
        details = {
            name: value.isoformat() if value else None
            for name, value in (("freezes_at", self.freezes_at), ("starts_at", self.starts_at))
        }
        return Done("times_changed", details)


def _add_rounds(tournament: Tournament, more: int) -> int:
    """Return the number of rounds that there are now. Raise Refused."""
    format_ = catalogue.find(tournament.format)
    option = next((each for each in format_.OPTIONS if each.name == ROUNDS), None)
    if option is None:
        raise Refused(
            "rounds_follow",
            _("How many rounds there are follows from this format: it cannot be changed."),
            field="rounds",
        )
    if more < 1:
        raise Refused("wrong_number", _("Add one round or more."), field="rounds")
    total = tournament.format_options.get(ROUNDS, option.default) + more
    tournament.format_options = {**tournament.format_options, ROUNDS: total}
    entrants = tournament.entrants.filter(status=TournamentEntrantStatus.ENTERED).count()
    try:
        setup, rounds = terms.outline(tournament=tournament, entrants=entrants)
    except Unplayable as exc:
        said = _("That is too many. %(why)s")
        raise Refused(exc.code, said % {"why": terms.words(exc)}, field="rounds") from exc
    _require_games(tournament, setup, rounds, field="rounds")
    tournament.save(update_fields=["format_options"])
    return int(total)


def _add_matches(pairing: Pairing, more: int) -> int:
    """Return the number of matches that the pairing has now; they are made in a moment.

    Raise Refused.
    """
    total = pairing.matches_wanted + more
    if more < 1 or total > terms.MOST_MATCHES:
        said = _("Add one match or more: a pairing has at most %(most)d, and this one %(has)d.")
        numbers = {"most": terms.MOST_MATCHES, "has": pairing.matches_wanted}
        raise Refused("wrong_number", said % numbers, field="matches")
    pairing.matches_wanted = total
    pairing.save(update_fields=["matches_wanted"])
    tournament = pairing.round.tournament
    setup = snapshot.setup_of(tournament=tournament)
    entrants = tournament.entrants.filter(seed__isnull=False).count()
    rounds = catalogue.find(tournament.format).outline(setup, entrants)
    _require_games(tournament, setup, rounds, field="matches")
    return total


def _require_games(
    tournament: Tournament, setup: Setup, rounds: Sequence[RoundOutline], *, field: str
) -> None:
    """Refuse more games than a site allows: those of all rounds, and what pairings got besides."""
    usual = tournament.matches_per_pairing
    rows = Pairing.objects.filter(round__tournament=tournament, matches_wanted__gt=usual)
    added = rows.aggregate(matches=Sum(F("matches_wanted") - usual))["matches"] or 0
    games = sum(each.pairings for each in rounds) * setup.games + added * setup.size
    if games > settings.TOURNAMENT_MAX_GAMES:
        said = _("That would be more games than a tournament may have: %(most)d. Add fewer.")
        most = settings.TOURNAMENT_MAX_GAMES
        raise Refused("too_many_games", said % {"most": most}, field=field)


def _postpone(
    tournament: Tournament, freezes_at: datetime | None, starts_at: datetime | None
) -> None:
    """Write the later times. Raise Refused."""
    if freezes_at is None and starts_at is None:
        raise Refused("nothing_changes", _("Say when it is frozen, when it starts, or both."))
    if freezes_at is not None:
        if tournament.status != TournamentStatus.REGISTRATION:
            raise Refused(
                "frozen_already", _("Its versions are frozen already."), field="freezes_at"
            )
        _require_later(freezes_at, tournament.freezes_at, "freezes_at")
        tournament.freezes_at = freezes_at
    if starts_at is not None:
        _require_later(starts_at, tournament.starts_at, "starts_at")
        tournament.starts_at = starts_at
    freezes, starts = tournament.freezes_at, tournament.starts_at
    if freezes is not None and starts is not None and starts < freezes:
        raise Refused(
            "wrong_order",
            _("It cannot start before its versions are frozen: give a later start too."),
            field="starts_at",
        )
    tournament.save(update_fields=["freezes_at", "starts_at"])


def _require_later(wanted: datetime, was: datetime | None, name: str) -> None:
    if wanted <= timezone.now():
        raise Refused("in_the_past", _("This time is past. Give one to come."), field=name)
    if was is not None and wanted <= was:
        said = _("It can only be put off: give a time after %(was)s.")
        shown = timezone.localtime(was).strftime("%Y-%m-%d %H:%M %Z")
        raise Refused("not_later", said % {"was": shown}, field=name)
