"""Queries for pages beyond `domain.queries`; each list takes a constant number of queries."""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import F, Model, Prefetch, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.http import Http404

from arena.domain.tournaments.rehearsal import casts
from arena.models import (
    ANYBODY,
    Bot,
    Entrant,
    GameStatus,
    Ladder,
    Match,
    MatchStatus,
    RatingAdjustment,
    RatingEvent,
    User,
    Version,
    Viewer,
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

    Annulled matches are left out; rating changes by annulments and ends of seasons are included.
    """
    events = RatingEvent.objects.filter(
        ladder=ladder, version__in=bot.versions.all(), match__annulment=None
    )
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
    """Return all bots except those of rehearsals, with their owners and their ladders."""
    entries = Entrant.objects.filter(active=True).select_related("ladder").order_by("ladder__slug")
    rows = Bot.objects.exclude(owner__username=casts.OWNER).select_related("owner")
    return rows.prefetch_related(Prefetch("entries", queryset=entries))


def bots_of(*, owner: User) -> QuerySet[Bot]:
    """Return a user's bots with the same related rows."""
    return bots().filter(owner=owner)


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
    """Return the match for the home page: the newest match with a finished game and no forfeit.

    A running match with a finished game comes first, then the latest finished match. The match is
    public, whoever asks.
    """
    shown = Q(games__status=GameStatus.FINISHED)
    public = Match.objects.visible_to(ANYBODY).for_display()
    running = public.filter(shown, status=MatchStatus.RUNNING).distinct()
    done = public.finished().order_by("-finished_at")
    clean = done.exclude(~Q(games__fault=""))
    return running.first() or clean.first() or done.first()


def page_of_matches(
    *, rows: QuerySet[Match], before: str, size: int, viewer: Viewer
) -> tuple[list[Match], str]:
    """Return matches older than `before`, and the id for the next page (empty on the last page).

    The pages stay stable while new matches arrive, because each page starts at a match and not at
    a position in the list.
    """
    if before:
        if not before.isprintable():  # not an id; PostgreSQL refuses a NUL character
            raise Http404
        marks = Match.objects.visible_to(viewer).filter(public_id=before)
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
