"""What a seat can work out about ranks it does not see: exact counts, and exact chance.

Hidden ranks are dealt to places. A deal is possible if it gives every place a rank that the place
may have, uses each rank as often as it is there, and meets every condition. All possible deals
count the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import Any, NamedTuple, Protocol, TypeVar

from engine.rng import Rng

S_co = TypeVar("S_co", covariant=True)

Ranks = frozenset[str]
OUT_OF_SIGHT = ("hand", "pile")  # how the names of places begin that no view shows


class Watcher(Protocol[S_co]):
    """What one seat knows of a game, kept up to date by the events that it hears."""

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event as the seat sees it, in its order."""

    def deal(self) -> "Deal":
        """Return how the ranks may be dealt that the seat does not see, places by their ids."""

    def world(self, rng: Rng) -> S_co:
        """Draw a state that fits all that the seat has seen; each has the same chance."""


def hold_first(view: Mapping[str, Any]) -> None:
    """Raise ValueError for a later view than the first, as what happened before is not in it."""
    if view["phase"] != "deploy" or view["ply"]:
        raise ValueError("knowledge begins with the first view of a game, in `deploy`")


@dataclass(frozen=True, slots=True)
class Term:
    """Counts the places that have one of the ranks named for them, but no more than `most`."""

    ranks: Mapping[str, Ranks]
    most: int


@dataclass(frozen=True, slots=True)
class Condition:
    """A deal meets it if its terms together count to `least` or more."""

    terms: tuple[Term, ...]
    least: int


class Share(NamedTuple):
    """How many places of each group get ranks of each kind, and how many deals share like this."""

    counts: tuple[tuple[int, ...], ...]
    weight: int


class Deal:
    """All ways to deal `unseen` ranks to places, each of which may have some of them.

    Places with the same ranks and the same part in all conditions form a group. Ranks that no place
    and no condition tells apart form a kind. So only the counts of kinds by group are gone through.
    """

    def __init__(
        self,
        places: Mapping[str, Ranks],
        unseen: Mapping[str, int],
        conditions: Sequence[Condition] = (),
    ) -> None:
        """Take as many places as there are unseen ranks."""
        self.conditions = tuple(conditions)
        self.unseen = {rank: count for rank, count in unseen.items() if count}
        terms = [term for condition in self.conditions for term in condition.terms]
        none: Ranks = frozenset()
        groups: dict[tuple[Ranks, ...], list[str]] = {}
        for place, may in places.items():
            parts = (may, *(term.ranks.get(place, none) for term in terms))
            groups.setdefault(parts, []).append(place)
        by_size = sorted(groups.items(), key=lambda group: len(group[1]))
        self._groups = [tuple(places) for _, places in by_size]
        parts_of = [parts for parts, _ in by_size]
        kinds: dict[tuple[bool, ...], list[str]] = {}
        for rank in self.unseen:
            membership = tuple(rank in part for parts in parts_of for part in parts)
            kinds.setdefault(membership, []).append(rank)
        self._kinds = list(kinds.values())
        self._sizes = [sum(self.unseen[rank] for rank in kind) for kind in self._kinds]
        # For each group and kind: whether it may be there, and by term whether it is counted.
        self._told = [
            [[kind[0] in part for part in parts] for kind in self._kinds] for parts in parts_of
        ]
        self._due = self._due_by_group()

    def _due_by_group(self) -> list[list[tuple[Condition, int]]]:
        """List with each group the conditions that no later one bears on, so all is known by then.

        The number is that of the first term in what is told of a group.
        """
        due: list[list[tuple[Condition, int]]] = [[] for _ in self._groups or ((),)]
        first = 1  # whether a kind may be there comes before the terms
        for condition in self.conditions:
            numbers = range(first, first + len(condition.terms))
            touched = [
                group
                for group, kinds in enumerate(self._told)
                if any(marks[number] for marks in kinds for number in numbers)
            ]
            due[max(touched, default=0)].append((condition, first))
            first = numbers.stop
        return due

    @cached_property
    def shares(self) -> list[Share]:
        """Every way to share the kinds out among the groups."""
        return [
            Share(counts, prod(map(_arrangements, counts)))
            for counts in self._shared((), tuple(self._sizes))
        ]

    @cached_property
    def total(self) -> int:
        """The weight of all shares: the number of ways to deal kinds to places."""
        return sum(share.weight for share in self.shares)

    @property
    def count(self) -> int:
        """The number of deals."""
        of_kinds = (_arrangements([self.unseen[rank] for rank in kind]) for kind in self._kinds)
        return self.total * prod(of_kinds)

    @cached_property
    def marginals(self) -> dict[str, dict[str, float]]:
        """The chance of each rank that a place can have: exact, then rounded to a float once.

        Raise ValueError where no deal is possible.
        """
        if not self.total:
            raise ValueError("no deal of the unseen ranks fits what was seen")
        odds: dict[str, dict[str, float]] = {}
        for group, places in enumerate(self._groups):
            chances = {}
            for number, kind in enumerate(self._kinds):
                held = sum(share.counts[group][number] * share.weight for share in self.shares)
                whole = self.total * len(places) * self._sizes[number]
                for rank in kind if held else ():
                    chances[rank] = held * self.unseen[rank] / whole
            odds |= dict.fromkeys(places, chances)
        return odds

    def sample(self, rng: Rng) -> dict[str, str]:
        """Draw one deal, each with the same chance. Raise ValueError where none is possible."""
        if not self.total:
            raise ValueError("no deal of the unseen ranks fits what was seen")
        at = rng.below(self.total)
        for share in self.shares:
            at -= share.weight
            if at < 0:
                break
        piles = [[rank for rank in kind for _ in range(self.unseen[rank])] for kind in self._kinds]
        for pile in piles:
            rng.shuffle(pile)
        dealt: dict[str, str] = {}
        for places, counts in zip(self._groups, share.counts, strict=True):
            ranks = [
                pile.pop() for pile, count in zip(piles, counts, strict=True) for _ in range(count)
            ]
            rng.shuffle(ranks)
            dealt |= zip(places, ranks, strict=True)
        return dealt

    def _shared(
        self, chosen: tuple[tuple[int, ...], ...], left: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Yield the counts of all groups, given those of the first ones and what is left."""
        group = len(chosen)
        if group == len(self._groups):
            if not any(left):
                yield chosen
            return
        most = [left[kind] * marks[0] for kind, marks in enumerate(self._told[group])]
        for counts in _compositions(len(self._groups[group]), most):
            shared = (*chosen, counts)
            if all(
                self._count(condition, first, shared) >= condition.least
                for condition, first in self._due[group]
            ):
                rest = tuple(have - gone for have, gone in zip(left, counts, strict=True))
                yield from self._shared(shared, rest)

    def _count(self, condition: Condition, first: int, shared: tuple[tuple[int, ...], ...]) -> int:
        """Return what the terms of a condition count in the groups that have their counts."""
        count = 0
        for number, term in enumerate(condition.terms, start=first):
            held = sum(
                have
                for counts, told in zip(shared, self._told, strict=False)
                for have, parts in zip(counts, told, strict=True)
                if parts[number]
            )
            count += min(held, term.most)
        return count


def _compositions(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way to write a total as one number for each limit, none over its limit."""
    if not most:
        if total == 0:
            yield ()
        return
    for first in range(max(0, total - sum(most[1:])), min(total, most[0]) + 1):
        for rest in _compositions(total - first, most[1:]):
            yield (first, *rest)


def _arrangements(counts: Sequence[int]) -> int:
    """Return in how many orders so many things of each kind can stand."""
    return factorial(sum(counts)) // prod(map(factorial, counts))
