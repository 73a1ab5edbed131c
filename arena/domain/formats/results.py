"""The scores of meetings that are not decided by play."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from arena.domain.formats.types import Decision, DecisionNote, PairingState, Score, Setup


def all_won(setup: Setup) -> Score:
    """Return the score of a bye: every game of a pairing is won."""
    return Score(wins=setup.games)


def bye(setup: Setup, meeting: PairingState) -> PairingState:
    """Close a meeting of one entrant."""
    return replace(meeting, decision=Decision.BYE, scores=(all_won(setup),))


def walk_over(setup: Setup, meeting: PairingState, present: Collection[int]) -> PairingState:
    """Close a meeting of which some have left: those who are `present` win, the others forfeit.

    It is void if nobody is, and stays open if everybody is.
    """
    here = [entrant in present for entrant in meeting.entrants]
    if all(here):
        return meeting
    if not any(here):
        return replace(meeting, decision=Decision.VOID, scores=())
    forfeited = Score(losses=setup.games, forfeits=setup.games)
    scores = tuple(all_won(setup) if is_here else forfeited for is_here in here)
    return replace(meeting, decision=Decision.WALKOVER, scores=scores)


def awarded(setup: Setup, entrants: Sequence[int], position: int | None) -> tuple[Score, ...]:
    """Return the scores if an organizer gives all games to one position, or draws to all for None.

    The others have lost without a forfeit.
    """
    if position is None:
        return tuple(Score(draws=setup.games) for _ in entrants)
    lost = Score(losses=setup.games)
    return tuple(all_won(setup) if at == position else lost for at in range(len(entrants)))


def settled(
    meetings: Iterable[PairingState], notes: Iterable[DecisionNote]
) -> tuple[PairingState, ...]:
    """Return the meetings with the winners that notes name."""
    winners = {note.meeting: note.details["entrant"] for note in notes if note.meeting}
    return tuple(
        replace(meeting, winner=winners.get((meeting.round, meeting.number), meeting.winner))
        for meeting in meetings
    )
