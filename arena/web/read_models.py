"""Queries for pages beyond `domain.queries`; each list takes a constant number of queries."""

from collections.abc import Collection, Iterable

from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404

from arena.domain.accounts import permissions
from arena.domain.tournaments.rehearsal import rehearsal_bots
from arena.models import (
    ANYBODY,
    Bot,
    Entrant,
    Game,
    Ladder,
    Match,
    RatingEvent,
    User,
    Version,
    Viewer,
    keyset,
)
from arena.web.ratings.charts import RatingPoint

FORM_LENGTH = 5
CHART_POINTS = 400
HALF = 0.5  # of the points of a match


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


def bots() -> QuerySet[Bot]:
    """Return all bots except those of rehearsals, with their owners and their ladders."""
    entries = Entrant.objects.filter(active=True).select_related("ladder").order_by("ladder__slug")
    rows = Bot.objects.exclude(owner__username=rehearsal_bots.OWNER).select_related("owner")
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
