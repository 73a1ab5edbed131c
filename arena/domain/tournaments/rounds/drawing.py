"""A round as it is drawn: its row, its pairings, their matches, and why it is as it is."""

from collections.abc import Iterable

from arena.domain.formats.types import Decision, DecisionNote, Draw, PairingState
from arena.domain.tournaments import changes, log, visibility
from arena.models import (
    Pairing,
    PairingDecision,
    PairingEntrant,
    Tournament,
    TournamentRound,
)


def write(*, tournament: Tournament, draw: Draw, number: int) -> TournamentRound:
    """Write the next round of a tournament that is held, with all of its pairings.

    Matches of what is open are made by whoever tends the pairings.
    """
    row = TournamentRound.objects.create(
        tournament=tournament,
        number=number,
        release=visibility.of_next_round(tournament=tournament),
    )
    pairings = [_pairing(tournament, row, meeting) for meeting in draw.meetings]
    Pairing.objects.bulk_create(pairings)
    PairingEntrant.objects.bulk_create(
        PairingEntrant(
            pairing=pairing,
            position=position,
            entrant_id=entrant,
            is_absent=_is_absent(meeting, position),
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
    return row


def explain(*, tournament: Tournament, notes: Iterable[DecisionNote], number: int) -> None:
    """Write what a format says of its decisions about a round, or of meetings before it.

    Who is said to go on from a meeting is kept with it. The caller holds the tournament.
    """
    for note in notes:
        round_number = number
        if note.meeting:
            round_number = note.meeting[0]
            _keep(tournament, note.meeting, note.details["entrant"])
        log.note(tournament=tournament, note=note, round_number=round_number)


def _keep(tournament: Tournament, meeting: tuple[int, int], winner: int) -> None:
    round_number, number = meeting
    pairing = Pairing.objects.get(
        round__tournament=tournament, round__number=round_number, number=number
    )
    pairing.advancing_position = pairing.entrants.get(entrant=winner).position
    pairing.save(update_fields=["advancing_position"])


def _pairing(tournament: Tournament, row: TournamentRound, meeting: PairingState) -> Pairing:
    return Pairing(
        round=row,
        number=meeting.number,
        slot=meeting.slot,
        matches_wanted=tournament.matches_per_pairing,
        decision=PairingDecision(meeting.decision) if meeting.decision else "",
        award=_award(meeting),
    )


def _is_absent(meeting: PairingState, position: int) -> bool:
    is_walkover = meeting.decision == Decision.WALKOVER
    return is_walkover and not meeting.scores[position].wins


def _award(meeting: PairingState) -> int | None:
    """Return the position of the only one who was there; None where it was played or void."""
    winners = [position for position, score in enumerate(meeting.scores) if score.wins]
    return winners[0] if meeting.decision and len(winners) == 1 else None
