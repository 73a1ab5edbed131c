"""The rules of one game: the board and the armies with the options chosen, worked out once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.variants.siege.army import (
    BESIEGER_GAITS,
    GARRISON_GAITS,
    KINDS,
    SETUPS,
    Kind,
    Setup,
)
from engine.variants.siege.board import (
    FIRST_CIRCLE,
    NAMES,
    SHADE,
    SQUARES,
    circle_ways,
    exit_ways,
    ray,
)

NOWHERE = -1
Step = tuple[int, str]  # the place reached, and the move as text
Ray = tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The rules in the shape that playing needs.

    `rays[kind][place]` are the lines that a piece of that kind may go along, nearest place first;
    `steps` the same in one list, for the garrison, which never goes further than one step.
    `threats[place]` lists from where besiegers could move there: the place they stand on, the
    square in between or NOWHERE, and a bit for every kind that goes this way. `ends` gives the two
    places of every move that some piece could make.
    """

    options: Mapping[str, Any]
    setup: Mapping[int, Setup]
    rays: tuple[tuple[tuple[Ray, ...], ...], ...]
    steps: tuple[tuple[Ray, ...], ...]
    threats: tuple[tuple[tuple[int, int, int], ...], ...]
    ends: Mapping[str, tuple[int, int]]
    exits: frozenset[tuple[int, int]]
    need_soldiers: int
    need_officers: int
    entry_draws: bool
    draws_at_captures_only: bool
    named_demands: bool
    passes: bool
    officers_only: bool
    max_plies: int | None
    no_progress_plies: int | None
    progress_decides_caps: bool
    progress_decides_rule10: bool


def rules_of(options: Mapping[str, Any]) -> Rules:
    """Return the rules for a full set of options; equal options share one object."""
    return _rules_of(tuple(sorted(options.items())))


@lru_cache(maxsize=64)
def _rules_of(chosen: tuple[tuple[str, Any], ...]) -> Rules:
    options = dict(chosen)
    rays = tuple(_rays(kind, options) for kind in KINDS)
    need_soldiers, need_officers = map(int, options["need_inside"].split("+"))
    return Rules(
        options=options,
        setup=SETUPS[options["setup"]],
        rays=rays,
        steps=tuple(tuple(sum(lines, ()) for lines in places) for places in rays),
        threats=_threats(rays),
        ends={
            text: (start, target)
            for places in rays
            for start, lines in enumerate(places)
            for line in lines
            for target, text in line
        },
        exits=frozenset(exit_ways(options["gates"])),
        need_soldiers=need_soldiers,
        need_officers=need_officers,
        entry_draws=options["fort_entry"] == "immediate",
        draws_at_captures_only=options["rule10_when"] == "capture",
        named_demands=options["demand"] == "named",
        passes=options["besieger_pass"],
        officers_only=options["rule18_who"] == "officers",
        max_plies=options["max_plies"],
        no_progress_plies=options["no_progress_plies"],
        progress_decides_caps=options["caps"] == "progress",
        progress_decides_rule10=options["rule10"] == "progress",
    )


def _rays(kind: Kind, options: Mapping[str, Any]) -> tuple[tuple[Ray, ...], ...]:
    """Return the lines of a kind from every place."""
    lines: list[list[Ray]] = [_open_lines(kind, square, options) for square in SQUARES]
    for circle, others in circle_ways().items():
        lines.append([(_step(circle, other),) for other in others])
    stays = kind.besieger and not options["besiegers_may_leave"]
    for circle, square in exit_ways(options["gates"]):
        lines[square].append((_step(square, circle),))
        if not stays and kind.shade in (None, SHADE[square]):
            lines[circle].append((_step(circle, square),))
    return tuple(tuple(rays) for rays in lines)


def _open_lines(kind: Kind, square: str, options: Mapping[str, Any]) -> list[Ray]:
    """Return the lines of a kind from a square over other squares."""
    gaits = BESIEGER_GAITS[options["moves"]] if kind.besieger else GARRISON_GAITS
    directions, reach = gaits[kind.rank]
    start = NAMES.index(square)
    ahead = (ray(square, direction, reach) for direction in directions)
    return [tuple(_step(start, target) for target in squares) for squares in ahead if squares]


def _step(start: int, target: int) -> Step:
    return target, f"{NAMES[start]}-{NAMES[target]}"


def _threats(
    rays: tuple[tuple[tuple[Ray, ...], ...], ...],
) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """Turn the besiegers' lines round: who could reach a place, and from where."""
    kinds: list[dict[tuple[int, int], int]] = [{} for _ in NAMES]
    for number, kind in enumerate(KINDS):
        for start, lines in enumerate(rays[number]) if kind.besieger else ():
            for line in lines:
                middle = NOWHERE
                for target, _ in line:
                    way = (start, middle)
                    kinds[target][way] = kinds[target].get(way, 0) | 1 << number
                    middle = target
    return tuple(
        tuple((start, middle, mask) for (start, middle), mask in ways.items()) for ways in kinds
    )


def is_circle(place: int) -> bool:
    """Return whether a place is one of the fort's circles."""
    return place >= FIRST_CIRCLE
