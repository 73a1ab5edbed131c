"""Random tournaments of every format hold the invariants."""

import pytest

from arena.domain.formats.catalogue import FORMATS
from tests.unit.formats.__main__ import SIZES, breaches, examine

FEW = 12  # `python -m tests.unit.formats` plays thousands


@pytest.mark.parametrize(
    ("size", "two_win", "tournaments"),
    [*((size, False, FEW) for size in SIZES), (3, True, FEW // 2)],
    ids=["two", "three", "two of three win"],
)
@pytest.mark.parametrize("slug", FORMATS)
def test_invariants_hold(slug, size, two_win, tournaments):
    found = examine(slug, size, range(tournaments), two_win=two_win)

    assert breaches(slug, size, found) == []
    assert found.tournaments == tournaments
    assert found.meetings > tournaments
