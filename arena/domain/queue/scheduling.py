"""The order in which free runners take the waiting items: fair shares, arithmetic over plain data.

The runners are shared fairly by queue shares: each ladder is one, each tournament, the checks of
versions, and each other kind of job. The method is start-time fair queueing (P. Goyal, H. Vin,
H. Cheng, 1996). Each share has an account of the runner-seconds that it has used; the share with
the lowest account comes first. The duration of a job is not known beforehand, so the account is
charged with the recent duration of jobs of the share, and corrected when the job is over. A share
without jobs saves up at most `CREDIT_S`, so it cannot block the others when it gets jobs again.

Within a share the oldest item comes first, with two exceptions, so that a bot delays only itself:

- An item with a busy party (a bot, or the owner of a version) lets all others pass, in every share,
  and is taken when nothing else waits. Meanwhile no younger item with one of its parties passes it,
  so its parties become free and its wait ends.
- An item is deferred if the clock of its bot was charged more than those of all bots of a usual
  match. Clocks charge CPU time where they can, so a slow host makes no bot slow. Other items of its
  share pass until every bot has had as many runner-seconds as the slow bot had in excess, but not
  for ever: see `longest_deferral_s`.

If only such items wait, they are taken: the order never keeps a runner idle.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush

CREDIT_S = 120.0
JOB_S = 10.0  # the expected duration of the first job of a share, and the thinking in it
MOST_OVERTAKEN = 4
LEAST_DEFERRAL_S = 30.0
DEFERRAL_JOBS = 3.0
NEWEST_WEIGHT = 0.1  # of the latest job in the expected duration of the next


@dataclass(frozen=True, slots=True)
class ShareUsage:
    """The runner-seconds that a queue share has used; its latest job began at `begun_s`.

    `clock_s` is what the clocks of all bots of a usual match are charged.
    """

    used_s: float = 0.0
    begun_s: float = 0.0
    job_s: float = JOB_S
    clock_s: float = JOB_S


@dataclass(frozen=True, slots=True)
class Item:
    """A waiting job of a share. It is `deferred` if its bot must let others catch up.

    A party should be in one job at a time.
    """

    key: tuple[str, int]
    share: str
    since: datetime
    parties: frozenset[tuple[str, int]]
    deferred: bool = False


def longest_deferral_s(job_s: float) -> float:
    """Return how long an item of a slow bot lets others pass; a usual job takes `job_s`.

    It also stops when younger items of its share have overtaken it `MOST_OVERTAKEN` times.
    """
    return max(LEAST_DEFERRAL_S, DEFERRAL_JOBS * job_s)


def start_s(name: str, accounts: Mapping[str, ShareUsage]) -> float:
    """Return the account at which the next job of a share begins. The lowest one comes first."""
    now_s = max((account.begun_s for account in accounts.values()), default=0.0)
    return max(accounts.get(name, ShareUsage()).used_s, now_s - CREDIT_S)


def in_order(
    items: Sequence[Item], *, accounts: Mapping[str, ShareUsage], busy: Collection[tuple[str, int]]
) -> Iterator[Item]:
    """Yield the items in the order in which runners take them.

    `busy` are the parties that are in a job now. A share without an account has an empty one.
    """
    free, held = _split(items, busy)
    starts = {item.share: start_s(item.share, accounts) for item in items}
    for part in (free, held):
        yield from _merged(part, starts, accounts)


def _split(
    items: Sequence[Item], busy: Collection[tuple[str, int]]
) -> tuple[list[Item], list[Item]]:
    """Return the items whose parties are free, the deferred ones last, and the others.

    Both lists have the oldest items first otherwise.
    """
    taken = set(busy)
    free, held = [], []
    for item in sorted(items, key=lambda item: (item.since, item.key)):
        if taken.isdisjoint(item.parties):
            free.append(item)
        else:
            held.append(item)
            if not item.deferred:
                taken |= item.parties
    return sorted(free, key=lambda item: item.deferred), held


def _merged(
    items: Sequence[Item], starts: dict[str, float], accounts: Mapping[str, ShareUsage]
) -> Iterator[Item]:
    """Yield the items, each from the share with the lowest start, and charge it in `starts`."""
    waiting: dict[str, deque[Item]] = defaultdict(deque)
    for item in items:
        waiting[item.share].append(item)
    heap = [(starts[name], name) for name in waiting]
    heapify(heap)
    while heap:
        _, name = heappop(heap)
        yield waiting[name].popleft()
        starts[name] += accounts.get(name, ShareUsage()).job_s
        if waiting[name]:
            heappush(heap, (starts[name], name))
