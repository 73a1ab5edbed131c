"""The tournaments and entrants that a viewer sees in lists."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from arena.domain.accounts import permissions
from arena.domain.tournaments import participation, visibility
from arena.models import Tournament, TournamentEntrant, TournamentEntrantStatus, User, Viewer

HAS_A_PART = (
    TournamentEntrantStatus.ENTERED,
    TournamentEntrantStatus.INVITED,
    *TournamentEntrant.GONE,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters of a list of tournaments. An empty filter matches all.

    `variant` may have a version (`classic@1`) or none. `mine` selects tournaments that the viewer
    organizes, or that a bot of the viewer takes part in or is invited to.
    """

    status: str = ""
    variant: str = ""
    format: str = ""
    ladder: str = ""
    mine: bool = False


def tournaments(*, viewer: Viewer, wanted: Wanted | None = None) -> QuerySet[Tournament]:
    """Return the tournaments that match the filters and that the viewer may see, with related rows.

    With filters, the result has no rehearsals. They are listed on the page of their tournament.
    """
    rows = Tournament.objects.visible_to(viewer).prefetch_related("organizers")
    rows = rows.select_related("ladder", "created_by", "rehearsal_of")
    if wanted is None:
        return rows
    rows = rows.filter(rehearsal_of=None)
    if wanted.status:
        rows = rows.filter(status=wanted.status)
    if wanted.format:
        rows = rows.filter(format=wanted.format)
    if wanted.ladder:
        rows = rows.filter(ladder__slug=wanted.ladder)
    if "@" in wanted.variant:
        rows = rows.filter(ladder__variant=wanted.variant)
    elif wanted.variant:
        rows = rows.filter(ladder__variant__startswith=f"{wanted.variant}@")
    return rows.filter(_mine(viewer)) if wanted.mine else rows


def entrants(*, tournament: Tournament, viewer: Viewer) -> list[TournamentEntrant]:
    """Return the entrants that the viewer may see, with bot and version loaded, in seed order.

    Only organizers and the owner see an entrant that was invited, that declined, or that left
    before the freeze. An entrant that left in a round hidden from the viewer is shown as still in,
    except to its owner.
    """
    rows = tournament.entrants.select_related("bot__owner", "version")
    if permissions.may_organize(viewer, tournament):
        return list(rows)
    shown = Q(status=TournamentEntrantStatus.ENTERED) | Q(seed__isnull=False)
    if isinstance(viewer, User):
        shown |= Q(bot__owner=viewer)
    visible = list(rows.filter(shown))
    seen = visibility.rounds_seen(tournament=tournament, viewer=viewer)
    as_stood = participation.as_shown(tournament=tournament, entrants=visible, rounds=seen)
    return [
        row if permissions.may_edit_bot(viewer, row.bot) else stood
        for row, stood in zip(visible, as_stood, strict=True)
    ]


def _mine(viewer: Viewer) -> Q:
    if not isinstance(viewer, User):
        return Q(pk__in=[])
    entered = TournamentEntrant.objects.filter(bot__owner=viewer, status__in=HAS_A_PART)
    organized = viewer.organized_tournaments.values("pk")
    return Q(pk__in=entered.values("tournament")) | Q(pk__in=organized)
