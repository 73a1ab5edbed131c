"""Matches for pages; each list takes a constant number of queries."""

from collections.abc import Collection

from django.db.models import Q

from arena.models import ANYBODY, Game, Ladder, Match, Viewer


def latest_matches(*, versions: Collection[int], limit: int, viewer: Viewer) -> list[Match]:
    """Return the latest matches of some versions, newest first, without cancelled ones."""
    rows = Match.objects.visible_to(viewer).for_display().not_cancelled()
    return rows.latest_of(versions=versions, limit=limit)


def finished_matches(*, limit: int, viewer: Viewer, ladder: Ladder | None = None) -> list[Match]:
    """Return the latest finished matches, of one ladder or of all."""
    rows = Match.objects.visible_to(viewer).for_display().finished()
    if ladder is not None:
        rows = rows.filter(ladder=ladder)
    return list(rows.order_by("-finished_at")[:limit])


def match_on_the_board() -> Match | None:
    """Return the running match for the home page: the oldest one, so that it stays till its end.

    The match is public, whoever asks.
    """
    running = Match.objects.visible_to(ANYBODY).for_display().filter(status=Match.Status.RUNNING)
    return running.filter(games__status=Game.Status.RUNNING).order_by("created_at", "pk").first()


def featured_match() -> Match | None:
    """Return the match that is replayed on the home page while none runs.

    It is the latest finished one, if possible without a forfeit.

    The match is public, whoever asks.
    """
    public = Match.objects.visible_to(ANYBODY).for_display()
    done = public.finished().order_by("-finished_at")
    clean = done.exclude(~Q(games__fault=""))
    return clean.first() or done.first()
