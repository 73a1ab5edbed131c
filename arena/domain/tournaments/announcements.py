"""Deliveries to the webhooks of organizers and of owners of entrants.

Everybody may know the status of a tournament. Of a round they are told when they can see it.
"""

from django.db.models import Q

from arena.domain.tournaments.visibility import BREADTH
from arena.domain.webhooks import outbox
from arena.models import (
    Release,
    Tournament,
    TournamentEntrantStatus,
    TournamentRound,
    WebhookEvent,
)


def tell_of_status(*, tournament: Tournament, event: WebhookEvent) -> None:
    """Write deliveries of a new status of a locked tournament. Nobody hears of a rehearsal."""
    if tournament.rehearsal_of_id is None:
        outbox.write(
            event=event,
            subject=str(tournament.pk),
            key=f"{event}:{tournament.pk}:{tournament.revision}",
            users=_organizers(tournament) | _owners(tournament),
        )


def tell_of_round(*, row: TournamentRound, before: Release = Release.HIDDEN) -> None:
    """Write deliveries of a round that more people can see than before, to those who now can.

    Organizers see every round, and hear of each change. The caller has locked the tournament.
    """
    tournament, now = row.tournament, Release(row.release)
    was, now_is, entrants = map(BREADTH.index, (before, now, Release.ENTRANTS))
    if now_is <= was or tournament.rehearsal_of_id is not None:
        return
    users = _organizers(tournament)
    if was < entrants <= now_is:
        users |= _owners(tournament)
    event = WebhookEvent.ROUND_RELEASED
    key = f"{event}:{row.pk}:{tournament.revision}"
    outbox.write(event=event, subject=str(row.pk), key=key, users=users)


def tell_of_release(*, tournament: Tournament) -> None:
    """Write deliveries of the rounds of a locked tournament that are about to become public."""
    for row in tournament.rounds.exclude(release=Release.PUBLIC).order_by("number"):
        before, row.release = Release(row.release), Release.PUBLIC
        tell_of_round(row=row, before=before)


def _organizers(tournament: Tournament) -> Q:
    return Q(user__in=tournament.organizers.values("pk"))


def _owners(tournament: Tournament) -> Q:
    """Return the condition of those who see what is shown to entrants (`entries_of`)."""
    shown = Q(status=TournamentEntrantStatus.ENTERED) | Q(pairings__isnull=False)
    return Q(user__in=tournament.entrants.filter(shown).values("bot__owner"))
