"""Who sees which rounds of a tournament. All pages and the API follow the same rules.

Only organizers and staff see a hidden round. Owners of its bots do not see it, nor do people who
know the address of one of its matches. A round is never more visible than the rounds before it.
The `visible_to` methods of the QuerySets of matches, games, rounds and tournaments filter the rows.
"""

from collections.abc import Iterable
from itertools import takewhile

from arena.domain.accounts import permissions
from arena.models import Match, Release, Tournament, User, Viewer, entries_of

BREADTH = (Release.HIDDEN, Release.ENTRANTS, Release.PUBLIC)  # from the fewest viewers to the most


def rounds_seen(*, tournament: Tournament, viewer: Viewer) -> int:
    """Return how many rounds, from the first on, the viewer may see."""
    releases = tournament.rounds.order_by("number").values_list("release", flat=True)
    return first_rounds(releases, audience=audience(tournament=tournament, viewer=viewer))


def audience(*, tournament: Tournament, viewer: Viewer) -> Release:
    """Return the narrowest release of a round that the viewer sees: `hidden` shows all rounds."""
    if permissions.may_organize(viewer, tournament):
        return Release.HIDDEN
    if not isinstance(viewer, User) or not viewer.is_active or tournament.rehearsal_of_id:
        return Release.PUBLIC
    has_entered = entries_of(viewer).filter(tournament=tournament).exists()
    return Release.ENTRANTS if has_entered else Release.PUBLIC


def first_rounds(releases: Iterable[str], *, audience: Release) -> int:
    """Return how many rounds, from the first on, an audience sees."""
    seen = BREADTH[BREADTH.index(audience) :]
    return len(list(takewhile(lambda release: release in seen, releases)))


def of_next_round(*, tournament: Tournament) -> Release:
    """Return who sees the next round.

    That is the release of the tournament or of the last round, whichever is narrower.
    """
    if tournament.rehearsal_of_id is not None:
        return Release.HIDDEN
    last = tournament.rounds.order_by("-number").values_list("release", flat=True).first()
    return narrower(Release(tournament.release), Release(last) if last else Release.PUBLIC)


def publish(*, tournament: Tournament) -> None:
    """Make all rounds public, except those of a rehearsal. The caller has locked the tournament."""
    if tournament.rehearsal_of_id is None:
        tournament.rounds.update(release=Release.PUBLIC)
        Match.objects.of_tournament(tournament).update(release=Release.PUBLIC)


def narrower(one: Release, other: Release) -> Release:
    """Return the release that fewer people see."""
    return min(one, other, key=BREADTH.index)
