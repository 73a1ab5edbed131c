"""What pages read beyond `domain.queries`, in one query however long the list is."""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import F, Model, Prefetch, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.http import Http404

from arena.domain.queries import visible_rows
from arena.domain.tournaments.rehearsal import casts
from arena.domain.tournaments.visibility import Viewer
from arena.models import (
    Bot,
    Entrant,
    Ladder,
    Match,
    RatingAdjustment,
    RatingEvent,
    User,
    Version,
)
from arena.web.ratings.charts import RatingPoint

M = TypeVar("M", bound=Model)

FORM_LENGTH = 5
CHART_POINTS = 400


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
        form.setdefault(version, []).append(_letter(score))
    return form


def history(*, bot: Bot, ladder: Ladder) -> list[RatingPoint]:
    """Return the latest ratings of a bot on a ladder, oldest first.

    Annulled matches are no points of it; what an annulment or a season's end did to the number is.
    """
    events = visible_rows.rating_events(bot=bot, ladder=ladder).filter(match__annulment=None)
    adjusted = RatingAdjustment.objects.filter(ladder=ladder, version__bot=bot)
    columns = ("finish_number", "after", "version__number")
    latest = [
        *((*row, True) for row in _newest(events).values_list(*columns)[:CHART_POINTS]),
        *((*row, False) for row in _newest(adjusted).values_list(*columns)[:CHART_POINTS]),
    ]
    return [
        RatingPoint(rating, number, is_match)
        for _place, rating, number, is_match in sorted(latest)[-CHART_POINTS:]
    ]


def bots() -> QuerySet[Bot]:
    """Return all bots, but those of rehearsals, with their owners and the ladders they stand on."""
    entries = Entrant.objects.filter(active=True).select_related("ladder").order_by("ladder__slug")
    rows = Bot.objects.exclude(owner__username=casts.OWNER).select_related("owner")
    return rows.prefetch_related(Prefetch("entries", queryset=entries))


def bots_of(*, owner: User) -> QuerySet[Bot]:
    """Return a user's bots in the same shape."""
    return bots().filter(owner=owner)


def matches_of(*, version: Version, viewer: Viewer) -> QuerySet[Match]:
    """Return the matches that one version was in, newest first."""
    return visible_rows.recent_matches(viewer=viewer).filter(entrants__version=version)


def finished_matches(*, limit: int, viewer: Viewer, ladder: Ladder | None = None) -> list[Match]:
    """Return the latest results, of one ladder or of all."""
    rows = visible_rows.recent_matches(viewer=viewer, ladder=ladder).filter(
        status=Match.Status.FINISHED
    )
    return list(rows.order_by("-finished_at")[:limit])


def page_of_matches(
    *, rows: QuerySet[Match], before: str, size: int, viewer: Viewer
) -> tuple[list[Match], str]:
    """Return the matches older than one, and the id to go on from, or an empty text at the end.

    Stable while new matches come in: the page is counted from a match, not from the top.
    """
    if before:
        if not before.isprintable():  # no id; a NUL in it would be too much for PostgreSQL
            raise Http404
        marks = visible_rows.bare_matches(viewer=viewer).filter(public_id=before)
        mark = marks.values("created_at", "pk").first()
        if mark is None:
            raise Http404
        older = Q(created_at__lt=mark["created_at"])
        rows = rows.filter(older | Q(created_at=mark["created_at"], pk__lt=mark["pk"]))
    page = list(rows[: size + 1])
    more = page[size - 1].public_id if len(page) > size else ""
    return page[:size], more


def _newest(rows: QuerySet[M]) -> QuerySet[M]:
    return rows.order_by("-finish_number")


def _letter(score: float) -> str:
    if score == 0.5:  # noqa: PLR2004 - half the points of the match
        return "D"
    return "W" if score > 0.5 else "L"  # noqa: PLR2004 - half the points of the match
