"""Random tournaments of every format hold the laws."""

import pytest

from arena.domain.formats.catalogue import FORMATS
from tests.unit.formats import laws
from tests.unit.formats.__main__ import SIZES, breaches, examine

FEW = 21  # `python -m tests.unit.formats` plays thousands


def assert_laws(slug: str, size: int, found: laws.Findings, tournaments: int) -> None:
    assert breaches(slug, size, found) == []
    assert found.tournaments == tournaments
    assert found.meetings > tournaments


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("slug", FORMATS)
def test_laws_hold(slug, size):
    assert_laws(slug, size, examine(slug, size, range(FEW)), FEW)


@pytest.mark.parametrize("slug", FORMATS)
def test_laws_hold_where_two_of_three_win(slug):
    found = examine(slug, 3, range(FEW // 2), two_win=True)
    assert_laws(slug, 3, found, FEW // 2)
