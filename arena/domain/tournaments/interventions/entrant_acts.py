"""Acts of organizers on entrants: substitute, withdraw, disqualify."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.interventions import reruns, targets
from arena.domain.tournaments.interventions.acts import PLAYED_IN, Done
from arena.models import (
    Match,
    MatchStatus,
    Pairing,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    Version,
)

TAKEN_OUT_IN = (TournamentStatus.FROZEN, *PLAYED_IN)


@dataclass(frozen=True, slots=True)
class Substitute:
    """Let another version of its bot play for an entrant from now on.

    Results stand. Matches that are not over are played from the beginning. Another bot cannot come
    in its place: what was played and written down is this one's.
    """

    entrant: int
    version: int

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        targets.require_status(tournament, targets.PAIRED_IN)
        entrant = targets.entrant(tournament, self.entrant)
        targets.require_there(entrant)
        version = self._version(tournament, entrant)
        was = entrant.version
        pairings = targets.open_pairings(entrant)
        rows = [row for pairing in pairings for row in targets.latest(pairing)]
        again = [row for row in rows if row.status != MatchStatus.FINISHED]
        admission.pin(entrant=entrant, version=version)
        for row in again:
            reruns.play_again(match=row, reason=reason)
        details = {"entrant": entrant.pk, "was": str(was or ""), "version": str(version)}
        return Done("substituted", details, _say_again(again), targets.seen(rows))

    def _version(self, tournament: Tournament, entrant: TournamentEntrant) -> Version:
        rows = Version.objects.select_related("bot__owner", "bot__active_version")
        version = rows.filter(pk=self.version).first()
        if version is None:
            raise Refused(
                "no_such_version",
                _("There is no such version. Name it like this: owner/bot v3."),
                field="version",
            )
        if version.pk == entrant.version_id:
            raise Refused(
                "nothing_changes", _("This version is the one that plays."), field="version"
            )
        if version.bot_id != entrant.bot_id:
            said = _(
                "%(version)s is of another bot, and the results are those of %(bot)s. Name a "
                "version of %(bot)s, or take it out."
            )
            words = {"version": version, "bot": entrant.bot}
            raise Refused("other_bot", said % words, field="version")
        admission.hold_bots(bots=[version.bot_id])
        admission.require_playable(
            tournament=tournament, version=Version.objects.get(pk=version.pk)
        )
        return version


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take an entrant out after the round that is played now; its results stand."""

    entrant: int

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        del reason
        targets.require_status(tournament, targets.PAIRED_IN)
        entrant = targets.entrant(tournament, self.entrant)
        targets.require_there(entrant)
        drawn = admission.drawn_rounds(tournament=tournament)
        admission.put_out(entrant=entrant, until_round=drawn)
        notes = [_("It is not paired any more; whoever should meet it has a walkover.")]
        if targets.open_pairings(entrant):
            notes.append(_("What it has begun in this round is played to its end."))
        return Done("withdrawn", {"entrant": entrant.pk}, tuple(notes))


@dataclass(frozen=True, slots=True)
class Disqualify:
    """Take an entrant out at once: what it has not played is lost, and what it has stands."""

    entrant: int

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        targets.require_status(tournament, TAKEN_OUT_IN)
        entrant = targets.entrant(tournament, self.entrant)
        if entrant.status == TournamentEntrantStatus.DISQUALIFIED:
            raise Refused("nothing_changes", _("It is disqualified already."), field="entrant")
        if entrant.status != TournamentEntrantStatus.WITHDRAWN:
            targets.require_there(entrant)
        pairings = targets.open_pairings(entrant)
        seen = targets.seen(row for each in pairings for row in targets.latest(each))
        entrant.until_round = _last_round(tournament, entrant, pairings)
        entrant.status = TournamentEntrantStatus.DISQUALIFIED
        entrant.save(update_fields=["status", "until_round"])
        ended: list[Match] = []
        for pairing in pairings:
            ended += reruns.end_open(pairing=pairing, reason=reason)
            targets.walk_over(pairing)
        notes = (_("What it has played stands; what it has not is lost."),)
        return Done(
            "disqualified", {"entrant": entrant.pk}, (*notes, *reruns.say_ended(ended)), seen
        )


def _last_round(
    tournament: Tournament, entrant: TournamentEntrant, pairings: Sequence[Pairing]
) -> int:
    """Return the last round in which whoever is put out of pairings was there.

    Of two, the pairing itself says which one was there. Of three, both others were.
    """
    drawn = admission.drawn_rounds(tournament=tournament)
    left = drawn if entrant.until_round is None else entrant.until_round
    threes = [each.round.number for each in pairings if each.entrants.count() > targets.PAIR]
    return min([left, *(number - 1 for number in threes)])


def _say_again(again: list[Match]) -> tuple[str, ...]:
    if not again:
        return ()
    names = ", ".join(str(row) for row in again)
    return (_("Played again from the beginning: %(matches)s.") % {"matches": names},)
