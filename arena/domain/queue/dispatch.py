"""Dispatch of jobs to free runners: order the waiting rows by fair shares, and claim one.

`scheduling` computes the order. The rows own the jobs. The accounts of the queue shares are rows of
their own, and each change of them is one statement outside of any other transaction.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone

from arena.domain.bots import versions
from arena.domain.matches import lifecycle
from arena.domain.matches.leases import Lease
from arena.domain.queue import scheduling
from arena.domain.queue.scheduling import Item, ShareUsage
from arena.models import (
    Entrant,
    Match,
    MatchEntrant,
    MatchKind,
    QueueShare,
    Version,
)

LOOK = 100  # the oldest rows of each share that one claim reads, if very many wait
ROUNDS = 20  # attempts of one claim, if other runners take the rows that it has read
BATCH = 16  # matches of which a claim takes the first that nobody else is taking
CHECKS = "checks"
VERSION = "version"
OF_TOURNAMENT = "pairing__round__tournament"

bot_of_version: dict[int, int] = {}  # what this process has read, see `_bots_of`

Party = tuple[str, int]  # "bot" or "owner", and the id
Slow = tuple[int, int, datetime | None]  # id, ladder, since
Waiting = tuple[int, int, str, int | None, datetime | None]  # id, ladder, kind, tournament, since


def share_name(*, ladder_pk: int, kind: str, tournament_pk: int | None = None) -> str:
    """Return the share of a match: that of its ladder, of its tournament, or of its kind."""
    if tournament_pk is not None:
        return f"tournament {tournament_pk}"
    return f"ladder {ladder_pk}" if kind == MatchKind.LADDER else kind


def expected_job_s(*, ladders: Collection[int]) -> dict[int, float]:
    """Return the expected duration of a match of each of these ladders."""
    accounts = _accounts()
    names = {pk: share_name(ladder_pk=pk, kind=MatchKind.LADDER) for pk in ladders}
    return {pk: accounts.get(name, ShareUsage()).job_s for pk, name in names.items()}


def order() -> list[Item]:
    """Return all due jobs in the order in which they will be taken once all bots are free.

    No whole row is read, so that a long queue can be looked at often.
    """
    accounts = _accounts()
    items = [*_matches(None, accounts), *_versions(None, Version.objects.none())]
    return list(scheduling.in_order(items, accounts=accounts, busy=()))


def claim_next() -> Lease | None:
    """Claim the first due job in the order. Return None if no due job can be taken.

    If other runners were faster, try the next jobs that share no party with the lost ones, and then
    read the queue again.
    """
    for _ in range(ROUNDS):
        lost: set[Party] = set()
        accounts = _accounts()
        in_work = MatchEntrant.objects.filter(match__in=Match.objects.in_work().of_bots())
        playing = _bots_of(set(in_work.order_by().values_list("version", flat=True)))
        due = [*_matches(LOOK, accounts), *_versions(LOOK, Version.objects.in_work())]
        busy = {("bot", bot) for bot in playing.values()}
        for batch in _batches(scheduling.in_order(due, accounts=accounts, busy=busy)):
            items = [item for item in batch if lost.isdisjoint(item.parties)]
            if taken := _claim_first(items):
                lease, item = taken
                # Charge the share with the expected duration of its job.
                began_s = scheduling.start_s(item.share, accounts)
                expected_s = accounts.get(item.share, ShareUsage()).job_s
                if item.share not in accounts:
                    QueueShare.objects.bulk_create(
                        [QueueShare(name=item.share, job_s=expected_s)], ignore_conflicts=True
                    )
                QueueShare.objects.filter(name=item.share).update(
                    begun_s=Greatest(F("begun_s"), began_s),
                    used_s=Greatest(F("used_s"), began_s) + expected_s,
                )
                return replace(lease, charged_s=expected_s)
            lost.update(*(item.parties for item in items))  # other runners work with them now
        if not lost:
            break
    return None


def _batches(order: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield the items in their order: versions alone, and matches that share no party.

    So a runner may take any match of a batch while others take those before it.
    """
    batch: list[Item] = []
    parties: set[Party] = set()
    for item in order:
        is_version = item.key[0] == VERSION
        if batch and (is_version or len(batch) == BATCH or not parties.isdisjoint(item.parties)):
            yield batch
            batch, parties = [], set()
        if is_version:
            yield [item]
            continue
        batch.append(item)
        parties |= item.parties
    if batch:
        yield batch


def _claim_first(items: Sequence[Item]) -> tuple[Lease, Item] | None:
    """Claim the first item that can be taken, of a batch or what is left of one.

    Runners that come at the same moment do not wait for each other: the database passes over the
    rows that others lock. SQLite lets one after the other in.
    """
    left = {item.key[1]: item for item in items}
    with transaction.atomic():
        while left:
            pk: int | None = next(iter(left))
            if len(left) > 1:
                place = Case(*(When(pk=pk, then=Value(place)) for place, pk in enumerate(left)))
                rows = Match.objects.waiting().filter(pk__in=list(left)).order_by(place)
                rows = rows.select_for_update(skip_locked=True, no_key=True)
                pk = rows.values_list("pk", flat=True).first()
            if pk is None:
                return None
            item = left.pop(pk)
            if item.key[0] == VERSION:
                lease = versions.claim(version_pk=pk)
            else:
                lease = lifecycle.claim(match_pk=pk)
            if lease is not None:
                return lease, item
    return None


def record_job_cost(
    *, lease: Lease, took_s: float, bot_clock_s: Mapping[int, float] | None = None
) -> None:
    """Correct the account of the share when a job is over, however it ended.

    `took_s` is the time of the runner, and `bot_clock_s` what the clock of each bot of a match was
    charged. A bot that was charged more than all bots of a usual match of the ladder is deferred,
    until the other bots of the ladder have caught up: the excess is its part of `took_s`.
    """
    name, counted = CHECKS, dict[int, float]()
    if lease.model is Match:
        match = Match.objects.select_related("pairing__round").get(pk=lease.pk)
        name = share_name(
            ladder_pk=match.ladder_id,
            kind=match.kind,
            tournament_pk=match.pairing.round.tournament_id if match.pairing else None,
        )
        if match.kind == MatchKind.LADDER:
            counted.update(bot_clock_s or {})
    account = _accounts().get(name, ShareUsage())
    changes = {
        "used_s": F("used_s") + took_s - lease.charged_s,
        "job_s": F("job_s") + scheduling.NEWEST_WEIGHT * (took_s - F("job_s")),
    }
    if total_s := sum(counted.values()):
        changes["clock_s"] = F("clock_s") + scheduling.NEWEST_WEIGHT * (total_s - F("clock_s"))
    QueueShare.objects.filter(name=name).update(**changes)
    for bot_pk, seconds in counted.items():
        if seconds > account.clock_s:
            excess_s = took_s * (seconds - account.clock_s) / total_s
            others = Entrant.objects.filter(ladder=match.ladder_id, active=True).count() - 1
            until_s = account.used_s + others * excess_s
            Entrant.objects.filter(ladder=match.ladder_id, bot=bot_pk).update(
                deferred_until_s=Greatest(F("deferred_until_s"), until_s)
            )


def deferred(*, ladder_pk: int) -> tuple[set[int], set[int]]:
    """Return the deferred bots of a ladder, and its waiting matches that are deferred."""
    accounts = _accounts()
    bots = {bot for _ladder, bot in _deferred([ladder_pk], accounts)}
    if not bots:
        return set(), set()
    rows = Match.objects.waiting().filter(ladder=ladder_pk, kind=MatchKind.LADDER)
    slow = rows.filter(entrants__version__bot__in=bots).values_list("pk", "ladder", "queued_at")
    return bots, _still_deferred(set(slow), accounts)


def _still_deferred(slow: Collection[Slow], accounts: Mapping[str, ShareUsage]) -> set[int]:
    """Return the matches that still let others pass, of these matches of deferred bots.

    A match that was overtaken often or has waited long is taken in its turn.
    """
    now = timezone.now()
    young: dict[int, tuple[int, datetime]] = {}  # id: ladder, since
    for pk, ladder, queued_at in slow:
        name = share_name(ladder_pk=ladder, kind=MatchKind.LADDER)
        since = queued_at or now
        waited_s = (now - since).total_seconds()
        if waited_s < scheduling.longest_deferral_s(accounts.get(name, ShareUsage()).job_s):
            young[pk] = ladder, since
    ladders = {ladder for ladder, _since in young.values()}
    taken = {ladder: _youngest_taken(ladder) for ladder in ladders}
    return {
        pk
        for pk, (ladder, since) in young.items()
        if sum(at > since for at in taken[ladder]) < scheduling.MOST_OVERTAKEN
    }


def _youngest_taken(ladder_pk: int) -> list[datetime]:
    """Return when the youngest `MOST_OVERTAKEN` matches were queued that a runner has taken.

    A match is queued when it is created, and an index finds the newest rows of a ladder.
    """
    rows = Match.objects.filter(ladder=ladder_pk, kind=MatchKind.LADDER, taken_at__isnull=False)
    times = rows.order_by("-created_at", "-pk").values_list("queued_at", flat=True)
    return [at for at in times[: scheduling.MOST_OVERTAKEN] if at is not None]


def _accounts() -> dict[str, ShareUsage]:
    rows = QueueShare.objects.values_list("name", "used_s", "begun_s", "job_s", "clock_s")
    return {name: ShareUsage(*columns) for name, *columns in rows}


def _matches(limit: int | None, accounts: Mapping[str, ShareUsage]) -> list[Item]:
    rows = _oldest(limit)
    entered = MatchEntrant.objects.filter(match__in=[pk for pk, *_ in rows]).order_by()
    entrants = list(entered.values_list("match", "version"))
    bot_of = _bots_of({version for _match, version in entrants})
    bots: dict[int, set[int]] = defaultdict(set)
    for match_pk, version in entrants:
        bots[match_pk].add(bot_of[version])
    slow = _deferred({ladder for _, ladder, kind, *_ in rows if kind == MatchKind.LADDER}, accounts)
    of_slow = {
        (pk, ladder, since)
        for pk, ladder, kind, _tournament, since in rows
        if kind == MatchKind.LADDER and any((ladder, bot) in slow for bot in bots[pk])
    }
    deferred = _still_deferred(of_slow, accounts)
    return [
        Item(
            key=("match", pk),
            share=share_name(ladder_pk=ladder, kind=kind, tournament_pk=tournament),
            since=since or timezone.now(),
            parties=frozenset(("bot", bot) for bot in bots[pk]),
            deferred=pk in deferred,
        )
        for pk, ladder, kind, tournament, since in rows
    ]


def _oldest(limit: int | None) -> list[Waiting]:
    """Return the due matches, oldest first; if there are more than `limit`, those of each share."""
    due = Match.objects.runnable().of_bots().due().order_by("queued_at", "pk")
    columns = ("pk", "ladder", "kind", OF_TOURNAMENT, "queued_at")
    if limit is None:
        return list(due.values_list(*columns))
    rows = list(due.values_list(*columns)[: limit + 1])
    if len(rows) <= limit:
        return rows
    shares = due.order_by().values_list("ladder", "kind", OF_TOURNAMENT).distinct()
    return [
        row
        for ladder, kind, tournament in shares
        for row in due.filter(
            ladder=ladder, kind=kind, pairing__round__tournament=tournament
        ).values_list(*columns)[:limit]
    ]


def _deferred(ladders: Collection[int], accounts: Mapping[str, ShareUsage]) -> set[tuple[int, int]]:
    """Return the pairs (ladder, bot) of all deferred bots of these ladders."""
    is_deferred = Q(pk__in=[])
    for ladder in ladders:
        account = accounts.get(share_name(ladder_pk=ladder, kind=MatchKind.LADDER), ShareUsage())
        is_deferred |= Q(ladder=ladder, deferred_until_s__gt=account.used_s)
    return set(Entrant.objects.filter(is_deferred).order_by().values_list("ladder", "bot"))


def _bots_of(versions: Collection[int]) -> Mapping[int, int]:
    """Return the bot of each version. A process asks once for each, since it never changes."""
    if missing := set(versions) - bot_of_version.keys():
        rows = Version.objects.filter(pk__in=missing).order_by()
        bot_of_version.update(rows.values_list("pk", "bot"))
    return {version: bot_of_version[version] for version in versions}


def _versions(limit: int | None, in_work: QuerySet[Version]) -> list[Item]:
    """Return the due versions, except those of an owner with a version in work.

    The versions of one owner are checked one after the other.
    """
    due = Version.objects.waiting().due()
    busy = in_work.order_by().values("bot__owner")
    allowed = due.exclude(bot__owner__in=busy).order_by("queued_at", "pk")
    rows = allowed.values_list("pk", "bot__owner", "queued_at")[:limit]
    return [
        Item(
            key=(VERSION, pk),
            share=CHECKS,
            since=since or timezone.now(),
            parties=frozenset([("owner", owner)]),
        )
        for pk, owner, since in rows
    ]
