"""The formats, by the names under which tournaments keep them."""

from collections.abc import Mapping

from arena.domain.formats import (
    double_elimination,
    gauntlet,
    groups,
    knockout,
    roundrobin,
    swiss,
)
from arena.domain.formats.types import Format, Unplayable

FORMATS: Mapping[str, Format] = {
    "round_robin": roundrobin.SINGLE,
    "double_round_robin": roundrobin.DOUBLE,
    "swiss": swiss,
    "single_elimination": knockout,
    "double_elimination": double_elimination,
    "gauntlet": gauntlet,
    "groups_playoff": groups,
}


def find(slug: str) -> Format:
    """Return a format. Raise Unplayable("unknown_format") where there is none of this name."""
    if slug not in FORMATS:
        raise Unplayable("unknown_format", slug=slug, known=sorted(FORMATS))
    return FORMATS[slug]
