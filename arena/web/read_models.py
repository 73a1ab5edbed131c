"""Queries for pages beyond `domain.queries`; each list takes a constant number of queries."""

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.db.models import F, Prefetch, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.shortcuts import get_object_or_404

from arena.domain.accounts import permissions
from arena.domain.tournaments.rehearsal import casts
from arena.models import (
    ANYBODY,
    Bot,
    Entrant,
    Ladder,
    Match,
    RatingAdjustment,
    RatingEvent,
    User,
    Version,
    Viewer,
)
from arena.web.ratings.charts import RatingPoint

FORM_LENGTH = 5
CHART_POINTS = 400
HALF = 0.5  # of the points of a match


def form_of(*, ladder: Ladder, versions: Iterable[int]) -> dict[int, list[str]]:
    """Return the latest results of each version on a ladder, oldest first: W, D or L per match."""
    place = Window(RowNumber(), partition_by=F("version"), order_by=F("finish_number").desc())
    events = (
        RatingEvent.objects.filter(ladder=ladder, version__in=list(versions), match__annulment=None)
        .annotate(place=place)
        .filter(place__lte=FORM_LENGTH)
        .order_by("finish_number")
        .values_list("version", "score")
    )
    form: dict[int, list[str]] = {}
    for version, score in events:
        letter = "D" if score == HALF else "W" if score > HALF else "L"
        form.setdefault(version, []).append(letter)
    return form


def history(*, bot: Bot, ladder: Ladder) -> list[RatingPoint]:
    """Return the latest ratings of a bot on a ladder, oldest first.

    Annulled matches are left out; rating changes by annulments and ends of seasons are included.
    """
    events = RatingEvent.objects.filter(
        ladder=ladder, version__in=bot.versions.all(), match__annulment=None
    ).order_by("-finish_number")
    adjusted = RatingAdjustment.objects.filter(ladder=ladder, version__bot=bot)
    adjusted = adjusted.order_by("-finish_number")
    columns = ("finish_number", "after", "version__number")
    latest = [
        *((*row, True) for row in events.values_list(*columns)[:CHART_POINTS]),
        *((*row, False) for row in adjusted.values_list(*columns)[:CHART_POINTS]),
    ]
    return [
        RatingPoint(rating, number, is_match)
        for _place, rating, number, is_match in sorted(latest)[-CHART_POINTS:]
    ]


def bots() -> QuerySet[Bot]:
    """Return all bots except those of rehearsals, with their owners and their ladders."""
    entries = Entrant.objects.filter(active=True).select_related("ladder").order_by("ladder__slug")
    rows = Bot.objects.exclude(owner__username=casts.OWNER).select_related("owner")
    return rows.prefetch_related(Prefetch("entries", queryset=entries))


def find_bot(owner: str, slug: str) -> Bot:
    """Return a bot with its owner and active version. Raise Http404."""
    rows = Bot.objects.select_related("owner", "active_version__bot__owner")
    return get_object_or_404(rows, owner__username=owner, slug=slug)


def find_own_bot(user: User, owner: str, slug: str) -> Bot:
    """Return a bot of the visitor, as `find_bot`. Raise Http404 or PermissionDenied."""
    bot = find_bot(owner, slug)
    if not permissions.may_edit_bot(user, bot):
        raise PermissionDenied
    return bot


def find_version(owner: str, slug: str, number: int) -> Version:
    """Return a version with its bot and owner. Raise Http404."""
    rows = Version.objects.select_related("bot__owner")
    return get_object_or_404(rows, bot__owner__username=owner, bot__slug=slug, number=number)


def matches_of(*, version: Version, viewer: Viewer) -> QuerySet[Match]:
    """Return the matches of one version, newest first."""
    rows = Match.objects.visible_to(viewer).for_display().not_cancelled()
    return rows.filter(entrants__version=version)


def finished_matches(*, limit: int, viewer: Viewer, ladder: Ladder | None = None) -> list[Match]:
    """Return the latest finished matches, of one ladder or of all."""
    rows = Match.objects.visible_to(viewer).for_display().finished()
    if ladder is not None:
        rows = rows.filter(ladder=ladder)
    return list(rows.order_by("-finished_at")[:limit])


def featured_match() -> Match | None:
    """Return the match for the home page: the latest finished one, if possible without a forfeit.

    The match is public, whoever asks.
    """
    public = Match.objects.visible_to(ANYBODY).for_display()
    done = public.finished().order_by("-finished_at")
    clean = done.exclude(~Q(games__fault=""))
    return clean.first() or done.first()
