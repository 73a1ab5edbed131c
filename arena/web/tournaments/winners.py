"""Who has won a tournament, for those who may see all of it."""

from django.core.cache import cache

from arena.domain.tournaments import snapshot, visibility
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament, TournamentEntrant, TournamentStatus, Viewer

PLAYED = (TournamentStatus.COMPLETED, TournamentStatus.RELEASED)
KEPT_S = 24 * 3600


def of(picture: TournamentSnapshot) -> TournamentEntrant | None:
    """Return who is first of one that is played to its end, in a picture of all its rounds.

    None where it is not, or no game of it counts.
    """
    is_played = picture.tournament.status in PLAYED
    first = picture.standings[0] if is_played and picture.standings else None
    return picture.entrants[first.entrant] if first and first.games else None


def as_seen(*, tournament: Tournament, viewer: Viewer) -> TournamentEntrant | None:
    """Return the winner, to those who see all rounds; what was worked out once is kept for a while.

    It stands until something in the tournament is changed, which its revision counts.
    """
    if tournament.status not in PLAYED:
        return None
    seen = visibility.rounds_seen(tournament=tournament, viewer=viewer)
    if tournament.rounds.filter(number__gt=seen).exists():
        return None
    key = f"tournament.winner.{tournament.pk}.{tournament.revision}"
    pk: int | None = cache.get(key)
    if pk is None:
        found = of(snapshot.load(tournament=tournament))
        pk = found.pk if found else 0
        cache.set(key, pk, KEPT_S)
    return tournament.entrants.select_related("bot__owner").filter(pk=pk).first()
