"""Which waiting item the next free runner takes: fair shares, as arithmetic over plain data.

The runners are shared fairly by queue shares: each ladder is one, each tournament, the checks of
versions, and each other kind of job. The method is start-time fair queueing (P. Goyal, H. Vin,
H. Cheng, 1996). Each share has an account of the runner-seconds that it has used; the share with
the lowest account comes first. Nobody knows beforehand how long a job takes, so the account is
charged with what a job of the share took lately, and corrected when the job is over. A share that
had nothing to do saves up at most `CREDIT_S`, so it cannot shut out the others when it comes back.

Within a share the oldest item comes first, with two exceptions, so that a bot delays only itself:

- An item with a busy party (a bot, or the owner of a version) lets all others pass, in every share,
  and is taken when nothing else waits. Meanwhile no younger item with one of its parties passes it,
  so its parties become free and it does not wait for ever.
- An item is deferred if its bot thought for much longer than a match of the ladder takes. Others of
  its share pass until each bot has had as many runner-seconds as the slow bot took too many.

When only such items wait, they are taken: no runner stays idle for the sake of the order.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from heapq import heapify, heappop, heappush

CREDIT_S = 120.0
JOB_S = 10.0  # what a job is expected to take before the share has had any
NEWEST_WEIGHT = 0.1  # of the job just done, in what the next is expected to take


@dataclass(frozen=True, slots=True)
class ShareUsage:
    """The runner-seconds that a queue share has used; its latest job began at `begun_s`."""

    used_s: float = 0.0
    begun_s: float = 0.0
    job_s: float = JOB_S


@dataclass(frozen=True, slots=True)
class Item:
    """Something that waits in a share; `held` where its bot has to let others catch up.

    Parties are those that should be in one job at a time.
    """

    key: tuple[str, int]
    share: str
    since: datetime
    parties: frozenset[tuple[str, int]]
    deferred: bool = False


class Turn(IntEnum):
    """Why an item is where it is in the order."""

    OWN = 0  # oldest first
    DEFERRED = 1  # its bot was slow: the others of the share go first
    BUSY = 2  # its bot or owner is at work: everything else goes first


@dataclass(frozen=True, slots=True)
class OrderedItem:
    """An item of the order, with why it is there."""

    item: Item
    turn: Turn


def start_s(name: str, accounts: Mapping[str, ShareUsage]) -> float:
    """Return where on its account the next job of a share begins; the lowest comes first."""
    now_s = max((account.begun_s for account in accounts.values()), default=0.0)
    return max(accounts.get(name, ShareUsage()).used_s, now_s - CREDIT_S)


def in_order(
    items: Sequence[Item],
    *,
    accounts: Mapping[str, ShareUsage],
    busy: Collection[tuple[str, int]],
) -> Iterator[OrderedItem]:
    """Yield the items in the order in which runners will take them, as things stand now.

    `busy` are the parties that are at work. A share without an account has an empty one.
    """
    shares: dict[str, list[OrderedItem]] = defaultdict(list)
    for place in _placed(items, busy):
        shares[place.item.share].append(place)
    starts = {name: start_s(name, accounts) for name in shares}
    for is_busy in (False, True):
        queues = {
            name: [place for place in places if (place.turn == Turn.BUSY) == is_busy]
            for name, places in shares.items()
        }
        yield from _merged(queues, starts, accounts)


def _placed(items: Sequence[Item], busy: Collection[tuple[str, int]]) -> list[OrderedItem]:
    """Return the items by turn, and the oldest first within a turn."""
    taken = set(busy)
    places = []
    for item in sorted(items, key=lambda item: (item.since, item.key)):
        turn = Turn.DEFERRED if item.deferred else Turn.OWN
        if not taken.isdisjoint(item.parties):
            turn = Turn.BUSY
            if not item.deferred:
                taken |= item.parties
        places.append(OrderedItem(item, turn))
    return sorted(places, key=lambda place: place.turn)


def _merged(
    queues: Mapping[str, Sequence[OrderedItem]],
    starts: dict[str, float],
    accounts: Mapping[str, ShareUsage],
) -> Iterator[OrderedItem]:
    """Yield from the share that begins lowest, and charge it in `starts`."""
    waiting = {name: iter(places) for name, places in queues.items()}
    heap = [(starts[name], name) for name in queues]
    heapify(heap)
    while heap:
        _, name = heappop(heap)
        place = next(waiting[name], None)
        if place is not None:
            yield place
            starts[name] += accounts.get(name, ShareUsage()).job_s
            heappush(heap, (starts[name], name))
