"""Writing a drawn round: its row, its pairings and the notes that explain it."""

from collections.abc import Iterable

from arena.domain.formats.types import Decision, DecisionNote, Draw
from arena.domain.tournaments import announcements, changes, log, visibility
from arena.models import Pairing, PairingDecision, PairingEntrant, Tournament, TournamentRound


def write(*, tournament: Tournament, draw: Draw, number: int) -> TournamentRound:
    """Write the next round of a locked tournament, with all its pairings.

    The matches of open pairings are created later, by `pairings.tend`.
    """
    row = TournamentRound.objects.create(
        tournament=tournament,
        number=number,
        release=visibility.of_next_round(tournament=tournament),
    )
    pairings = []
    for meeting in draw.meetings:
        winners = [position for position, score in enumerate(meeting.scores) if score.wins]
        pairings.append(
            Pairing(
                round=row,
                number=meeting.number,
                slot=meeting.slot,
                matches_wanted=tournament.matches_per_pairing,
                decision=PairingDecision(meeting.decision) if meeting.decision else "",
                award=winners[0] if meeting.decision and len(winners) == 1 else None,
            )
        )
    Pairing.objects.bulk_create(pairings)
    PairingEntrant.objects.bulk_create(
        PairingEntrant(
            pairing=pairing,
            position=position,
            entrant_id=entrant,
            is_absent=meeting.decision == Decision.WALKOVER and not meeting.scores[position].wins,
        )
        for pairing, meeting in zip(pairings, draw.meetings, strict=True)
        for position, entrant in enumerate(meeting.entrants)
    )
    changes.bump(tournament=tournament)
    decided = sum(bool(meeting.decision) for meeting in draw.meetings)
    log.write(
        tournament=tournament,
        action="round_drawn",
        round_number=number,
        number=number,
        pairings=len(pairings) - decided,
        decided=decided,
    )
    explain(tournament=tournament, notes=draw.notes, number=number)
    announcements.tell_of_round(row=row)
    return row


def explain(*, tournament: Tournament, notes: Iterable[DecisionNote], number: int) -> None:
    """Write the notes of a format about a round, or about pairings of earlier rounds.

    If a note says who advances from a pairing, store that in the pairing. The caller has locked the
    tournament.
    """
    for note in notes:
        round_number = number
        if note.meeting:
            round_number, pairing_number = note.meeting
            pairing = Pairing.objects.get(
                round__tournament=tournament, round__number=round_number, number=pairing_number
            )
            winner = pairing.entrants.get(entrant=note.details["entrant"])
            pairing.advancing_position = winner.position
            pairing.save(update_fields=["advancing_position"])
        log.note(tournament=tournament, note=note, round_number=round_number)
