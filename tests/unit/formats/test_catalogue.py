"""The formats by name: each has what a format has, and its bounds are sound."""

import pytest

from arena.domain.formats import catalogue, tiebreaks
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


@pytest.mark.parametrize("slug", catalogue.FORMATS)
def test_format_tie_breaks_and_options_make_sense(slug):
    found = catalogue.find(slug)
    tiebreaks.check(found.tie_breaks)
    names = [option.name for option in found.options]
    assert len(set(names)) == len(names)
    for option in found.options:
        assert option.least <= option.default <= option.most
        assert not option.is_switch or (option.least, option.most) == (0, 1)
