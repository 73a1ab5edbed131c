"""What the queue will do: the order in which all that waits is expected to begin, and when."""

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
from arena.models import Match, MatchEntrant, Release, Version

LONG = 500
KEPT_S = 3
CACHE_KEY = "queue.outlook"

Key = tuple[str, int]  # "match" or "version", and the row


@dataclass(frozen=True, slots=True)
class Outlook:
    """All of the queue by key, so that a long one can be looked at often.

    `begins_s` has in how many seconds each begins that waits, the soonest first, and `positions`
    counts them from 1. `behind` are the versions that wait for another one of their owner,
    `busy_bots` those that are in a match now that everybody may see.
    """

    fleet: Fleet
    begins_s: Mapping[Key, float]
    positions: Mapping[Key, int]
    behind: Collection[Key]
    busy_bots: Collection[int]
    longest_wait_s: float


@dataclass(frozen=True, slots=True)
class _Waiting:
    """One thing that waits; `owner` is that of a version, whose turn it needs."""

    key: Key
    kind: Kind
    not_before: datetime | None
    owner: int | None = None


def look() -> Outlook:
    """Let the fleet, as it is, work through the queue, as it stands: in thought.

    Each job takes as long as those of its kind did lately, on the average; what is in work, as much
    longer as those did that lasted so long. What comes later is not foreseen: it may have a better
    claim. For a long queue the answer is kept for a moment, for all who look.
    """
    kept: Outlook | None = cache.get(CACHE_KEY)
    if kept is not None:
        return kept
    found = _look()
    if len(found.begins_s) > LONG:
        cache.set(CACHE_KEY, found, KEPT_S)
    return found


def _look() -> Outlook:
    took = fleet.durations()
    waiting = _waiting(took)
    longest_wait_s = fleet.longest_wait_s()
    seen = fleet.look(waited_s=longest_wait_s)
    held = {key_of(row) for row in seen.in_work}
    waiting = [each for each in waiting if each.key not in held]
    begins_s = _begins_s(waiting, seen, took)
    soonest = sorted(range(len(waiting)), key=lambda n: (begins_s[n], n))
    order = [waiting[n] for n in soonest]
    playing = MatchEntrant.objects.filter(
        match__status__in=Match.IN_WORK, match__release=Release.PUBLIC
    )
    return Outlook(
        fleet=seen,
        begins_s={waiting[n].key: begins_s[n] for n in soonest},
        positions={each.key: position for position, each in enumerate(order, start=1)},
        behind=_behind(seen.in_work, order),
        busy_bots=set(playing.values_list("version__bot", flat=True)),
        longest_wait_s=longest_wait_s,
    )


def key_of(row: Row) -> Key:
    """Return the key of a row."""
    return ("match" if isinstance(row, Match) else "version"), row.pk


def _waiting(took: Durations) -> list[_Waiting]:
    """Return everything that waits: what is due in the order of taking, then what is postponed."""
    order = [item.key for item in dispatch.order(takes_s=_by_lane(took))]
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


def _by_lane(took: Durations) -> dict[str, float]:
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
    rest_s = {row: _rest_s(row, took, now) for row in seen.in_work}
    living = [rest_s[row] for row in rest_s if row.lease_until and row.lease_until >= now]
    # Where no runner lives, one is supposed: there is an order all the same.
    free_s = [*living, *[0.0] * (seen.runners - len(living))] or [0.0]
    turns = {row.bot.owner_id: rest_s[row] for row in rest_s if isinstance(row, Version)}
    return forecasting.starts(jobs, free_s=free_s, turns=turns)


def _rest_s(row: Row, took: Durations, now: datetime) -> float:
    elapsed_s = (now - row.taken_at).total_seconds() if row.taken_at else 0.0
    return forecasting.remaining_s(took.of(fleet.kind_of(row)), elapsed_s=elapsed_s)


def _behind(in_work: Iterable[Row], order: Iterable[_Waiting]) -> set[Key]:
    owners = {row.bot.owner_id for row in in_work if isinstance(row, Version)}
    behind = set[Key]()
    for each in order:
        if each.owner is not None:
            if each.owner in owners:
                behind.add(each.key)
            owners.add(each.owner)
    return behind
