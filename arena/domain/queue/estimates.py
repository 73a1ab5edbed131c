"""Estimates of when each waiting job will begin, and in which order."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean

from django.core.cache import cache
from django.utils import timezone

from arena.domain.queue import dispatch, fleet, forecasting
from arena.domain.queue.fleet import Durations, Fleet, Kind, Row
from arena.domain.queue.forecasting import Job
from arena.models import ANYBODY, Match, MatchEntrant, Version

LONG = 500  # jobs: the outlook of a longer queue is cached
CACHED_S = 3
CACHE_KEY = "queue.outlook"

Key = tuple[str, int]  # "match" or "version", and the id


@dataclass(frozen=True, slots=True)
class Outlook:
    """The whole queue by key.

    `begins_s` has the seconds until each waiting job begins, the soonest first, and `positions`
    numbers the jobs from 1. `behind` are the versions that wait for another version of their owner,
    and `busy_bots` the bots that play a public match now.
    """

    fleet: Fleet
    begins_s: Mapping[Key, float]
    positions: Mapping[Key, int]
    behind: Collection[Key]
    busy_bots: Collection[int]
    longest_wait_s: float


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A waiting job. `owner` is the owner of a version: only one version per owner is checked."""

    key: Key
    kind: Kind
    not_before: datetime | None
    owner: int | None = None


def look() -> Outlook:
    """Simulate how the present fleet works through the present queue.

    A job takes the mean duration of recent jobs of its kind. A running job takes as much longer as
    recent jobs did that had lasted as long. Jobs that come later are not simulated, although they
    may be taken first. The outlook of a long queue is cached for a few seconds.
    """
    cached: Outlook | None = cache.get(CACHE_KEY)
    if cached is not None:
        return cached
    found = _simulate()
    if len(found.begins_s) > LONG:
        cache.set(CACHE_KEY, found, CACHED_S)
    return found


def _simulate() -> Outlook:
    took = fleet.durations()
    waiting = _waiting(took)
    longest_wait_s = fleet.longest_wait_s()
    seen = fleet.look(waited_s=longest_wait_s)
    taken = {key_of(row) for row in seen.in_work}
    waiting = [each for each in waiting if each.key not in taken]
    begins_s = dict(
        zip((each.key for each in waiting), _begins_s(waiting, seen, took), strict=True)
    )
    order = sorted(waiting, key=lambda each: begins_s[each.key])
    playing = MatchEntrant.objects.filter(match__in=Match.objects.visible_to(ANYBODY).in_work())
    return Outlook(
        fleet=seen,
        begins_s={each.key: begins_s[each.key] for each in order},
        positions={each.key: position for position, each in enumerate(order, start=1)},
        behind=_behind(seen.in_work, order),
        busy_bots=set(playing.values_list("version__bot", flat=True)),
        longest_wait_s=longest_wait_s,
    )


def key_of(row: Row) -> Key:
    """Return the key of a row."""
    return ("match" if isinstance(row, Match) else "version"), row.pk


def _waiting(took: Durations) -> list[_Waiting]:
    """Return all waiting jobs: the due ones in their order, then the postponed ones."""
    order = [item.key for item in dispatch.order(takes_s=_mean_by_share(took))]
    played = Match.objects.runnable().order_by("not_before", "pk")
    checked = Version.objects.waiting().order_by("not_before", "pk")
    found = {
        ("match", pk): _Waiting(("match", pk), (ladder, kind), not_before)
        for pk, ladder, kind, not_before in played.values_list("pk", "ladder", "kind", "not_before")
    }
    for pk, owner, not_before in checked.values_list("pk", "bot__owner", "not_before"):
        kind = (None, fleet.VERSION)
        found["version", pk] = _Waiting(("version", pk), kind, not_before, owner)
    due = [found.pop(key) for key in order if key in found]
    return due + list(found.values())


def _mean_by_share(took: Durations) -> dict[str, float]:
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for (ladder, kind), seconds in took.by_kind.items():
        names = dispatch.share_names(ladder_pk=ladder, kind=kind) if ladder else [dispatch.CHECKS]
        for name in names:
            shares[name] += seconds
    return {name: fmean(seconds) for name, seconds in shares.items()}


def _begins_s(waiting: Sequence[_Waiting], seen: Fleet, took: Durations) -> list[float]:
    now = timezone.now()
    takes_s = took.means(each.kind for each in waiting)
    jobs = [
        Job(
            takes_s=takes_s[each.kind],
            ready_s=(each.not_before - now).total_seconds() if each.not_before else 0.0,
            turn=each.owner,
        )
        for each in waiting
    ]
    rest_s: dict[Row, float] = {}
    for row in seen.in_work:
        elapsed_s = (now - row.taken_at).total_seconds() if row.taken_at else 0.0
        rest_s[row] = forecasting.remaining_s(took.of(fleet.kind_of(row)), elapsed_s=elapsed_s)
    alive = [rest_s[row] for row in rest_s if row.lease_until and row.lease_until >= now]
    # Without a live runner, assume one, so that there still is an order.
    free_s = [*alive, *[0.0] * (seen.runners - len(alive))] or [0.0]
    turns = {row.bot.owner_id: rest_s[row] for row in rest_s if isinstance(row, Version)}
    return forecasting.starts(jobs, free_s=free_s, turns=turns)


def _behind(in_work: Iterable[Row], order: Iterable[_Waiting]) -> set[Key]:
    owners = {row.bot.owner_id for row in in_work if isinstance(row, Version)}
    behind = set[Key]()
    for each in order:
        if each.owner is not None:
            if each.owner in owners:
                behind.add(each.key)
            owners.add(each.owner)
    return behind
