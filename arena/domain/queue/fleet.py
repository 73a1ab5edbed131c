"""The runners, as far as rows tell of them: how many there are, and how long their jobs take.

No runner has a name in the database. What there is are jobs: who holds one renews its lease, and a
row says when it was taken and let go.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean
from typing import TypeVar

from django.conf import settings
from django.db.models import Max, Min, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from arena.domain.queue import forecasting
from arena.models import Match, Version, VersionStatus

RECENT_MATCHES = 1000  # of all ladders
RECENT_OF_A_KIND = 50
DEFAULT_S = 20.0  # the guess before any job has been done
HUNGRY_S = 60.0
LATELY_S = 600.0

Row = Match | Version
Kind = tuple[int | None, str]  # a ladder and the kind of match; None and "version" for checks
VERSION = "version"
AnyRow = TypeVar("AnyRow", Match, Version)


@dataclass(frozen=True, slots=True)
class Fleet:
    """What runners do now; `runners` is how many live, 0 where none has shown itself.

    `last_sign` is when one last held a job; None where there never was one.
    """

    runners: int
    in_work: Sequence[Row]
    last_sign: datetime | None


@dataclass(frozen=True, slots=True)
class Durations:
    """How long jobs of each kind took lately, in seconds, newest first."""

    by_kind: Mapping[Kind, Sequence[float]]

    def of(self, kind: Kind) -> Sequence[float]:
        """Return those of the kind; where there is none, of its ladder, of all matches, a guess."""
        if kind in self.by_kind:
            return self.by_kind[kind]
        ladder = [each for each in self.by_kind if each[0] is not None and each[0] == kind[0]]
        rest = [each for each in self.by_kind if each[1] != VERSION and kind[1] != VERSION]
        for others in (ladder, rest):
            if others:
                return [took_s for other in others for took_s in self.by_kind[other]]
        return [DEFAULT_S]

    def means(self, kinds: Iterable[Kind]) -> dict[Kind, float]:
        """Return the mean of each of the kinds.

        What waits behind many jobs waits for their sum, so a median would promise too much: most
        jobs are shorter than the mean.
        """
        return {kind: fmean(self.of(kind)) for kind in set(kinds)}


def longest_wait_s() -> float:
    """Return how long the oldest job has waited that any free runner would have taken; 0 for none.

    A job that is put off waits from the moment at which it is due again. Versions of an owner who
    has another one in work do not count: they wait for that one.
    """
    since = Min(Coalesce("not_before", "queued_at"))
    busy = Version.objects.in_work().values("bot__owner")
    oldest = [
        Match.objects.runnable().due(),
        Version.objects.waiting().due().exclude(bot__owner__in=busy),
    ]
    found = [rows.aggregate(since=since)["since"] for rows in oldest]
    first = min(filter(None, found), default=None)
    return max(0.0, (timezone.now() - first).total_seconds()) if first else 0.0


def look(*, waited_s: float) -> Fleet:
    """Count the runners that live, from the jobs that they held; `waited_s` is the longest wait.

    The count is the most jobs that were held at one moment. While something has waited for a
    minute, every runner that lives was at work in that minute, but for the moments between two
    jobs: so the last minute is looked at, and what died before it is not counted. Where nothing
    waited so long, runners may have had nothing to do: the last ten minutes are looked at, and
    one at least is believed to be there. A lease that ran out counts up to its last renewal.
    """
    now = timezone.now()
    is_hungry = waited_s > HUNGRY_S
    since = now - timedelta(seconds=HUNGRY_S if is_hungry else LATELY_S)
    in_work = _in_work()
    spans = [_span(row, now) for row in in_work] + _spans_let_go(since)
    held = [(max(begin, since.timestamp()), end) for begin, end in spans]
    living = sum(end == now.timestamp() for _, end in spans[: len(in_work)])
    seen = max(living, forecasting.most_at_once(held))
    signs = [datetime.fromtimestamp(end, tz=now.tzinfo) for _, end in spans]
    signs += filter(None, _last_let_go())
    return Fleet(
        runners=seen if is_hungry else max(seen, 1),
        in_work=in_work,
        last_sign=max(signs, default=None),
    )


def durations() -> Durations:
    """Read how long the latest jobs took that came to an end, up to fifty of each kind."""
    found: defaultdict[Kind, list[float]] = defaultdict(list)
    checked = Version.objects.filter(
        status__in=(VersionStatus.READY, VersionStatus.REJECTED, VersionStatus.RETIRED)
    )
    rows: list[Row] = [
        *_last_ended(Match.objects.finished(), RECENT_MATCHES),
        *_last_ended(checked, RECENT_OF_A_KIND),
    ]
    for row in rows:
        took = found[kind_of(row)]
        if row.taken_at and row.left_at and len(took) < RECENT_OF_A_KIND:
            took.append((row.left_at - row.taken_at).total_seconds())
    return Durations(found)


def kind_of(row: Row) -> Kind:
    """Return what a job's duration depends on."""
    return (row.ladder_id, row.kind) if isinstance(row, Match) else (None, VERSION)


def _last_ended(rows: QuerySet[AnyRow], most: int) -> QuerySet[AnyRow]:
    """Return the latest that were let go of, with nothing of them but what a duration needs."""
    ended = rows.filter(taken_at__isnull=False, left_at__isnull=False).order_by("-left_at")
    columns = ("taken_at", "left_at", *(("ladder", "kind") if rows.model is Match else ()))
    return ended.only(*columns)[:most]


def _in_work() -> list[Row]:
    """Return what is held now, with the bot of each version, the longest held first."""
    held: list[Row] = [
        *Match.objects.in_work(),
        *Version.objects.in_work().select_related("bot"),
    ]
    return sorted(held, key=lambda row: (_taken_at(row), row.pk))


def _taken_at(row: Row) -> datetime:
    return row.taken_at or _renewed_at(row)


def _renewed_at(row: Row) -> datetime:
    until = row.lease_until or timezone.now()
    return until - timedelta(seconds=settings.LEASE_S)


def _span(row: Row, now: datetime) -> tuple[float, float]:
    """Return from when to when a row in work was held for sure, as timestamps."""
    is_live = row.lease_until is not None and row.lease_until >= now
    until = now if is_live else _renewed_at(row)
    return _taken_at(row).timestamp(), until.timestamp()


def _spans_let_go(since: datetime) -> list[tuple[float, float]]:
    """Return the spans of the jobs that were let go since then, as timestamps."""
    return [
        (taken_at.timestamp(), left_at.timestamp())
        for model in (Match, Version)
        for taken_at, left_at in model.objects.filter(left_at__gte=since).values_list(
            "taken_at", "left_at"
        )
        if taken_at is not None and left_at is not None
    ]


def _last_let_go() -> list[datetime | None]:
    return [model.objects.aggregate(last=Max("left_at"))["last"] for model in (Match, Version)]
