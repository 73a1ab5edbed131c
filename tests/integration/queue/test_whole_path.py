"""The whole path of matches in small fleets: the long runs are a job of the soak."""

import pytest

from arena.domain.queue import scheduling
from tests.integration.queue.whole_path import cells
from tests.integration.queue.whole_path.site import Cell

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,
]

CELLS = {
    "4 bots, 2 runners": Cell(2, 4, 40),
    "6 bots, 3 runners, slowed": Cell(3, 6, 60, slowdown=10.0),
    "9 bots, 8 runners that report": Cell(8, 9, 120, reports=True),
    "2 x 6 bots, 8 runners": Cell(8, 6, 80, 2, challenges=0.2, versions=0.05),
}


@pytest.mark.parametrize("name", CELLS)
@pytest.mark.kept("9 bots, 8 runners that report")
def test_nobody_starves_or_is_locked_in(name):
    """Bots arrive one after the other: at first two, who meet again and again."""
    found = cells.simulate(CELLS[name])

    assert found.broken() == []
    assert max(each.largest_share / each.even_share for each in found.varieties) <= 3
    assert max(each.never_met for each in found.varieties) <= 0.25
    assert found.overtaken <= 2 * scheduling.MOST_OVERTAKEN
