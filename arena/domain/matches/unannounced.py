"""Unannounced matches: rated ones that no runner has begun, shown without their bots.

An owner who knew the next opponent could avoid it. So `Match.objects.visible_to` leaves these
matches out of every page and answer. What everybody may know of them is shown from these rows only:
the ladder, the state, the times and the commitment to the secret. They have no entrants, no games,
no secret, and no text that could name a bot.

Ask for the unannounced matches before the visible ones. A match that is announced by then is in the
second answer, so none is missing from both.
"""

from collections.abc import Collection, Sequence

from django.db.models import Prefetch

from arena.domain.accounts import permissions
from arena.models import Game, Match, MatchEntrant, MatchQuerySet, RatingEvent, Viewer


def find(*, public_id: str, viewer: Viewer) -> Match | None:
    """Return the match with this id, or None if it is announced or the viewer may see it."""
    matches = _blank(Match.objects.unannounced().filter(public_id=public_id), viewer)
    return matches[0] if matches else None


def among(*, pks: Collection[int], viewer: Viewer) -> Sequence[Match]:
    """Return those of the matches that are unannounced, none if the viewer may see them."""
    return _blank(Match.objects.unannounced().filter(pk__in=pks), viewer) if pks else []


def _blank(rows: MatchQuerySet, viewer: Viewer) -> Sequence[Match]:
    if permissions.may_see_unannounced_matches(viewer):
        return []
    rows = rows.select_related("ladder").prefetch_related(
        Prefetch("entrants", queryset=MatchEntrant.objects.none()),
        Prefetch("games", queryset=Game.objects.none()),
        Prefetch("rating_events", queryset=RatingEvent.objects.none()),
    )
    matches = list(rows)
    for row in matches:
        row.commitment = row.commitment  # worked out from the secret while it is there
        row.secret, row.waiting_reason, row.failure = "", "", ""
        row.rerun_of = row.requested_by = None
    return matches
