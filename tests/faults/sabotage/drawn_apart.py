"""A round is drawn without the lock, in several transactions, and slowly."""

import time

from arena.domain.formats.types import PairingState
from arena.domain.tournaments.rounds import directing, drawing
from arena.models import Pairing, Tournament, TournamentRound, TournamentStatus
from tests.faults.hasty import app

__all__ = ["app"]

PAUSE_S = 1.5  # before each pairing

_pairing = drawing._pairing


def _slowly(tournament: Tournament, row: TournamentRound, meeting: PairingState) -> Pairing:
    time.sleep(PAUSE_S)
    return _pairing(tournament, row, meeting)


def _in_pieces(tournament_pk: int) -> bool:
    tournament = Tournament.objects.select_related("ladder").get(pk=tournament_pk)
    return tournament.status == TournamentStatus.RUNNING and directing._play_on(tournament)


drawing._pairing = _slowly
directing._step = _in_pieces
