"""Metrics for Prometheus: those of the site from its database, and those of this process."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena import release
from arena.domain.queue import alarms, first_game_waits, fleet, health, host_clock, runner_figures
from arena.models import (
    DeliveryStatus,
    Game,
    Ladder,
    Match,
    MatchKind,
    MatchStatus,
    OutgoingMail,
    RatingEvent,
    Version,
    Webhook,
    WebhookDelivery,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SETTLED = timedelta(minutes=5)  # longer than any transaction that ends a match
CACHE_KEY = "metrics.totals.2"
CACHE_S = 3600  # what ended since then is counted at once, so a longer pause begins anew
ENDED = (MatchStatus.FINISHED, MatchStatus.FAILED, MatchStatus.CANCELLED)
ENDINGS = ("played", "forfeit", "failed", "cancelled")

Ending = tuple[str, str, str]  # ladder, kind, how it ended


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals up to a time: matches by their ending, and rating events by ladder."""

    until: datetime
    matches: Counter[Ending]
    rating_events: Counter[str]


class SiteCollector(Collector):
    """Reads the database at every scrape. No process counts anything, since there may be many.

    The cost of a scrape depends on the open rows and on what has ended since the last scrape, and
    never on the size of the tables of matches, games and rating events.
    """

    def collect(self) -> Iterator[Metric]:
        """Yield every metric family."""
        build = GaugeMetricFamily(
            "drapeau_build_info", "1; what this process runs.", labels=("version", "commit")
        )
        build.add_metric((release.version(), settings.COMMIT), 1)
        yield build
        yield from _resources()
        yield from _queue()
        yield from _runners()
        yield from _figures_of_runners()
        yield from _totals()
        yield from _first_game()
        yield GaugeMetricFamily(
            "drapeau_mail_waiting",
            "Mails that the mail server has not taken yet.",
            value=OutgoingMail.objects.count(),
        )
        yield from _webhooks()


def exposition() -> bytes:
    """Return all metrics in the text format of Prometheus, of the type `CONTENT_TYPE`."""
    site = CollectorRegistry(auto_describe=False)
    site.register(SiteCollector())
    return generate_latest(site) + generate_latest(REGISTRY)


def _resources() -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "drapeau_disk_free_bytes",
        "What is free on the disk with the data folder of this process.",
        value=health.disk_free_bytes(),
    )
    if counts := health.connections():
        used, most = counts
        yield GaugeMetricFamily(
            "drapeau_database_connections", "Connections that PostgreSQL has.", value=used
        )
        yield GaugeMetricFamily(
            "drapeau_database_connections_limit", "Connections that it allows.", value=most
        )


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


def _figures_of_runners() -> Iterator[Metric]:
    """Yield what each runner reported of itself and of its launcher."""
    of_runner = ("runner",)
    slots = GaugeMetricFamily(
        "drapeau_runner_slots", "Jobs that it takes at once.", labels=of_runner
    )
    busy = GaugeMetricFamily("drapeau_runner_busy_slots", "Slots with a job.", labels=of_runner)
    reported = GaugeMetricFamily(
        "drapeau_runner_report_timestamp_seconds", "When it last reported.", labels=of_runner
    )
    skew = GaugeMetricFamily(
        "drapeau_runner_clock_skew_seconds",
        "How far the clock of its host is ahead of the database's.",
        labels=of_runner,
    )
    trouble = GaugeMetricFamily(
        "drapeau_runner_in_trouble",
        "1 while something keeps its host from taking jobs, such as a full disk.",
        labels=of_runner,
    )
    containers = GaugeMetricFamily(
        "drapeau_launcher_containers",
        "Containers with a bot, and those that wait for one.",
        labels=("runner", "state"),
    )
    orders = CounterMetricFamily(
        "drapeau_launcher_orders",
        "Containers that its launcher started or could not start, and refused requests.",
        labels=("runner", "ending"),
    )
    for row in runner_figures.latest():
        slots.add_metric((row.runner,), row.slots)
        busy.add_metric((row.runner,), row.busy)
        reported.add_metric((row.runner,), row.reported_at.timestamp())
        skew.add_metric((row.runner,), row.clock_skew_s)
        trouble.add_metric((row.runner,), int(row.in_trouble))
        launcher: Mapping[str, int] = row.launcher or {}
        for what, count in launcher.items():
            if what in ("running", "waiting"):
                containers.add_metric((row.runner, what), count)
            else:
                orders.add_metric((row.runner, what), count)
    yield from (slots, busy, reported, skew, trouble, containers, orders)


def _totals() -> Iterator[Metric]:
    known = totals()
    ladders = list(Ladder.objects.order_by("slug").values_list("slug", flat=True))
    ended = CounterMetricFamily(
        "drapeau_matches_ended",
        "Ended matches: played, with a forfeit in some game, failed or cancelled.",
        labels=("ladder", "kind", "ending"),
    )
    for labels in product(ladders, MatchKind.values, ENDINGS):
        ended.add_metric(labels, known.matches[labels])  # 0 too: Prometheus sees no first increase
    yield ended
    events = CounterMetricFamily(
        "drapeau_rating_events", "Changes of a rating by a match.", labels=("ladder",)
    )
    for ladder in ladders:
        events.add_metric((ladder,), known.rating_events[ladder])
    yield events


def _first_game() -> Iterator[Metric]:
    waits = first_game_waits.first_game()
    quantiles = GaugeMetricFamily(
        "drapeau_first_game_seconds",
        "Time from upload to the first rated game, over seven days. Absent while it is not known.",
        labels=("quantile",),
    )
    for quantile, value_s in (("0.5", waits.p50_s), ("0.95", waits.p95_s)):
        if value_s is not None:
            quantiles.add_metric((quantile,), value_s)
    yield quantiles
    yield GaugeMetricFamily(
        "drapeau_first_game_versions",
        "Versions of the last seven days that have had their first rated game.",
        value=waits.counted,
    )
    yield GaugeMetricFamily(
        "drapeau_first_game_waiting",
        "Versions of the last seven days that wait for their first rated game.",
        value=waits.waiting,
    )


def _webhooks() -> Iterator[Metric]:
    waiting = WebhookDelivery.objects.filter(status=DeliveryStatus.WAITING)
    yield GaugeMetricFamily(
        "drapeau_webhook_deliveries_waiting",
        "Deliveries of webhooks that wait for their first or next attempt.",
        value=waiting.count(),
    )
    on = Q(enabled_at__isnull=False)
    failing = Q(failing_since__isnull=False)
    states = {"on": on & ~failing, "failing": on & failing, "off": ~on}
    counts = Webhook.objects.aggregate(
        **{name: Count("pk", filter=q) for name, q in states.items()}
    )
    hooks = GaugeMetricFamily("drapeau_webhooks", "Webhooks by state.", labels=("state",))
    for state in states:
        hooks.add_metric((state,), counts[state])
    yield hooks


def totals() -> Totals:
    """Return how many matches ended and ratings changed since the cache began to count.

    The totals up to five minutes ago are cached with their time, and only later rows are counted.
    Without a cache the count begins anew, as Prometheus expects of counters: to count all matches
    of a large site takes minutes.
    """
    now = timezone.now()
    known: Totals = cache.get(CACHE_KEY) or Totals(now, Counter(), Counter())
    if known.until < now - SETTLED:
        known = _plus(known, now - SETTLED)
    cache.set(CACHE_KEY, known, CACHE_S)
    return _plus(known, now)


def _plus(known: Totals, until: datetime) -> Totals:
    """Return the totals up to a later time."""
    span = {"finished_at__gte": known.until, "finished_at__lt": until}
    forfeited = Exists(Game.objects.filter(match=OuterRef("pk")).exclude(fault=""))
    ended = Match.objects.filter(status__in=ENDED, **span).annotate(forfeited=forfeited).order_by()
    matches = Counter(known.matches)
    for ladder, kind, status, forfeit, count in ended.values_list(
        "ladder__slug", "kind", "status", "forfeited"
    ).annotate(rows=Count("pk")):
        ending = status if status != MatchStatus.FINISHED else "forfeit" if forfeit else "played"
        matches[ladder, kind, ending] += count
    events = RatingEvent.objects.filter(
        **{f"match__{column}": value for column, value in span.items()}
    ).order_by()
    by_ladder = dict(events.values_list("ladder__slug").annotate(rows=Count("pk")))
    return Totals(until, matches, known.rating_events + Counter(by_ladder))
