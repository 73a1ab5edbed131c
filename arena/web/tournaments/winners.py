"""The winner of a tournament, for those who may see all of it."""

from django.core.cache import cache

from arena.domain.tournaments import snapshot, visibility
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament, TournamentEntrant, TournamentStatus, Viewer

PLAYED = (TournamentStatus.COMPLETED, TournamentStatus.RELEASED)
KEPT_S = 24 * 3600


def of(picture: TournamentSnapshot) -> TournamentEntrant | None:
    """Return the winner, from a snapshot with all rounds.

    Return None if the tournament is not played to its end, or if no game of the first counts.
    """
    is_played = picture.tournament.status in PLAYED
    first = picture.standings[0] if is_played and picture.standings else None
    return picture.entrants[first.entrant] if first and first.games else None


def as_seen(*, tournament: Tournament, viewer: Viewer) -> TournamentEntrant | None:
    """Return the winner if the viewer may see all rounds.

    The result is cached for a while, until a change of the tournament increases its revision.
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
