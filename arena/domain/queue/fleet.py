"""The fleet of runners, seen through the rows: how many runners there are, how long jobs take.

A runner renews the lease of its job, and the row of a job has the times at which it was taken and
left. The queue sees the runners through these times alone. Match-making also needs the slots that
have no job, so it believes what the runners report of themselves.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.conf import settings
from django.db.models import Exists, Max, Min, OuterRef, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from arena.domain.queue import runner_figures
from arena.models import Match, Version, VersionStatus

RECENT_MATCHES = 1000  # of all ladders
RECENT_OF_A_KIND = 50
DEFAULT_S = 20.0  # the assumed duration before any job has been done
HUNGRY_S = 60.0  # the queue is hungry if a job has waited longer
LATELY_S = 600.0

Row = Match | Version
Kind = tuple[int | None, str]  # a ladder and the kind of match; None and "version" for checks
VERSION = "version"
AnyRow = TypeVar("AnyRow", Match, Version)


@dataclass(frozen=True, slots=True)
class Fleet:
    """The present work of the runners. `runners` is the number of live runners.

    `last_sign` is the latest time at which a runner held a job, or None if there was none.
    """

    runners: int
    in_work: Sequence[Row]
    last_sign: datetime | None


@dataclass(frozen=True, slots=True)
class Slots:
    """The jobs that runners can do at once: all, and those that are not taken."""

    live: int = 0
    free: int = 0


@dataclass(frozen=True, slots=True)
class Durations:
    """The durations of recent jobs by kind, in seconds, newest first."""

    by_kind: Mapping[Kind, Sequence[float]]

    def of(self, kind: Kind) -> Sequence[float]:
        """Return the durations of a kind, or else of its ladder, of all matches, or `DEFAULT_S`."""
        if kind in self.by_kind:
            return self.by_kind[kind]
        ladder = [other for other in self.by_kind if other[0] is not None and other[0] == kind[0]]
        rest = [other for other in self.by_kind if other[1] != VERSION and kind[1] != VERSION]
        for others in (ladder, rest):
            if others:
                return [took_s for other in others for took_s in self.by_kind[other]]
        return [DEFAULT_S]


def longest_wait_s() -> float:
    """Return the longest wait of a job that a free runner would have taken, or 0 if there is none.

    The wait of a postponed job begins when it is due again. Versions of an owner with another
    version in work do not count, because they wait for that one.
    """
    since = Min(Coalesce("not_before", "queued_at"))
    busy = Version.objects.in_work().filter(bot__owner=OuterRef("bot__owner"))
    oldest = [
        Match.objects.runnable().of_bots().due(),
        Version.objects.waiting().due().filter(~Exists(busy)),
    ]
    times = [rows.aggregate(since=since)["since"] for rows in oldest]
    first = min(filter(None, times), default=None)
    return max(0.0, (timezone.now() - first).total_seconds()) if first else 0.0


def slots() -> Slots:
    """Count the slots of the runners that reported lately and can work."""
    live = runner_figures.live().aggregate(slots=Sum("slots", default=0))["slots"]
    in_work = (Match.objects.of_bots().in_work(), Version.objects.in_work())
    taken = sum(rows.count() for rows in in_work) if live else 0
    return Slots(live, max(0, live - taken))


def look(*, waited_s: float) -> Fleet:
    """Count the live runners from the jobs that they held. `waited_s` is the longest wait.

    The count is the largest number of jobs held at one moment. If a job has waited for a minute,
    every live runner had work during that minute, so only the last minute counts, and runners that
    died before are left out. Otherwise runners may have been idle, so the last ten minutes count,
    and at least one runner is assumed. A lease that expired counts up to its last renewal.
    """
    now = timezone.now()
    is_hungry = waited_s > HUNGRY_S
    since = now - timedelta(seconds=HUNGRY_S if is_hungry else LATELY_S)
    rows: list[Row] = [
        *Match.objects.of_bots().in_work(),
        *Version.objects.in_work().select_related("bot"),
    ]
    # The longest held first; the ids of matches and versions are not of one sequence.
    in_work = sorted(rows, key=lambda row: (_taken_at(row), isinstance(row, Version), row.pk))
    spans = [_span(row, now) for row in in_work] + [
        (taken_at.timestamp(), left_at.timestamp())
        for model in (Match, Version)
        for taken_at, left_at in model.objects.filter(left_at__gte=since).values_list(
            "taken_at", "left_at"
        )
        if taken_at is not None and left_at is not None
    ]
    held = [(max(begin, since.timestamp()), end) for begin, end in spans]
    alive = sum(end == now.timestamp() for _, end in spans[: len(in_work)])
    seen = max(alive, most_at_once(held))
    signs = [datetime.fromtimestamp(end, tz=now.tzinfo) for _, end in spans]
    for model in (Match, Version):  # by the condition, an index has the latest one
        left = model.objects.filter(left_at__isnull=False).aggregate(last=Max("left_at"))
        signs += filter(None, left.values())
    return Fleet(
        runners=seen if is_hungry else max(seen, 1),
        in_work=in_work,
        last_sign=max(signs, default=None),
    )


def most_at_once(spans: Iterable[tuple[float, float]]) -> int:
    """Return the largest number of spans (begin, end) that overlap at one moment.

    A span that begins when another ends does not overlap with it.
    """
    changes = sorted(
        change for begin, end in spans if end > begin for change in ((begin, 1), (end, -1))
    )
    now = most = 0
    for _, step in changes:
        now += step
        most = max(most, now)
    return most


def durations() -> Durations:
    """Return the durations of the latest finished jobs, up to fifty of each kind."""
    by_kind: defaultdict[Kind, list[float]] = defaultdict(list)
    checked = Version.objects.filter(
        status__in=(VersionStatus.READY, VersionStatus.REJECTED, VersionStatus.RETIRED)
    )
    rows: list[Row] = [
        *_last_ended(Match.objects.finished(), RECENT_MATCHES),
        *_last_ended(checked, RECENT_OF_A_KIND),
    ]
    for row in rows:
        took = by_kind[kind_of(row)]
        if row.taken_at and row.left_at and len(took) < RECENT_OF_A_KIND:
            took.append((row.left_at - row.taken_at).total_seconds())
    return Durations(by_kind)


def kind_of(row: Row) -> Kind:
    """Return the kind of a job: what its duration depends on."""
    return (row.ladder_id, row.kind) if isinstance(row, Match) else (None, VERSION)


def _last_ended(rows: QuerySet[AnyRow], most: int) -> QuerySet[AnyRow]:
    """Return the latest rows that a runner left, with only the columns that a duration needs."""
    ended = rows.filter(taken_at__isnull=False, left_at__isnull=False).order_by("-left_at", "-pk")
    columns = ("taken_at", "left_at", *(("ladder", "kind") if rows.model is Match else ()))
    return ended.only(*columns)[:most]


def _taken_at(row: Row) -> datetime:
    return row.taken_at or _renewed_at(row)


def _renewed_at(row: Row) -> datetime:
    until = row.lease_until or timezone.now()
    return until - timedelta(seconds=settings.LEASE_S)


def _span(row: Row, now: datetime) -> tuple[float, float]:
    """Return the span in which a row in work was certainly held, as timestamps."""
    is_live = row.lease_until is not None and row.lease_until >= now
    until = now if is_live else _renewed_at(row)
    return _taken_at(row).timestamp(), until.timestamp()
