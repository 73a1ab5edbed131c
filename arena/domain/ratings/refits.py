"""The ratings of a ladder: read the evidence from the rated games, fit it, store the ratings.

`fit` has the statistics, and `docs/adr/0019` the reasons.
"""

import logging
import math
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.utils import timezone

from arena.domain.ratings import davidson, fit, rating_events, scores
from arena.domain.ratings.davidson import Duels
from arena.domain.ratings.fit import Fit, GameCounts, MatchCounts
from arena.models import Entrant, Ladder, RatingEvent
from engine import registry
from engine.errors import EngineError

logger = logging.getLogger(__name__)

GROWN_BY = 0.01  # a fit is out of date when the ladder has grown by this fraction,
OLD_AFTER = timedelta(minutes=10)  # or after this time if there is any new match,
PAUSE = 10  # but not before so many times what it took: large ladders do not occupy a worker
CACHE_KEY = "estimates.refresh"
LOCK_S = 1800  # a process that dies during a fit blocks the others for this time
READ_AT_ONCE = 10_000  # rows
MOST_RETURNS = 100  # the latest of a ladder that divide a version
ESTIMATE = ("rating", "rating_low", "rating_high")
RANGE = ("best_rank", "worst_rank")
NO_RANGE = (None, None)
COLUMNS = (*ESTIMATE, *RANGE)


class Span(NamedTuple):
    """The matches of a fit: those of a ladder up to a finish number, over all seasons.

    A version is the same in all seasons. Results of earlier seasons decide who meets whom, so a fit
    of one season alone would take all who meet for equals.
    """

    ladder: Ladder
    place: int
    returns: Mapping[int, int] = MappingProxyType({})  # by bot, the place of its latest return
    without: Collection[int] = ()  # matches, by id


def refresh_due() -> list[Ladder]:
    """Fit every ladder whose fit is out of date. Return these ladders.

    A failure, or a variant that is not installed any more, does not stop the other ladders. Do
    nothing while another process refreshes: a large fit takes longer than the interval between
    calls, and must not occupy several workers.
    """
    if not cache.add(CACHE_KEY, "", timeout=LOCK_S):
        return []
    try:
        refreshed = []
        for ladder in Ladder.objects.all():
            if not is_due(ladder=ladder):
                continue
            try:
                refresh(ladder=ladder)
            except EngineError as exc:
                logger.warning("ladder_unplayable", extra={"ladder": ladder.slug, "why": str(exc)})
            else:
                refreshed.append(ladder)
        return refreshed
    finally:
        cache.delete(CACHE_KEY)


def is_due(*, ladder: Ladder) -> bool:
    """Return whether enough has changed since the latest fit for a new one."""
    new = ladder.next_finish_number - 1 - ladder.fitted_finish_number
    new += rating_events.unnumbered(ladder=ladder).count()
    if ladder.fitted_at is None:
        return new > 0
    age = timezone.now() - ladder.fitted_at
    if age < PAUSE * timedelta(seconds=ladder.fitted_in_s):
        return False
    if new > GROWN_BY * ladder.fitted_finish_number or (new > 0 and age >= OLD_AFTER):
        return True
    if ladder.annulments.filter(finish_number__gt=ladder.fitted_finish_number).exists():
        return True
    # A new version of a bot that was rated, or one that its bot was set back to.
    rated = RatingEvent.objects.filter(ladder=ladder, version__bot=OuterRef("bot"))
    return ladder.entrants.filter(Exists(rated), active=True, rating=None).exists()


def refresh(*, ladder: Ladder) -> None:
    """Fit the ladder and store the ratings on its entrants, unless a later fit came first.

    The ladder is locked only while storing.
    """
    began_s = time.monotonic()
    with transaction.atomic():
        place = rating_events.locked(ladder=ladder).next_finish_number - 1
    fitted = at(ladder=ladder, place=place)
    with transaction.atomic():
        locked = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        if locked.fitted_finish_number <= place:
            _store(locked, fitted, place)
            locked.fitted_at, locked.fitted_finish_number = timezone.now(), place
            locked.fitted_in_s = time.monotonic() - began_s
            locked.save(update_fields=["fitted_at", "fitted_finish_number", "fitted_in_s"])


def at(*, ladder: Ladder, place: int, without: Collection[int] = ()) -> Fit:
    """Return the fit of the matches up to a finish number, as it was then.

    Matches annulled by then are left out; those annulled later are not. `without` leaves out more
    matches, given by id. The mean of the ratings of the bots, each with the version that was rated
    last, is the start rating. A present version without a rated match is rated by those before it.

    A version that came back after a long absence is two players, like two versions, because the
    others have changed meanwhile. The earlier one is minus the version.
    """
    returned = RatingEvent.objects.filter(ladder=ladder, returned=True, finish_number__lte=place)
    latest = returned.order_by().values_list("version__bot").annotate(latest=Max("finish_number"))
    span = Span(ladder, place, dict(latest.order_by("-latest")[:MOST_RETURNS]), without)
    versions: defaultdict[int, dict[int, int]] = defaultdict(dict)
    rows = _events(span).annotate(player=_player("version", "version__bot", span))
    seen = rows.values_list("player", "version__bot").annotate(Max("finish_number"))
    for player, bot, finish_number in seen.order_by("player"):
        versions[bot][player] = finish_number
    last = {max(family, key=family.__getitem__) for family in versions.values()}
    for version, bot in ladder.entrants.filter(bot__in=versions).values_list("version", "bot"):
        versions[bot].setdefault(version, 0)
    return fit.fit(
        _results(span),
        centre_on=last,
        families=[
            sorted(family, key=lambda player: (abs(player), player > 0))
            for family in versions.values()
        ],
    )


def _player(version: str, bot: str, span: Span) -> Case:
    """Return the expression for a player of an event, from the names of its version and bot."""
    return Case(
        *(
            When(**{bot: returned}, finish_number__lt=place, then=-F(version))
            for returned, place in span.returns.items()
        ),
        default=F(version),
        output_field=BigIntegerField(),
    )


def columns(fitted: Fit, version_id: int) -> dict[str, float | None]:
    """Return the rating and its interval, by column; None if the version was not rated."""
    values = fitted.estimates.get(version_id, (None, None, None))
    return dict(zip(ESTIMATE, values, strict=True))


def has_games_for_a_rank(fitted: Fit, version_id: int) -> bool:
    """Return whether a version has played enough rated games, over all seasons, for a rank.

    With few games, the luckiest of many uploads of one program gains most.
    """
    return fitted.games.get(version_id, 0) >= settings.RANKED_FROM_GAMES


def ranks(ratings: Mapping[int, float | None]) -> dict[int, int]:
    """Return the rank of each bot by its rating. Equal ones share a rank; None is the lowest."""
    values = {bot: -math.inf if rating is None else rating for bot, rating in ratings.items()}
    first: dict[float, int] = {}
    for rank, rating in enumerate(sorted(values.values(), reverse=True), start=1):
        first.setdefault(rating, rank)
    return {bot: first[rating] for bot, rating in values.items()}


def _store(ladder: Ladder, fitted: Fit, place: int) -> None:
    entrants = Entrant.objects.filter(ladder=ladder).lock()
    before = [_stored(entrant) for entrant in entrants]
    for entrant in entrants:
        for name, value in columns(fitted, entrant.version_id).items():
            setattr(entrant, name, value)
    ranges = fitted.rank_ranges(
        [
            entrant.version_id
            for entrant in entrants
            if entrant.active
            and entrant.is_present
            and has_games_for_a_rank(fitted, entrant.version_id)
        ]
    )
    for entrant in entrants:
        entrant.best_rank, entrant.worst_rank = ranges.get(entrant.version_id, NO_RANGE)
    changed = [
        entrant for entrant, had in zip(entrants, before, strict=True) if _stored(entrant) != had
    ]
    # All of them exist, so each is updated, with less work than by `bulk_update`.
    Entrant.objects.bulk_create(
        changed,
        batch_size=rating_events.CHUNK,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=COLUMNS,
    )
    _fill_in(ladder, fitted, place)


def _fill_in(ladder: Ladder, fitted: Fit, place: int) -> None:
    """Store the ratings after the match in the events that no stored fit had before."""
    events = RatingEvent.objects.filter(
        match__ladder=ladder,
        match__finish_number__gt=ladder.fitted_finish_number,
        match__finish_number__lte=place,
    ).order_by()
    rated = events.values_list("version", flat=True).distinct()
    versions = [version for version in rated if version in fitted.estimates]
    for start in range(0, len(versions), rating_events.CHUNK):
        some = versions[start : start + rating_events.CHUNK]
        rating = Case(
            *(
                When(version=version, then=Value(fitted.estimates[version].value))
                for version in some
            )
        )
        # This column is written later than the event, which the queryset of events refuses.
        QuerySet.update(events.filter(version__in=some), after=rating)


def _stored(entrant: Entrant) -> tuple[float | None, ...]:
    return tuple(getattr(entrant, name) for name in COLUMNS)


def _results(span: Span) -> Iterable[MatchCounts] | Duels:
    sides = registry.find(span.ladder.variant).sides
    if span.ladder.entrants_per_match == len(sides):
        return _duels(span)
    return _of_sides(span)


def _events(span: Span) -> QuerySet[RatingEvent]:
    """Return, unordered, the events of the span whose matches were not annulled at its end."""
    counts = Q(match__annulment=None) | Q(match__annulment__finish_number__gt=span.place)
    events = RatingEvent.objects.filter(
        counts, ladder=span.ladder, finish_number__lte=span.place
    ).order_by()
    return events.exclude(match__in=span.without)


def _duels(span: Span) -> Duels:
    """Count equal results of the same two in the database. A game that both lost does not count."""
    rows = (
        _events(span)
        .annotate(
            rival=F("match__rating_events__version"),
            rival_bot=F("match__rating_events__version__bot"),
            losses_won=F("match__rating_events__wins"),
        )
        .filter(version__lt=F("rival"))
        .annotate(
            own=_player("version", "version__bot", span),
            other=_player("rival", "rival_bot", span),
        )
        .values_list("own", "other", "wins", "draws", "losses_won")
        .annotate(Count("pk"))
    )
    return np.fromiter(rows.iterator(chunk_size=READ_AT_ONCE), davidson.DUEL)


def _of_sides(span: Span) -> Iterator[MatchCounts]:
    """Read the games that are rated for all their entrants, match by match."""
    rows = rating_events.rated_matches(
        ladder=span.ladder,
        until=span.place + 1,
        annulled_until=span.place,
    )
    rows = rows.exclude(pk__in=span.without)
    for match in rows.iterator(chunk_size=rating_events.CHUNK):
        versions = {entrant.version.bot_id: entrant.version_id for entrant in match.entrants.all()}
        for bot in versions.keys() & span.returns.keys():
            if rating_events.place_of(match) < span.returns[bot]:
                versions[bot] = -versions[bot]
        match.ladder = span.ladder
        meetings = []
        for game in scores.rated_for_all(match=match):
            own, others = (tuple(versions[bot] for bot in side) for side in (game.own, game.others))
            drawn = game.points == rating_events.DRAW
            won = game.points == rating_events.WIN
            lost = not won and not drawn
            meetings.append(GameCounts(own, others, int(won), int(drawn), int(lost)))
        if meetings:
            yield MatchCounts(tuple(meetings))
