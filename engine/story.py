"""Why a game went as it did: what each seat did not know, lost and used, ply by ply."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log2

from engine.record import Record, begin, is_opening, take
from engine.registry import recorded_options
from engine.variant import FULL

TURNING_POINTS = 3
LEAST_BITS = 1.0  # what is less does not turn a game


@dataclass(frozen=True, slots=True)
class Moment:
    """A game after `ply` plies, by seat.

    `hidden_bits` is the binary logarithm of the number of ways to deal the ranks that a seat does
    not see, so that all it has seen fits: 0 also where what is hidden is no rank. `lost` counts the
    pieces that have left the board, and `used_ms` the time charged to the clock, 0 for a person.
    """

    ply: int
    hidden_bits: Mapping[str, float]
    lost: Mapping[str, int]
    used_ms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A ply at which `seat` learned `bits` more than another one."""

    ply: int
    seat: str
    bits: float


@dataclass(frozen=True, slots=True)
class Story:
    """The moments of a game from the end of its opening on, and where its knowledge turned."""

    seats: tuple[str, ...]
    moments: tuple[Moment, ...]
    turning_points: tuple[TurningPoint, ...]


def story_of(record: Record) -> Story:
    """Return the story of a game. Raise BadRecord for one that cannot be played again.

    A game that ended in its opening has at most one moment, and one whose rules lack `watch` no
    bits.
    """
    variant, state = begin(record)
    options = recorded_options(variant, record.options)
    watchers = {
        seat: variant.watch(options, variant.view(state, seat))
        for seat in variant.seats
        if variant.has_worlds
    }
    used_ms = dict.fromkeys(variant.seats, 0.0)
    moments: list[Moment] = []
    for number, played in enumerate(record.actions, start=1):
        events = take(variant, state, number, played)
        for seat, watcher in watchers.items():
            for event in events:
                watcher.hear(event.seen_by(seat))
        used_ms[played.seat] += played.charged_ms
        if not is_opening(variant, state):
            scene = variant.scene(variant.view(state, FULL))
            lost = Counter(gone.side for gone in scene.removed)
            moments.append(
                Moment(
                    ply=variant.ply(state),
                    hidden_bits={
                        seat: log2(watcher.deal().count) for seat, watcher in watchers.items()
                    },
                    lost={seat: lost[seat] for seat in variant.seats},
                    used_ms=dict(used_ms),
                )
            )
    return Story(variant.seats, tuple(moments), _turning_points(moments))


def _turning_points(moments: list[Moment]) -> tuple[TurningPoint, ...]:
    """Return the plies at which one seat learned most more than another, in their order."""
    found = []
    for before, after in pairwise(moments):
        learned = {
            seat: max(0.0, before.hidden_bits[seat] - bits)
            for seat, bits in after.hidden_bits.items()
        }
        seat, most = max(learned.items(), key=lambda each: each[1], default=("", 0.0))
        bits = most - min(learned.values(), default=0.0)
        if bits >= LEAST_BITS:
            found.append(TurningPoint(after.ply, seat, bits))
    largest = sorted(found, key=lambda point: -point.bits)[:TURNING_POINTS]
    return tuple(sorted(largest, key=lambda point: point.ply))
