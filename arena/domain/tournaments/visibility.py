"""Who sees what of a tournament: round by round, and everywhere the same.

A round that is hidden is seen by organizers and staff alone: not by the owners of the bots that
play in it, not by those who know the address of one of its matches. No round is seen by more than
those before it. Every list of matches that somebody reads goes through `visible`.
"""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from arena.models import (
    Game,
    Match,
    Release,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentLogEntry,
    TournamentRound,
    TournamentStatus,
    User,
)

Viewer = User | AnonymousUser | None  # None is the public
ANYBODY: Viewer = None

BREADTH = (Release.HIDDEN, Release.ENTRANTS, Release.PUBLIC)  # each is seen by more


def visible(*, rows: QuerySet[Match], viewer: Viewer) -> QuerySet[Match]:
    """Return those of the matches that the viewer may see, in the order that they have.

    One column answers it for nearly everybody: only who is shown rounds that are not public has
    those looked up, which are few.
    """
    return rows if _is_staff(viewer) else rows.filter(_shown(viewer))


def visible_games(*, rows: QuerySet[Game], viewer: Viewer) -> QuerySet[Game]:
    """Return those of the games whose matches the viewer may see."""
    return rows if _is_staff(viewer) else rows.filter(_shown(viewer, "match__"))


def rounds_seen(*, tournament: Tournament, viewer: Viewer) -> int:
    """Return how many rounds, from the first on, the viewer may see."""
    rounds = tournament.rounds.order_by("number").values_list("pk", "release")
    if sees_all(tournament=tournament, viewer=viewer):
        return len(rounds)
    shown = set(_rounds_shown_to(viewer))
    seen = 0
    for pk, release in rounds:
        if release != Release.PUBLIC and pk not in shown:
            break
        seen += 1
    return seen


def seen_rounds(*, viewer: Viewer) -> QuerySet[TournamentRound]:
    """Return the rounds of all tournaments that the viewer may see."""
    rows = TournamentRound.objects.all()
    if _is_staff(viewer):
        return rows
    return rows.filter(Q(release=Release.PUBLIC) | Q(pk__in=_rounds_shown_to(viewer)))


def sees_all(*, tournament: Tournament, viewer: Viewer) -> bool:
    """Return whether the viewer sees all of a tournament: an organizer of it, or staff."""
    if not isinstance(viewer, User) or not viewer.is_active:
        return False
    return viewer.is_staff or tournament.organizers.filter(pk=viewer.pk).exists()


def listed(*, viewer: Viewer) -> QuerySet[Tournament]:
    """Return the tournaments that the viewer may know of, newest first.

    Drafts, those that were cancelled as drafts, and rehearsals are for their organizers and staff.
    """
    rows = Tournament.objects.all()
    if _is_staff(viewer):
        return rows
    opened = TournamentLogEntry.objects.filter(action="opened").values("tournament")
    ended_as_draft = Q(status=TournamentStatus.CANCELLED) & ~Q(pk__in=opened)
    known = ~Q(status=TournamentStatus.DRAFT) & ~ended_as_draft & Q(rehearsal_of__isnull=True)
    if isinstance(viewer, User) and viewer.is_active:
        own = Tournament.organizers.through.objects.filter(user=viewer)
        known |= Q(pk__in=own.values("tournament"))
    return rows.filter(known)


def of_next_round(*, tournament: Tournament) -> Release:
    """Return who sees a round that is drawn now: those whom the tournament says, of the last's."""
    if tournament.rehearsal_of_id is not None:
        return Release.HIDDEN
    last = tournament.rounds.order_by("-number").values_list("release", flat=True).first()
    return narrower(Release(tournament.release), Release(last) if last else Release.PUBLIC)


def publish(*, tournament: Tournament) -> None:
    """Show all rounds to everybody; a rehearsal stays hidden. The caller holds the tournament."""
    if tournament.rehearsal_of_id is None:
        tournament.rounds.update(release=Release.PUBLIC)
        Match.objects.filter(pairing__round__tournament=tournament).update(release=Release.PUBLIC)


def narrower(one: Release, other: Release) -> Release:
    """Return what fewer see."""
    return min(one, other, key=BREADTH.index)


def _is_staff(viewer: Viewer) -> bool:
    return isinstance(viewer, User) and viewer.is_active and viewer.is_staff


def _shown(viewer: Viewer, to_match: str = "") -> Q:
    public = Q(**{f"{to_match}release": Release.PUBLIC})
    rounds = _rounds_shown_to(viewer)
    return public | Q(**{f"{to_match}pairing__round__in": rounds}) if rounds else public


def _rounds_shown_to(viewer: Viewer) -> list[int]:
    """Return the rounds that are not public and that the viewer may see for what they are there.

    Owners see them of bots that are in the tournament, or were paired in it. Who came late and left
    again before that has seen what there was to see: nobody looks in by coming and going.
    """
    if not isinstance(viewer, User) or not viewer.is_active:
        return []
    organized = Tournament.organizers.through.objects.filter(user=viewer).values("tournament")
    entered = TournamentEntrant.objects.filter(
        Q(status=TournamentEntrantStatus.ENTERED) | Q(pairings__isnull=False), bot__owner=viewer
    ).values("tournament")
    rounds = TournamentRound.objects.exclude(release=Release.PUBLIC).filter(
        Q(tournament__in=organized)
        | Q(release=Release.ENTRANTS, tournament__rehearsal_of=None, tournament__in=entered)
    )
    return list(rounds.order_by().values_list("pk", flat=True))
