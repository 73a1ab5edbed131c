"""Estimates of when each waiting job will begin, and in which order."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from statistics import fmean

from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from arena.domain.queue import dispatch, fleet, forecasting
from arena.domain.queue.fleet import Durations, Fleet, Kind, Row
from arena.domain.queue.forecasting import Job
from arena.models import ANYBODY, Match, MatchEntrant, MatchKind, Version

LONG = 50  # jobs: the outlook of a longer queue is cached
CACHED_S = 3
DRAWS = 40  # simulations of the queue, each with other durations
CERTAINTY = 0.9  # the share of jobs that are to begin within their estimates
BATCH = 100  # rows in one statement
NOTED = 80  # the latest matches from which the stretch is learned
FEWEST_NOTED = 20
STRETCH = (0.5, 10.0)  # the least and the most
SHORTEST = timedelta(seconds=1)  # a shorter wait counts as this
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
    parties: frozenset[Hashable] = frozenset()


def look() -> Outlook:
    """Return the time within which each job probably begins: `CERTAINTY` of them should.

    The present fleet works through the present queue in many simulations. A job takes as long as
    some recent job of its kind, and a running job as long as one that had lasted as long. Jobs that
    come later are not simulated, although they may be taken first, and a host may become slow. So
    the result is stretched by what was missing lately (see `note`). The outlook of a long queue is
    cached for a few seconds.
    """
    cached: Outlook | None = cache.get(CACHE_KEY)
    if cached is not None:
        return cached
    found = _simulate(_stretch())
    if len(found.begins_s) > LONG:
        cache.set(CACHE_KEY, found, CACHED_S)
    return found


def note() -> None:
    """Note once when each waiting match of a ladder should begin, to learn how much to stretch it.

    Matches of tournaments may be held back, and retries have waited before, so they teach nothing.
    """
    now = timezone.now()
    begins_s = _simulate(stretch=1.0).begins_s
    new = Match.objects.runnable().filter(foreseen_on=None, attempt=0, kind=MatchKind.LADDER)
    with transaction.atomic():
        locked = new.select_for_update(no_key=True, skip_locked=True, of=("self",))
        rows = [row for row in locked.only("pk").order_by("pk") if ("match", row.pk) in begins_s]
        for row in rows:
            row.foreseen_on = now
            row.foreseen_at = now + timedelta(seconds=begins_s["match", row.pk])
        Match.objects.bulk_update(rows, ["foreseen_on", "foreseen_at"], batch_size=BATCH)


def _stretch() -> float:
    """Return by what to multiply the simulated waits, so that `CERTAINTY` of the latest were kept.

    A match that still waits counts if its wait is longer already.
    """
    now = timezone.now()
    noted = Match.objects.filter(foreseen_on__isnull=False, attempt__lte=1)
    began = noted.filter(taken_at__gt=F("foreseen_on")).order_by("-taken_at", "-pk")
    late = noted.runnable().filter(foreseen_at__lt=now).order_by("foreseen_at", "pk")
    rows = [
        *began.values_list("foreseen_on", "foreseen_at", "taken_at")[:NOTED],
        *((on, at, now) for on, at in late.values_list("foreseen_on", "foreseen_at")[:NOTED]),
    ]
    ratios = sorted(
        (began_at - on) / max(at - on, SHORTEST)
        for on, at, began_at in rows
        if on and at and began_at
    )
    if len(ratios) < FEWEST_NOTED:
        return 1.0
    found: float = ratios[round(CERTAINTY * (len(ratios) - 1))]
    least, most = STRETCH
    return min(max(found, least), most)


def _simulate(stretch: float) -> Outlook:
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
        begins_s={each.key: stretch * begins_s[each.key] for each in order},
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
    order = dispatch.order(takes_s=_mean_by_share(took))
    played = Match.objects.runnable().order_by("not_before", "pk")
    checked = Version.objects.waiting().order_by("not_before", "pk")
    found = {
        ("match", pk): _Waiting(("match", pk), (ladder, kind), not_before)
        for pk, ladder, kind, not_before in played.values_list("pk", "ladder", "kind", "not_before")
    }
    for pk, owner, not_before in checked.values_list("pk", "bot__owner", "not_before"):
        kind = (None, fleet.VERSION)
        found["version", pk] = _Waiting(("version", pk), kind, not_before, owner)
    due = [
        replace(found.pop(item.key), parties=item.parties) for item in order if item.key in found
    ]
    return due + list(found.values())


def _mean_by_share(took: Durations) -> dict[str, float]:
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for (ladder, kind), seconds in took.by_kind.items():
        names = dispatch.share_names(ladder_pk=ladder, kind=kind) if ladder else [dispatch.CHECKS]
        for name in names:
            shares[name] += seconds
    return {name: fmean(seconds) for name, seconds in shares.items()}


def _begins_s(waiting: Sequence[_Waiting], seen: Fleet, took: Durations) -> list[float]:
    random = Random(1)  # noqa: S311 - the same queue gives the same estimates
    rows = MatchEntrant.objects.filter(match__status__in=Match.IN_WORK)
    playing = list(rows.values_list("match", "version__bot"))
    draws = [_drawn(waiting, seen, took, random, playing) for _ in range(DRAWS)]
    place = round(CERTAINTY * (DRAWS - 1))
    return [sorted(begins)[place] for begins in zip(*draws, strict=True)]


def _drawn(
    waiting: Sequence[_Waiting],
    seen: Fleet,
    took: Durations,
    random: Random,
    playing: Sequence[tuple[int, int]],
) -> list[float]:
    now = timezone.now()
    pools = {each.kind: took.of(each.kind) for each in waiting}
    jobs = [
        Job(
            takes_s=random.choice(pools[each.kind]),
            ready_s=(each.not_before - now).total_seconds() if each.not_before else 0.0,
            turn=each.owner,
            parties=each.parties,
        )
        for each in waiting
    ]
    rest_s: dict[Row, float] = {}
    for row in seen.in_work:
        elapsed_s = (now - row.taken_at).total_seconds() if row.taken_at else 0.0
        longer = [each - elapsed_s for each in took.of(fleet.kind_of(row)) if each > elapsed_s]
        rest_s[row] = random.choice(longer) if longer else elapsed_s * random.random()
    alive = [rest_s[row] for row in rest_s if row.lease_until and row.lease_until >= now]
    # Without a live runner, assume one, so that there still is an order.
    free_s = [*alive, *[0.0] * (seen.runners - len(alive))] or [0.0]
    turns = {row.bot.owner_id: rest_s[row] for row in rest_s if isinstance(row, Version)}
    by_pk = {row.pk: rest_s[row] for row in rest_s if isinstance(row, Match)}
    busy_s: dict[Hashable, float] = {}
    for match, bot in playing:
        busy_s["bot", bot] = max(busy_s.get(("bot", bot), 0.0), by_pk.get(match, 0.0))
    return forecasting.starts(jobs, free_s=free_s, turns=turns, busy_s=busy_s)


def _behind(in_work: Iterable[Row], order: Iterable[_Waiting]) -> set[Key]:
    owners = {row.bot.owner_id for row in in_work if isinstance(row, Version)}
    behind = set[Key]()
    for each in order:
        if each.owner is not None:
            if each.owner in owners:
                behind.add(each.key)
            owners.add(each.owner)
    return behind
