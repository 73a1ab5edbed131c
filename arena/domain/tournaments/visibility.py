"""Who sees what of a tournament: round by round, and everywhere the same.

A round that is hidden is seen by organizers and staff alone: not by the owners of the bots that
play in it, not by those who know the address of one of its matches. No round is seen by more than
those before it. What a viewer may not see is left out by `visible_to` of the query sets of matches,
games, rounds and tournaments.
"""

from arena.domain.accounts import permissions
from arena.models import Match, Release, Tournament, Viewer

BREADTH = (Release.HIDDEN, Release.ENTRANTS, Release.PUBLIC)  # each is seen by more


def rounds_seen(*, tournament: Tournament, viewer: Viewer) -> int:
    """Return how many rounds, from the first on, the viewer may see."""
    rounds = tournament.rounds.order_by("number").values_list("pk", "release")
    if permissions.may_organize(viewer, tournament):
        return len(rounds)
    shown = set(tournament.rounds.restricted_but_visible_to(viewer))
    seen = 0
    for pk, release in rounds:
        if release != Release.PUBLIC and pk not in shown:
            break
        seen += 1
    return seen


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
        Match.objects.of_tournament(tournament).update(release=Release.PUBLIC)


def narrower(one: Release, other: Release) -> Release:
    """Return what fewer see."""
    return min(one, other, key=BREADTH.index)
