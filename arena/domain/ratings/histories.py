"""How versions have done on a ladder lately; each list takes a constant number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import OuterRef, Q, Subquery

from arena.models import Bot, Ladder, RatingEvent, Version, keyset

FORM_LENGTH = 5
CHART_POINTS = 400
HALF = 0.5  # of the points of a match


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after a match; `version` is the number that had it."""

    rating: float
    version: int


def form_of(*, ladder: Ladder, versions: Iterable[int]) -> dict[int, list[str]]:
    """Return the latest results of each version on a ladder, oldest first: W, D or L per match.

    They are those that have a finish number, as the ratings beside them.
    """
    counted = RatingEvent.objects.filter(
        ladder=ladder, match__annulment=None, finish_number__isnull=False
    )
    own = counted.filter(version=OuterRef("pk")).order_by("-finish_number").values("finish_number")
    first = Subquery(own[FORM_LENGTH - 1 : FORM_LENGTH])
    shown = Q(pk__in=[])
    for version, number in (
        Version.objects.filter(pk__in=list(versions)).order_by().values_list("pk", first)
    ):
        shown |= Q(version=version, finish_number__gte=number or 0)
    events = counted.filter(shown).order_by("finish_number").values_list("version", "score")
    form: dict[int, list[str]] = {}
    for version, score in events:
        letter = "D" if score == HALF else "W" if score > HALF else "L"
        form.setdefault(version, []).append(letter)
    return form


def history(*, bot: Bot, ladder: Ladder) -> list[RatingPoint]:
    """Return the latest ratings of a bot on a ladder, oldest first, one after each match.

    Annulled matches are left out, and so are those that no fit has yet.
    """
    rated = RatingEvent.objects.filter(ladder=ladder, match__annulment=None, after__isnull=False)
    latest = keyset.latest(rated, of=bot.versions.all(), column="finish_number", count=CHART_POINTS)
    rows = latest.values_list("finish_number", "after", "version__number")
    return [
        RatingPoint(rating, number) for _place, rating, number in sorted(rows) if rating is not None
    ]
