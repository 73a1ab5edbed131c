"""What a bracket looks like: slots, where their entrants come from, and which of them are needed.

It follows from the number of entrants alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Part(StrEnum):
    """The parts of a bracket."""

    UPPER = "upper"
    LOWER = "lower"
    THIRD_PLACE = "third_place"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entrant of a slot comes from: a seed, or a place in another slot (1 its winner)."""

    seed: int = 0
    slot: str = ""
    place: int = 1


@dataclass(frozen=True, slots=True)
class Node:
    """A slot. `column` and `position` are its place in its part, from 1.

    Its column has so many `positions`, those that nobody needs too: 1 where they are no tree.
    Nodes of a `step` are played side by side; `round` counts the steps in which there are any. Who
    plays here has reached `stage`; who wins here and has nowhere to go has reached `prize`, and the
    second of three `second` where it is not 0.
    """

    slot: str
    part: Part
    column: int
    position: int
    sources: tuple[Source, ...]
    step: int
    stage: int
    prize: int = 0
    second: int = 0
    round: int = 0
    positions: int = 1


@dataclass(slots=True)
class _Ways:
    """Which way leads on from a slot that nobody needs to play in."""

    entrants: int
    ways: dict[Source, Source | None] = field(default_factory=dict)

    def follow(self, source: Source) -> Source | None:
        if source.seed:
            return source if source.seed <= self.entrants else None
        return self.ways.get(source, source)

    def close(self, node: Node, sources: Sequence[Source], *, is_kept: bool) -> None:
        for place in range(len(sources) + 1, len(node.sources) + 1):
            self.ways[Source(slot=node.slot, place=place)] = None
        if not is_kept and sources:
            self.ways[Source(slot=node.slot)] = sources[0]


def pruned(nodes: Iterable[Node], entrants: int) -> tuple[Node, ...]:
    """Take out the slots that nobody needs, and count the rounds; nodes in the order of steps.

    One who is alone in a slot of the first step has a bye there; later on it just goes on.
    """
    ways = _Ways(entrants)
    kept = []
    for node in nodes:
        sources = [way for way in map(ways.follow, node.sources) if way is not None]
        is_kept = len(sources) > 1 or (len(sources) == 1 and node.step == 1)
        ways.close(node, sources, is_kept=is_kept)
        if is_kept:
            kept.append(replace(node, sources=tuple(sources)))
    steps = sorted({node.step for node in kept})
    return tuple(replace(node, round=steps.index(node.step) + 1) for node in kept)
