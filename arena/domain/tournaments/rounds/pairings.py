"""What open pairings need: matches, repeated matches, extra matches, or a decision.

The matches of a pairing are its legs. Callers have locked the tournament and have a current
snapshot of it.
"""

from collections.abc import Sequence

from django.utils.translation import gettext_noop

from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.tournaments import changes, log, messages, stages
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import (
    Match,
    MatchKind,
    MatchStatus,
    Pairing,
    PairingDecision,
    PairingEntrant,
    Tournament,
    TournamentEntrant,
    Version,
)

WITHOUT_RESULT = (MatchStatus.FAILED, MatchStatus.CANCELLED)
ATTEMPTS = 3  # failed matches of one leg, each with its own attempts, before organizers must act


def tend(*, picture: TournamentSnapshot, pairing: Pairing) -> bool:
    """Create or repeat the matches of an open pairing. Return whether anything was changed."""
    tournament, present = picture.tournament, picture.matches.get(pairing.pk, ())
    broken = [match for match in present if match.status in WITHOUT_RESULT]
    if len(present) >= pairing.matches_wanted and not broken:
        return False
    entrants = [picture.entrants[row.entrant_id] for row in _places(pairing)]
    missing = [
        entrant
        for entrant in entrants
        if not admission.is_ready(tournament=tournament, version=entrant.version)
    ]
    versions = [entrant.version for entrant in entrants if entrant.version is not None]
    if missing:
        _walk_over(picture, pairing, missing)
    elif broken:
        _play_again(tournament, pairing, broken, versions)
    else:
        legs = {match.leg for match in present}
        for leg in range(1, pairing.matches_wanted + 1):
            if leg not in legs:
                lifecycle.create_match(
                    ladder=tournament.ladder,
                    versions=versions,
                    purpose=Purpose(MatchKind.TOURNAMENT, pairing=pairing, leg=leg),
                )
    return True


def break_tie(*, picture: TournamentSnapshot, pairing: Pairing) -> bool:
    """Add matches to a level pairing if its format allows no tie. Return whether any were added.

    `tend` creates the matches later.
    """
    meeting = picture.meeting_of(pairing)
    if meeting.decision or not meeting.scores:
        return False
    extra = picture.format.extra_matches(picture.state, meeting)
    if not extra:
        return False
    pairing.matches_wanted += extra
    pairing.save(update_fields=["matches_wanted"])
    changes.bump(tournament=picture.tournament)
    log.write(
        tournament=picture.tournament,
        action="extra_matches",
        round_number=meeting.round,
        entrants=list(meeting.entrants),
        count=extra,
        matches=pairing.matches_wanted,
    )
    return True


def _play_again(
    tournament: Tournament, pairing: Pairing, broken: Sequence[Match], versions: Sequence[Version]
) -> None:
    """Repeat the matches that ended without a result, with new chance.

    Pause the tournament if a leg has failed too often since an organizer resumed the tournament.
    """
    resumed = tournament.log.filter(action="resumed").order_by("-pk").first()
    for match in broken:
        failed = Match.objects.filter(pairing=pairing, leg=match.leg, status=MatchStatus.FAILED)
        if resumed:
            failed = failed.filter(finished_at__gt=resumed.at)
        times = failed.count()
        if times >= ATTEMPTS:
            log.write(
                tournament=tournament,
                action="given_up",
                round_number=pairing.round.number,
                match=str(match),
                pairing=pairing.number,
                times=times,
                why=match.failure,
            )
            # The reason is public, but the round may be hidden: do not name an entrant.
            reason = gettext_noop(
                "A match failed several times because of a fault of the platform."
            )
            stages.pause(tournament=tournament, by=None, reason=reason)
            messages.tell_organizers(
                tournament=tournament,
                slugs=["given_up"],
                match=match,
                times=times,
                why=match.failure,
            )
            return
        again = lifecycle.create_match(
            ladder=match.ladder,
            versions=versions,
            rerun_of=match,
            purpose=Purpose(MatchKind.TOURNAMENT, pairing=match.pairing, leg=match.leg),
        )
        log.write(
            tournament=tournament,
            action="played_again",
            round_number=pairing.round.number,
            match=str(match),
            again=str(again),
            pairing=pairing.number,
            why=match.failure,
        )


def _walk_over(
    picture: TournamentSnapshot, pairing: Pairing, missing: Sequence[TournamentEntrant]
) -> None:
    """Award a walkover to the entrants whose pinned version can still play.

    If two of three can play, both win, and the third is withdrawn from the tournament.
    """
    tournament = picture.tournament
    for match in picture.matches.get(pairing.pk, ()):
        lifecycle.cancel(
            match=match, reason=gettext_noop("One of its versions can no longer play.")
        )
    gone = {entrant.pk for entrant in missing}
    able = [row for row in _places(pairing) if row.entrant_id not in gone]
    pairing.decision = PairingDecision.WALKOVER if able else PairingDecision.VOID
    pairing.award = able[0].position if len(able) == 1 else None
    pairing.save(update_fields=["decision", "award"])
    PairingEntrant.objects.filter(pairing=pairing, entrant__in=gone).update(is_absent=True)
    if len(able) > 1:
        for entrant in missing:
            admission.put_out(entrant=entrant, until_round=pairing.round.number - 1)
    changes.bump(tournament=tournament)
    log.write(
        tournament=tournament,
        action="cannot_play",
        round_number=pairing.round.number,
        entrants=sorted(gone),
        to=able[0].entrant_id if len(able) == 1 else None,
        pairing=pairing.number,
    )
    for entrant in missing:
        messages.tell_organizers(tournament=tournament, slugs=["cannot_play"], bot=entrant.bot)


def _places(pairing: Pairing) -> list[PairingEntrant]:
    return sorted(pairing.entrants.all(), key=lambda row: row.position)
