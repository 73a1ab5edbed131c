"""Metrics for Prometheus, read from the database at every scrape."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.domain.queue import alarms, first_game_waits, fleet, host_clock
from arena.models import Game, Match, MatchStatus, RatingEvent, Version

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SETTLED = timedelta(minutes=5)  # longer than any transaction that ends a match
CACHE_KEY = "metrics.totals.1"
CACHE_S = 7 * 24 * 3600
ENDED = (MatchStatus.FINISHED, MatchStatus.FAILED, MatchStatus.CANCELLED)

Ending = tuple[str, str, str]  # ladder, kind, how it ended


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals up to a time: matches by their ending, and rating events by ladder."""

    until: datetime | None = None
    matches: Mapping[Ending, int] | None = None
    rating_events: Mapping[str, int] | None = None


class SiteCollector(Collector):
    """Reads the database at every scrape. No process counts anything, since there may be many.

    The cost of a scrape depends on the open rows and on what has ended since the last scrape.
    """

    def collect(self) -> Iterator[Metric]:
        """Yield every metric family."""
        yield from _queue()
        yield from _runners()
        yield from _totals()
        yield from _first_game()


def exposition() -> bytes:
    """Return all metrics in the text format of Prometheus, of the type `CONTENT_TYPE`."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(SiteCollector())
    return generate_latest(registry)


def _queue() -> Iterator[Metric]:
    rows = GaugeMetricFamily(
        "drapeau_queue_items",
        "Jobs that wait or are in work, by kind and status.",
        labels=("kind", "status"),
    )
    played = Match.objects.open().order_by()
    for kind, status, count in played.values_list("kind", "status").annotate(rows=Count("pk")):
        rows.add_metric((kind, status), count)
    checked = Version.objects.open().order_by()
    for status, count in checked.values_list("status").annotate(rows=Count("pk")):
        rows.add_metric((fleet.VERSION, status), count)
    yield rows


def _runners() -> Iterator[Metric]:
    longest_s = fleet.longest_wait_s()
    seen = fleet.look(waited_s=longest_s)
    yield GaugeMetricFamily(
        "drapeau_queue_oldest_wait_seconds",
        "The longest wait of a job that a free runner would take.",
        value=longest_s,
    )
    yield GaugeMetricFamily(
        "drapeau_queue_alarm",
        "1 while the oldest job has waited longer than DRAPEAU_QUEUE_ALARM_S.",
        value=int(alarms.of(oldest_s=longest_s) is not None),
    )
    yield GaugeMetricFamily(
        "drapeau_runners", "Live runners, counted from the jobs that they held.", value=seen.runners
    )
    yield GaugeMetricFamily(
        "drapeau_clock_skew_seconds",
        "How far the clock of the web host that answers is ahead of the database's.",
        value=host_clock.skew_s(),
    )
    yield GaugeMetricFamily("drapeau_runner_jobs", "Jobs in work now.", value=len(seen.in_work))
    if seen.last_sign is not None:
        yield GaugeMetricFamily(
            "drapeau_runner_last_sign_timestamp_seconds",
            "When a runner last held a job.",
            value=seen.last_sign.timestamp(),
        )


def _totals() -> Iterator[Metric]:
    known = totals()
    ended = CounterMetricFamily(
        "drapeau_matches_ended",
        "Ended matches: played, with a forfeit in some game, failed or cancelled.",
        labels=("ladder", "kind", "ending"),
    )
    for labels, count in sorted((known.matches or {}).items()):
        ended.add_metric(labels, count)
    yield ended
    events = CounterMetricFamily(
        "drapeau_rating_events", "Changes of a rating by a match.", labels=("ladder",)
    )
    for ladder, count in sorted((known.rating_events or {}).items()):
        events.add_metric((ladder,), count)
    yield events


def _first_game() -> Iterator[Metric]:
    found = first_game_waits.first_game()
    quantiles = GaugeMetricFamily(
        "drapeau_first_game_seconds",
        "Time from upload to the first rated game, over seven days. Absent while it is not known.",
        labels=("quantile",),
    )
    for quantile, value_s in (("0.5", found.p50_s), ("0.95", found.p95_s)):
        if value_s is not None:
            quantiles.add_metric((quantile,), value_s)
    yield quantiles
    yield GaugeMetricFamily(
        "drapeau_first_game_versions",
        "Versions of the last seven days that have had their first rated game.",
        value=found.counted,
    )
    yield GaugeMetricFamily(
        "drapeau_first_game_waiting",
        "Versions of the last seven days that wait for their first rated game.",
        value=found.waiting,
    )


def totals() -> Totals:
    """Count all ended matches and all rating events.

    The totals up to five minutes ago are cached with their time; only later rows are counted. If
    the cache is lost, all rows are counted once, with the same result.
    """
    cached: Totals = cache.get(CACHE_KEY) or Totals()
    settled_at = timezone.now() - SETTLED
    if cached.until is None or cached.until < settled_at:
        cached = _plus(cached, _count(cached.until, settled_at), until=settled_at)
        cache.set(CACHE_KEY, cached, CACHE_S)
    return _plus(cached, _count(cached.until, None), until=None)


def _count(since: datetime | None, until: datetime | None) -> Totals:
    ended = Match.objects.filter(status__in=ENDED, finished_at__isnull=False)
    span = {}
    if since is not None:
        span["finished_at__gte"] = since
    if until is not None:
        span["finished_at__lt"] = until
    forfeited = Exists(Game.objects.filter(match=OuterRef("pk")).exclude(fault=""))
    counted: Counter[Ending] = Counter()
    rows = ended.filter(**span).annotate(forfeited=forfeited).order_by()
    for ladder, kind, status, forfeit, count in rows.values_list(
        "ladder__slug", "kind", "status", "forfeited"
    ).annotate(rows=Count("pk")):
        ending = status if status != MatchStatus.FINISHED else "forfeit" if forfeit else "played"
        counted[ladder, kind, ending] += count
    events = RatingEvent.objects.filter(
        **{f"match__{column}": value for column, value in span.items()}
    ).order_by()
    by_ladder = events.values_list("ladder__slug").annotate(rows=Count("pk"))
    return Totals(None, counted, dict(by_ladder))


def _plus(one: Totals, other: Totals, *, until: datetime | None) -> Totals:
    return Totals(
        until,
        Counter(one.matches or {}) + Counter(other.matches or {}),
        Counter(one.rating_events or {}) + Counter(other.rating_events or {}),
    )
