"""The slots of a bracket: where their entrants come from, and which slots are needed.

They follow from the number of entrants alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
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

    `positions` is the number of places in its column, empty ones too; it is 1 if the columns are no
    tree. Nodes of a `step` are played side by side, and `round` counts the steps that have nodes.
    An entrant that plays here has reached `stage`. If no slot follows, the winner has
    reached `prize`, and the second of three has reached `second`, unless that is 0.
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


def pruned(nodes: Iterable[Node], entrants: int) -> tuple[Node, ...]:
    """Remove the slots that are not needed, and number the rounds; nodes are in the order of steps.

    An entrant alone in a slot of the first step has a bye. In a later step it advances without one.
    """
    instead: dict[Source, Source | None] = {}  # of a source that is not needed; None: nobody comes
    kept = []
    for node in nodes:
        ways = [
            None if source.seed > entrants else instead.get(source, source)
            for source in node.sources
        ]
        sources = [way for way in ways if way is not None]
        for place in range(len(sources) + 1, len(node.sources) + 1):
            instead[Source(slot=node.slot, place=place)] = None
        if len(sources) > 1 or (len(sources) == 1 and node.step == 1):
            kept.append(replace(node, sources=tuple(sources)))
        elif sources:
            instead[Source(slot=node.slot)] = sources[0]
    steps = sorted({node.step for node in kept})
    return tuple(replace(node, round=steps.index(node.step) + 1) for node in kept)
