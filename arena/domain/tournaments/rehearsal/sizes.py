"""The size of a rehearsal, and the roles of its seeds. Plain data: nothing is written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from arena.domain.formats.base import Format
from arena.domain.formats.types import Entry, Setup, Unplayable

AS_IT_IS = (5, 7)  # entrants with unchanged options; odd, for a bye
AT_LEAST = (5, 7, 6, 8, 4, 9, 10, 11, 12, 13, 14, 15, 16)  # entrants with lowered options
MOST_TRIES = 2000


@dataclass(frozen=True, slots=True)
class RehearsalSize:
    """The number of entrants of a rehearsal, and its options of the format."""

    entrants: int
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of seeds: the twins are equal and meet in round 1, and the quitter crashes."""

    twins: tuple[int, int]
    quitter: int


def fit(*, format_: Format, setup: Setup) -> RehearsalSize:
    """Return the smallest size of a tournament like this one.

    It keeps the options if few entrants can play with them. Otherwise it lowers their numbers as
    little as possible. Raise Unplayable if neither is possible.
    """
    own = dict(setup.options)
    candidates = [
        *((count, own) for count in AS_IT_IS),
        *((count, options) for count in AT_LEAST for options in _lowered(format_, own)),
    ]
    reason: Unplayable | None = None
    for count, options in candidates:
        try:
            format_.check(replace(setup, options=options), count)
        except Unplayable as exc:
            reason = reason or exc
        else:
            return RehearsalSize(count, options)
    raise reason or Unplayable("too_few_entrants", least=2, entrants=0)


def roles(*, format_: Format, setup: Setup, entrants: int) -> Roles:
    """Return the roles of the seeds. If possible, the quitter plays in round 1 too."""
    seeds = range(1, entrants + 1)
    drawn = format_.initial_pairings(setup, [Entry(seed, seed) for seed in seeds])
    first, *others = (
        meeting.entrants
        for meeting in drawn.meetings
        if not meeting.is_over and len(meeting.entrants) > 1
    )
    twins = (first[0], first[1])
    elsewhere = [seed for entrants_ in others for seed in entrants_]
    left = [seed for seed in seeds if seed not in twins]
    return Roles(twins, max(elsewhere, default=left[-1]))


def _lowered(format_: Format, own: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the options with lower numbers, those closest to the original first."""
    numbers = [option for option in format_.options if not option.is_switch]
    ranges: Sequence[range] = [
        range(int(own.get(option.name, option.default)), option.least - 1, -1) for option in numbers
    ]
    tried = islice(product(*ranges), MOST_TRIES)
    for values in sorted(tried, key=sum, reverse=True):
        yield {**own, **dict(zip((option.name for option in numbers), values, strict=True))}
