"""Which tournaments, entrants and places of them somebody gets to see in lists."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from arena.domain.accounts import permissions
from arena.domain.tournaments import presence, visibility
from arena.models import Tournament, TournamentEntrant, TournamentEntrantStatus, User, Viewer

HAS_A_PART = (
    TournamentEntrantStatus.ENTERED,
    TournamentEntrantStatus.WITHDRAWN,
    TournamentEntrantStatus.DISQUALIFIED,
    TournamentEntrantStatus.INVITED,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of a tournament; empty asks for nothing. `variant` is with or without `@1`.

    `mine` asks for those that the viewer organizes, or that his or her bots are in or invited to.
    """

    status: str = ""
    variant: str = ""
    format: str = ""
    ladder: str = ""
    mine: bool = False


def tournaments(*, viewer: Viewer, wanted: Wanted | None = None) -> QuerySet[Tournament]:
    """Return the tournaments that the viewer may know of, as wanted, with what is shown of them.

    Rehearsals are found by name, and on their tournament.
    """
    rows = Tournament.objects.visible_to(viewer).prefetch_related("organizers")
    rows = rows.select_related("ladder", "created_by", "rehearsal_of")
    if wanted is None:
        return rows
    rows = rows.filter(rehearsal_of=None)
    for name in ("status", "format"):
        if value := getattr(wanted, name):
            rows = rows.filter(**{name: value})
    if wanted.ladder:
        rows = rows.filter(ladder__slug=wanted.ladder)
    if wanted.variant:
        slug, at, _version = wanted.variant.partition("@")
        exact, any_version = (
            {"ladder__variant": wanted.variant},
            {"ladder__variant__startswith": f"{slug}@"},
        )
        rows = rows.filter(**(exact if at else any_version))
    return rows.filter(_mine(viewer)) if wanted.mine else rows


def entrants(*, tournament: Tournament, viewer: Viewer) -> list[TournamentEntrant]:
    """Return the entrants that the viewer sees, as they are seeded, bot and version loaded.

    Who was invited, said no, or left before the freeze is between owners and organizers. Who left
    in a round that the viewer does not see is in it; only of his or her own the viewer knows.
    """
    rows = tournament.entrants.select_related("bot__owner", "version")
    if permissions.may_organize(viewer, tournament):
        return list(rows)
    shown = Q(status=TournamentEntrantStatus.ENTERED) | Q(seed__isnull=False)
    if isinstance(viewer, User):
        shown |= Q(bot__owner=viewer)
    found = list(rows.filter(shown))
    seen = visibility.rounds_seen(tournament=tournament, viewer=viewer)
    told = presence.as_shown(tournament=tournament, entrants=found, rounds=seen)
    return [
        row if permissions.may_edit_bot(viewer, row.bot) else stood
        for row, stood in zip(found, told, strict=True)
    ]


def _mine(viewer: Viewer) -> Q:
    if not isinstance(viewer, User):
        return Q(pk__in=[])
    entered = TournamentEntrant.objects.filter(bot__owner=viewer, status__in=HAS_A_PART)
    organized = viewer.organized_tournaments.values("pk")
    return Q(pk__in=entered.values("tournament")) | Q(pk__in=organized)
