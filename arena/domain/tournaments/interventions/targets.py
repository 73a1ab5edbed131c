"""Finding what an intervention acts on, and the rules that all interventions share.

Callers have locked the tournament. The functions raise Refused with an alternative.
"""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.formats.types import PAIR
from arena.domain.tournaments import changes, scores
from arena.models import (
    Match,
    Pairing,
    PairingDecision,
    PairingEntrant,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentRound,
    TournamentStatus,
)


def match(tournament: Tournament, public_id: str) -> tuple[Match, Pairing]:
    """Return a match that was not played again, locked, and its pairing with the round."""
    rows = _held_matches()
    row = rows.filter(pairing__round__tournament=tournament, public_id=public_id.strip()).first()
    if row is None or row.pairing is None:
        text = _(
            "There is no match %(id)s in this tournament. The pages of its rounds show the ids."
        )
        raise Refused("no_such_match", text % {"id": public_id}, field="match")
    if again := row.reruns.first():
        text = _("%(match)s was played again: name %(again)s instead.")
        raise Refused("match_rerun", text % {"match": row, "again": again}, field="match")
    return row, row.pairing


def pairing(tournament: Tournament, public_id: str) -> Pairing:
    """Return a pairing of the tournament."""
    row = find_pairing(tournament, public_id)
    if row is None:
        text = _("There is no pairing %(id)s in this tournament. The console has a list of them.")
        raise Refused("no_such_pairing", text % {"id": public_id}, field="pairing")
    return row


def find_match(tournament: Tournament, public_id: str) -> Match | None:
    """Return a match with its pairing and the round, not locked, or None."""
    if not public_id.isprintable():  # PostgreSQL refuses a NUL
        return None
    rows = Match.objects.select_related("pairing__round")
    return rows.filter(pairing__round__tournament=tournament, public_id=public_id.strip()).first()


def find_pairing(tournament: Tournament, public_id: str) -> Pairing | None:
    """Return a pairing of the tournament with its round, or None."""
    if not public_id.isprintable():  # PostgreSQL refuses a NUL
        return None
    rows = Pairing.objects.select_related("round").filter(round__tournament=tournament)
    return rows.filter(public_id=public_id.strip()).first()


def names(pairing: Pairing | None) -> str:
    """Return the names of the bots that meet in a pairing."""
    rows = PairingEntrant.objects.filter(pairing=pairing).select_related("entrant__bot")
    return " \N{EN DASH} ".join(row.entrant.bot.name for row in rows.order_by("position"))


def label(pairing: Pairing) -> str:
    """Return the number of a pairing: its round and its number in the round."""
    return f"{pairing.round.number}.{pairing.number}"


def latest(pairing: Pairing) -> list[Match]:
    """Return the latest match of each leg of a pairing, locked.

    Matches that were played again are left out.
    """
    rows = _held_matches().filter(pairing=pairing, reruns=None).order_by("pk")
    return sorted(rows, key=lambda row: row.leg or 0)


def entrant(tournament: Tournament, pk: int) -> TournamentEntrant:
    """Return an entrant of the tournament."""
    rows = tournament.entrants.select_related("bot__owner", "version__bot__owner", "tournament")
    row = rows.filter(pk=pk).first()
    if row is None:
        text = _("This entrant is not in the tournament.")
        raise Refused("no_such_entrant", text, field="entrant")
    return row


def require_there(entrant: TournamentEntrant) -> None:
    """Raise Refused if the entrant has left or was never in."""
    if entrant.has_left:
        text = _("%(bot)s has left this tournament. This cannot be undone.")
        raise Refused("has_left", text % {"bot": entrant.bot}, field="entrant")
    if entrant.status != TournamentEntrantStatus.ENTERED:
        text = _("%(bot)s is not in: it is %(status)s.")
        words = {"bot": entrant.bot, "status": entrant.get_status_display()}
        raise Refused("not_in", text % words, field="entrant")


def may_be_substituted(entrant: TournamentEntrant) -> bool:
    """Return whether another version may play for the entrant from now on."""
    is_in = entrant.status == TournamentEntrantStatus.ENTERED
    return is_in and entrant.tournament.status in changes.UNDER_WAY


def require_all_there(pairing: Pairing) -> None:
    """Raise Refused if an entrant of the pairing has left, because it cannot play more matches."""
    for row in pairing.entrants.select_related("entrant__bot__owner"):
        if row.entrant.has_left:
            raise _has_left(row.entrant)


def require_played_to_end(pairing: Pairing) -> None:
    """Raise Refused if an entrant does not play the pairing to its end.

    An entrant that withdrew in this round or later still does.
    """
    for row in pairing.entrants.select_related("entrant__bot__owner"):
        if not _plays(row.entrant, pairing):
            raise _has_left(row.entrant)


def require_awardable(entrant: TournamentEntrant, pairing: Pairing) -> None:
    """Raise Refused if the entrant had left before the round. It may have withdrawn since."""
    if not _plays(entrant, pairing):
        text = _("%(bot)s has left this tournament. Award the pairing to another entrant.")
        raise Refused("has_left", text % {"bot": entrant.bot}, field="to")


def require_undecided(pairing: Pairing) -> None:
    """Raise Refused if a decision, not matches, gives the result of the pairing."""
    texts = {
        PairingDecision.BYE: _("This is a bye: there is nobody to play."),
        PairingDecision.WALKOVER: _("This pairing is a walkover: somebody in it has left."),
        PairingDecision.AWARD: _(
            "This pairing was awarded. Play one of its matches again to lift the award, or "
            "award it to somebody else."
        ),
        PairingDecision.VOID: _("This pairing is void and counts for nobody."),
    }
    if pairing.decision:
        decision = PairingDecision(pairing.decision)
        raise Refused(f"pairing_{decision}", texts[decision])


def require_free(pairing: Pairing) -> None:
    """Raise Refused if rounds of a bracket were drawn from the result of the pairing.

    A pairing of a bracket is fixed once one of its entrants is in a later pairing. If an entrant
    may be missing there, any later pairing of the bracket fixes it. A pairing of a group is fixed
    once there is a bracket.
    """
    later = Pairing.objects.filter(
        round__tournament=pairing.round.tournament_id, round__number__gt=pairing.round.number
    ).exclude(slot="")
    if pairing.slot and not _may_be_missing(pairing):
        own = pairing.entrants.values("entrant")
        later = later.filter(entrants__entrant__in=own)
    drawn = later.order_by("round__number").values_list("round__number", flat=True).first()
    if drawn is not None:
        text = _(
            "Round %(number)d was drawn from this result and cannot be changed. Correct the "
            "pairings of round %(number)d instead: award them or play their matches again."
        )
        raise Refused("drawn_from", text % {"number": drawn})


def later_rounds(pairing: Pairing) -> list[str]:
    """Return a note that later rounds stay as they are, or nothing if there are no later rounds."""
    later = TournamentRound.objects.filter(
        tournament=pairing.round.tournament_id, number__gt=pairing.round.number
    )
    if not later.exists():
        return []
    return [_("Later rounds that are already drawn stay as they are. The standings change.")]


def open_pairings(entrant: TournamentEntrant) -> list[Pairing]:
    """Return the entrant's pairings without a decision and with matches left to play."""
    rows = Pairing.objects.select_related("round").filter(entrants__entrant=entrant, decision="")
    return [
        row
        for row in rows.order_by("round__number", "number")
        if not scores.are_played(matches=latest(row), wanted=row.matches_wanted)
    ]


def walk_over(pairing: Pairing) -> None:
    """Award a walkover to the entrants who play the pairing to its end, or void it if none do."""
    rows = PairingEntrant.objects.filter(pairing=pairing)
    present = [
        row.position for row in rows.select_related("entrant") if _plays(row.entrant, pairing)
    ]
    Pairing.objects.filter(pk=pairing.pk).update(
        decision=PairingDecision.WALKOVER if present else PairingDecision.VOID,
        award=present[0] if len(present) == 1 else None,
    )
    rows.exclude(position__in=present).update(is_absent=True)


def reopen(tournament: Tournament, pairing: Pairing | None = None) -> list[str]:
    """Open a finished round and a completed tournament again. Return notes on it."""
    if pairing is not None:
        TournamentRound.objects.filter(pk=pairing.round_id).update(finished_at=None)
        forget_winner(pairing)
    if tournament.status != TournamentStatus.COMPLETED:
        return []
    tournament.status = TournamentStatus.RUNNING
    tournament.completed_at = None
    tournament.save(update_fields=["status", "completed_at"])
    return [_("The tournament was completed. It now continues.")]


def forget_winner(pairing: Pairing) -> None:
    """Forget who advances from a level pairing of a bracket, so that it is decided again."""
    Pairing.objects.filter(pk=pairing.pk).update(advancing_position=None)


def seen(rows: Iterable[Match]) -> str:
    """Return a text that identifies matches, their status and which of them are over."""
    return ",".join(
        sorted(f"{row.public_id}{'' if row.is_open else '.'}{row.status[:2]}" for row in rows)
    )


def _may_be_missing(pairing: Pairing) -> bool:
    """Return whether the bracket may have been drawn without the winner of this pairing.

    That can happen if more than two entrants meet and one of them has left: the others play on.
    """
    size = pairing.round.tournament.ladder.entrants_per_match
    return (
        size > PAIR and pairing.entrants.filter(entrant__status__in=TournamentEntrant.GONE).exists()
    )


def _has_left(entrant: TournamentEntrant) -> Refused:
    text = _("%(bot)s has left and cannot play. Award the pairing instead.")
    return Refused("has_left", text % {"bot": entrant.bot})


def _plays(entrant: TournamentEntrant, pairing: Pairing) -> bool:
    """Return whether an entrant plays a pairing to its end.

    An entrant that withdraws still plays the pairings that were already drawn.
    """
    if not entrant.has_left:
        return True
    until = entrant.until_round or 0
    return entrant.status == TournamentEntrantStatus.WITHDRAWN and until >= pairing.round.number


def _held_matches() -> QuerySet[Match]:
    """Return a query that locks matches, so that no result is written between check and change.

    Lock the tournament first, then the matches of each pairing in the order of their rows. Writing
    a result does not lock the tournament.
    """
    rows = Match.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("ladder", "pairing__round")
