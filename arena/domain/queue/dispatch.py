"""What the next free runner takes: the waiting rows in the order of fair shares, and the claim.

The order is that of `scheduling`; the rows own the jobs, as everywhere. Shares have accounts, rows
of their own, that are changed by one statement each and outside of every other transaction.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils import timezone

from arena.domain.bots import versions
from arena.domain.matches import lifecycle
from arena.domain.matches.leases import Lease
from arena.domain.queue import scheduling
from arena.domain.queue.scheduling import Item, OrderedItem, ShareUsage
from arena.models import (
    Entrant,
    Match,
    MatchEntrant,
    MatchKind,
    QueueShare,
    Tournament,
    TournamentStatus,
    Version,
)

LOOK = 100  # of the oldest in each share, where more wait than can be looked at for one claim
ROUNDS = 20  # looks at the queue; in each but the last, others took what was seen
CHECKS = "checks"
OF_TOURNAMENT = "pairing__round__tournament"

Party = tuple[str, int]  # what it is, and its row
Waiting = tuple[int, int, str, int | None, datetime | None]  # row, ladder, kind, tournament, since


def share_name(*, ladder_pk: int, kind: str, tournament_pk: int | None = None) -> str:
    """Name the share of a match: its ladder's, its tournament's, or that of all of another kind."""
    if tournament_pk is not None:
        return f"tournament {tournament_pk}"
    return f"ladder {ladder_pk}" if kind == MatchKind.LADDER else kind


def share_names(*, ladder_pk: int, kind: str) -> list[str]:
    """Name the shares in which matches of a kind on a ladder may wait now."""
    if kind != MatchKind.TOURNAMENT:
        return [share_name(ladder_pk=ladder_pk, kind=kind)]
    running = Tournament.objects.filter(ladder=ladder_pk, status=TournamentStatus.RUNNING)
    return [
        share_name(ladder_pk=ladder_pk, kind=kind, tournament_pk=pk)
        for pk in running.order_by("pk").values_list("pk", flat=True)
    ]


def order(*, takes_s: Mapping[str, float]) -> list[Item]:
    """Return what waits and is due as it will be taken once the bots that are in work are free.

    `takes_s` has how long a job of a share takes, for those of which it is known: that is what it
    will have been charged with in the end. No whole row is read for this, so that a long queue can
    be looked at often.
    """
    accounts = _accounts()
    for name, seconds in takes_s.items():
        accounts[name] = replace(accounts.get(name, ShareUsage()), job_s=seconds)
    items = [*_matches(None, accounts), *_versions(None, [])]
    return [place.item for place in scheduling.in_order(items, accounts=accounts, busy=())]


def claim_next() -> Lease | None:
    """Take what is first in that order; None where nothing that is due can be taken.

    Where another runner was quicker, the next item is tried that has nothing to do with what was
    lost to it, and then there is another look: None means that nothing was left to be taken.
    """
    for _ in range(ROUNDS):
        lost: set[Party] = set()
        for place in _in_order(limit=LOOK):
            if not lost.isdisjoint(place.item.parties):
                continue  # they are in work by now
            lease = _claim(place.item)
            if lease is not None:
                return replace(lease, charged_s=_charge(place.item.share))
            lost |= place.item.parties
        if not lost:
            break
    return None


def record_job_cost(
    *, lease: Lease, took_s: float, bot_wall_s: Mapping[int, float] | None = None
) -> None:
    """Put the account of the share right when a job is over, however it ended.

    `took_s` is how long a runner was kept. `bot_wall_s` has the seconds that each bot of a match
    was waited for: one that took far longer than a whole match of the ladder usually does lets the
    others of the ladder catch up.
    """
    match = _match_of(lease)
    name = CHECKS if match is None else _lane(match)
    account = _accounts().get(name, ShareUsage())
    QueueShare.objects.filter(name=name).update(
        used_s=F("used_s") + took_s - lease.charged_s,
        job_s=F("job_s") + scheduling.NEWEST_WEIGHT * (took_s - F("job_s")),
    )
    if match is not None and match.kind == MatchKind.LADDER:
        for bot_pk, seconds in (bot_wall_s or {}).items():
            if seconds > account.job_s:
                _hold(Entrant(ladder_id=match.ladder_id, bot_id=bot_pk), account, seconds)


def deferred(*, ladder_pk: int) -> set[int]:
    """Return the bots of a ladder that let others of it pass for now."""
    account = _accounts().get(share_name(ladder_pk=ladder_pk, kind=MatchKind.LADDER), ShareUsage())
    rows = Entrant.objects.filter(ladder=ladder_pk, deferred_until_s__gt=account.used_s)
    return set(rows.values_list("bot", flat=True))


def _match_of(lease: Lease) -> Match | None:
    if lease.model is not Match:
        return None
    return Match.objects.select_related("pairing__round").get(pk=lease.pk)


def _lane(match: Match) -> str:
    tournament = match.pairing.round.tournament_id if match.pairing else None
    return share_name(ladder_pk=match.ladder_id, kind=match.kind, tournament_pk=tournament)


def _hold(entrant: Entrant, account: ShareUsage, seconds: float) -> None:
    others = Entrant.objects.filter(ladder=entrant.ladder_id, active=True).count() - 1
    until_s = account.used_s + others * (seconds - account.job_s)
    Entrant.objects.filter(ladder=entrant.ladder_id, bot=entrant.bot_id).update(
        deferred_until_s=Greatest(F("deferred_until_s"), until_s)
    )


def _claim(item: Item) -> Lease | None:
    model, pk = item.key
    return lifecycle.claim(match_pk=pk) if model == "match" else versions.claim(version_pk=pk)


def _charge(name: str) -> float:
    """Charge a share with what a job of it is expected to take; return how much that is."""
    accounts = _accounts()
    began_s = scheduling.start_s(name, accounts)
    expected_s = accounts.get(name, ShareUsage()).job_s
    if name not in accounts:
        QueueShare.objects.bulk_create(
            [QueueShare(name=name, job_s=expected_s)], ignore_conflicts=True
        )
    QueueShare.objects.filter(name=name).update(
        begun_s=Greatest(F("begun_s"), began_s),
        used_s=Greatest(F("used_s"), began_s) + expected_s,
    )
    return expected_s


def _accounts() -> dict[str, ShareUsage]:
    rows = QueueShare.objects.values_list("name", "used_s", "begun_s", "job_s")
    return {name: ShareUsage(*columns) for name, *columns in rows}


def _in_order(*, limit: int | None) -> Iterator[OrderedItem]:
    accounts = _accounts()
    busy = _in_work()
    # Versions of one owner are never checked side by side: whoever asks to claim need not see them.
    barred = [] if limit is None else [row for kind, row in busy if kind == "owner"]
    items = [*_matches(limit, accounts), *_versions(limit, barred)]
    return scheduling.in_order(items, accounts=accounts, busy=busy)


def _matches(limit: int | None, accounts: Mapping[str, ShareUsage]) -> list[Item]:
    rows = _oldest(limit)
    bots: dict[int, set[int]] = defaultdict(set)
    entered = MatchEntrant.objects.filter(match__in=[pk for pk, *_ in rows])
    for match_pk, bot_pk in entered.values_list("match", "version__bot"):
        bots[match_pk].add(bot_pk)
    slow = _slow({ladder for _, ladder, kind, *_ in rows if kind == MatchKind.LADDER}, accounts)
    return [
        Item(
            key=("match", pk),
            share=share_name(ladder_pk=ladder, kind=kind, tournament_pk=tournament),
            since=since or timezone.now(),
            parties=frozenset(("bot", bot) for bot in bots[pk]),
            deferred=kind == MatchKind.LADDER and any((ladder, bot) in slow for bot in bots[pk]),
        )
        for pk, ladder, kind, tournament, since in rows
    ]


def _oldest(limit: int | None) -> list[Waiting]:
    """Return the matches that wait; with a limit those of each share, when there are very many."""
    due = Match.objects.runnable().due().order_by("queued_at", "pk")
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


def _slow(ladders: Collection[int], accounts: Mapping[str, ShareUsage]) -> set[tuple[int, int]]:
    """Return ladder and bot of all that let others of their ladder pass."""
    is_deferred = Q(pk__in=[])
    for ladder in ladders:
        account = accounts.get(share_name(ladder_pk=ladder, kind=MatchKind.LADDER), ShareUsage())
        is_deferred |= Q(ladder=ladder, deferred_until_s__gt=account.used_s)
    return set(Entrant.objects.filter(is_deferred).values_list("ladder", "bot"))


def _versions(limit: int | None, barred_owners: Collection[int]) -> list[Item]:
    due = Version.objects.waiting().due()
    allowed = due.exclude(bot__owner__in=barred_owners).order_by("queued_at", "pk")
    rows = allowed.values_list("pk", "bot__owner", "queued_at")[:limit]
    return [
        Item(
            key=("version", pk),
            share=CHECKS,
            since=since or timezone.now(),
            parties=frozenset([("owner", owner)]),
        )
        for pk, owner, since in rows
    ]


def _in_work() -> set[Party]:
    playing = MatchEntrant.objects.filter(match__status__in=Match.IN_WORK)
    checked = Version.objects.in_work()
    return {
        *(("bot", bot) for bot in playing.values_list("version__bot", flat=True)),
        *(("owner", owner) for owner in checked.values_list("bot__owner", flat=True)),
    }
