"""Which waiting item the next free runner takes: fair shares, as arithmetic over plain data.

Lanes share the runners: every ladder is one, the checks of versions, challenges and so on are one
each. Between lanes it is start-time fair queueing (P. Goyal, H. Vin, H. Cheng, 1996): a lane has an
account of the runner-seconds that it has used, and the lane with the least on it comes first. As
nobody knows beforehand how long a job takes, the account is charged with what a job of the lane
took lately, and put right when it is over. A lane that had nothing to do does not save up more than
`CREDIT_S`, so no lane can shut the others out when it comes back.

Within a lane the oldest comes first, but for two things, so that a bot delays only itself:

- an item with a party (a bot; the owner of a version) that is in work already lets all others pass,
  of every lane, and is taken when nothing else waits. Meanwhile no younger item with one of its
  parties passes it, so the parties come free for it and it does not wait for ever;
- an item whose bot thought for much longer than a match of the ladder takes is held: others of its
  lane pass until they had as many runner-seconds for each bot as it took too many.

Nothing is ever left undone for order's sake: when only such items wait, they are taken.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from heapq import heapify, heappop, heappush

CREDIT_S = 120.0
JOB_S = 10.0  # what a job is expected to take before the lane has had any
NEWEST_WEIGHT = 0.1  # of the job just done, in what the next is expected to take


@dataclass(frozen=True, slots=True)
class ShareUsage:
    """What a lane has used in runner-seconds; `begun_s` is where its latest job began."""

    used_s: float = 0.0
    begun_s: float = 0.0
    job_s: float = JOB_S


@dataclass(frozen=True, slots=True)
class Item:
    """Something that waits in a lane; `held` where its bot has to let others catch up.

    Parties are those that should be in one job at a time.
    """

    key: tuple[str, int]
    lane: str
    since: datetime
    parties: frozenset[tuple[str, int]]
    held: bool = False


class Turn(IntEnum):
    """Why an item is where it is in the order."""

    OWN = 0  # oldest first
    HELD = 1  # its bot was slow: others of the lane go first
    BUSY = 2  # its bot or owner is in work: everything else goes first


@dataclass(frozen=True, slots=True)
class OrderedItem:
    """An item of the order, with why it is there."""

    item: Item
    turn: Turn


def start_s(name: str, accounts: Mapping[str, ShareUsage]) -> float:
    """Return where on its account the next job of a lane begins: the least goes first."""
    now_s = max((account.begun_s for account in accounts.values()), default=0.0)
    return max(accounts.get(name, ShareUsage()).used_s, now_s - CREDIT_S)


def in_order(
    items: Sequence[Item],
    *,
    accounts: Mapping[str, ShareUsage],
    busy: Collection[tuple[str, int]],
) -> Iterator[OrderedItem]:
    """Yield the items in the order in which runners will take them, as things stand now.

    `busy` are the parties that are in work. Accounts of lanes that have none are empty.
    """
    lanes: dict[str, list[OrderedItem]] = defaultdict(list)
    for place in _placed(items, busy):
        lanes[place.item.lane].append(place)
    starts = {name: start_s(name, accounts) for name in lanes}
    for is_busy in (False, True):
        queues = {
            name: [place for place in places if (place.turn == Turn.BUSY) == is_busy]
            for name, places in lanes.items()
        }
        yield from _merged(queues, starts, accounts)


def _placed(items: Sequence[Item], busy: Collection[tuple[str, int]]) -> list[OrderedItem]:
    """Say of each item what its turn is; those of one turn stay oldest first."""
    taken = set(busy)
    places = []
    for item in sorted(items, key=lambda item: (item.since, item.key)):
        turn = Turn.HELD if item.held else Turn.OWN
        if not taken.isdisjoint(item.parties):
            turn = Turn.BUSY
            if not item.held:
                taken |= item.parties
        places.append(OrderedItem(item, turn))
    return sorted(places, key=lambda place: place.turn)


def _merged(
    queues: Mapping[str, Sequence[OrderedItem]],
    starts: dict[str, float],
    accounts: Mapping[str, ShareUsage],
) -> Iterator[OrderedItem]:
    """Take from the lane that begins lowest, and charge it; `starts` is moved on."""
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
