"""Matches of a pairing that are played again, or ended."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.interventions import targets
from arena.models import Match, MatchKind, Pairing, TournamentEntrant, Version


def play_again(*, match: Match, reason: str) -> Match:
    """Queue a match of a pairing again, ending it where it is open; return the new row.

    The same chance decides, and everybody plays the version that is pinned now. Raise Refused.
    """
    pairing = match.pairing
    if pairing is None or match.leg is None:
        raise Refused("no_such_match", _("This match is of no tournament."))
    targets.require_played_to_end(pairing)
    versions = _versions(pairing)
    if match.is_open and not lifecycle.cancel(match=match, reason=reason):
        said = _("%(match)s has ended meanwhile, and its result stands.")
        raise Refused("match_over", said % {"match": match})
    return lifecycle.create_match(
        ladder=match.ladder,
        versions=versions,
        rng_seed=match.rng_seed,
        rerun_of=match,
        purpose=Purpose(MatchKind.TOURNAMENT, pairing=pairing, leg=match.leg),
    )


def end_open(*, pairing: Pairing, reason: str) -> list[Match]:
    """End the matches of a pairing that are not over; return them."""
    return [
        row
        for row in targets.latest(pairing)
        if row.is_open and lifecycle.cancel(match=row, reason=reason)
    ]


def say_ended(ended: Sequence[Match]) -> list[str]:
    """Say that matches are ended; nothing where there are none."""
    if not ended:
        return []
    said = ngettext(
        "%(count)d match that is not over is ended.",
        "%(count)d matches that are not over are ended.",
        len(ended),
    )
    return [said % {"count": len(ended)}]


def _versions(pairing: Pairing) -> list[Version]:
    """Return who plays now, by position. Raise Refused where one of them cannot."""
    rows = pairing.entrants.select_related(
        "entrant__version__bot__owner", "entrant__tournament__ladder"
    )
    entrants = [row.entrant for row in rows.order_by("position")]
    versions: list[Version] = []
    for entrant in entrants:
        if not admission.is_ready(tournament=entrant.tournament, version=entrant.version):
            raise _cannot_play(entrant)
        versions += [entrant.version] if entrant.version else []
    return versions


def _cannot_play(entrant: TournamentEntrant) -> Refused:
    """Return the refusal: nobody takes over for who has left, nor once all is played."""
    if targets.may_be_substituted(entrant):
        said = _("%(version)s cannot play any more. Substitute another version first.")
    else:
        said = _("%(version)s cannot play any more. Award the pairing instead.")
    return Refused("version_not_ready", said % {"version": entrant.version or entrant.bot})
