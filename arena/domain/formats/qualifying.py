"""From the tables of groups to the seeds of a play-off."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.domain.formats import elimination, seeding
from arena.domain.formats.types import DecisionNote, PairingState, Setup, StandingsRow, Unplayable

LEAST = 2  # entrants of a play-off
WEIGHT = 1000  # what a meeting of two of a group costs, compared with one in the next round

Tiers = Sequence[Sequence[int]]  # the entrants of each place, the best first


@dataclass(frozen=True, slots=True)
class Qualified:
    """The entrants that advance, the best seed first, and the notes that explain it."""

    ranked: tuple[int, ...]
    notes: tuple[DecisionNote, ...]


def qualify(
    setup: Setup, tables: Mapping[int, Sequence[StandingsRow]], here: Sequence[int], places: int
) -> Qualified:
    """Take the entrants of so many `places` of each group.

    `here` are the entrants that have not left, the best first. If a bracket cannot be played by so
    many, the last ones are left out. Fewer than two make no play-off.
    """
    order = {entrant: at for at, entrant in enumerate(here)}
    taken = {
        group: [row.entrant for row in rows if row.entrant in order][:places]
        for group, rows in tables.items()
    }
    tiers = [
        sorted((own[place] for own in taken.values() if place < len(own)), key=order.__getitem__)
        for place in range(places)
    ]
    count = sum(map(len, tiers))
    while count >= LEAST and not _is_playable(setup, count):
        count -= 1
    fitting = []
    for tier in tiers if count >= LEAST else ():
        fitting.append([*tier[:count]])
        count -= len(fitting[-1])
    group_of = {entrant: group for group, own in taken.items() for entrant in own}
    ranked = arranged(fitting, group_of, setup.size)
    out = [entrant for own in taken.values() for entrant in own if entrant not in ranked]
    notes = []
    for group, rows in tables.items():
        above = [row.entrant for row in rows]
        if taken[group]:
            above = above[: above.index(taken[group][-1])]
        notes += [
            DecisionNote("passed_over", {"group": group, "entrant": entrant})
            for entrant in above
            if entrant not in order
        ]
        notes.append(DecisionNote("qualified", {"group": group, "entrants": [*taken[group]]}))
    notes += [DecisionNote("left_out", {"entrants": out})] if out else []
    return Qualified(ranked, tuple(notes))


def _is_playable(setup: Setup, entrants: int) -> bool:
    try:
        elimination.require(setup, entrants)
    except Unplayable:
        return False
    return True


def arranged(tiers: Tiers, group_of: Mapping[int, int], size: int) -> tuple[int, ...]:
    """Return the seeds: tier after tier, in an order in which two of a group meet late.

    Two of a tier change places as long as that helps. The others keep the order of their results.
    """
    seeds = [entrant for tier in tiers for entrant in tier]
    starts = [sum(map(len, tiers[:number])) for number in range(len(tiers))]
    swaps = [
        (start + one, start + other)
        for start, tier in zip(starts, tiers, strict=True)
        for one, other in combinations(range(len(tier)), 2)
    ]
    slots = seeding.slots_for(max(len(seeds), 1), size)
    place_of = {seed: place for place, seed in enumerate(seeding.table(slots, size))}
    places = [place_of[seed] for seed in range(1, len(seeds) + 1)]

    def cost(order: Sequence[int]) -> int:
        """Return the cost of the possible meetings of two of a group; an early one costs most."""
        homes: defaultdict[int, list[int]] = defaultdict(list)
        for place, entrant in zip(places, order, strict=True):
            homes[group_of[entrant]].append(place)
        pairs = (pair for own in homes.values() for pair in combinations(own, 2))
        return sum(_weight(*pair, slots=slots, size=size) for pair in pairs)

    least, is_better = cost(seeds), True
    while is_better and least:
        is_better = False
        for one, other in swaps:
            changed = [*seeds]
            changed[one], changed[other] = seeds[other], seeds[one]
            if cost(changed) < least:
                seeds, least, is_better = changed, cost(changed), True
    return tuple(seeds)


def _weight(one: int, other: int, *, slots: int, size: int) -> int:
    weight, apart = 1, slots // size
    while apart and one // apart == other // apart:  # in the same part of the bracket
        weight *= WEIGHT
        apart //= size
    return weight


def seeds_of(meetings: Sequence[PairingState], size: int, prefix: str) -> tuple[int, ...]:
    """Return the seeds of a drawn play-off, worked out from its first round.

    Each of its meetings names the better seed first.
    """
    first = {meeting.slot: meeting.entrants for meeting in meetings}
    by_seed: dict[int, int] = {}
    entrants = sum(len(slot) for slot in first.values())
    for position, seeds in enumerate(seeding.meetings(entrants, size), start=1):
        own = first.get(f"{prefix}W1.{position}", ())
        by_seed.update(zip(sorted(seeds), own, strict=True))
    return tuple(by_seed[seed] for seed in sorted(by_seed))
