"""The formats by name."""

import pytest

from arena.domain.formats import catalogue
from arena.domain.formats.types import Unplayable

SLUGS = [  # tournaments keep them
    "round_robin",
    "double_round_robin",
    "swiss",
    "single_elimination",
    "double_elimination",
    "gauntlet",
    "groups_playoff",
]


def test_published_formats_still_there_in_order():
    assert [slug for slug in catalogue.FORMATS if slug in SLUGS] == SLUGS


def test_unknown_format_refused_naming_known_ones():
    with pytest.raises(Unplayable) as refused:
        catalogue.find("keizer")
    assert refused.value.code == "unknown_format"
    assert refused.value.details == {"slug": "keizer", "known": sorted(catalogue.FORMATS)}
