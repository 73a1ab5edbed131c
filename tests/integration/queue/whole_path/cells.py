"""The cells of the simulation, and the table of what came of them."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import override_settings

from arena.domain.ratings import refits
from tests.clocks import Clock
from tests.integration.queue.whole_path import report
from tests.integration.queue.whole_path.report import Report
from tests.integration.queue.whole_path.site import DAY_S, Cell, Site

CELLS = {
    "4 bots, 2 runners": Cell(2, 4, 240),
    "4 bots, 8 runners": Cell(8, 4, 120),
    "9 bots, 2 runners": Cell(2, 9, 400),
    "9 bots, 8 runners": Cell(8, 9, 250),
    "30 bots, 2 runners": Cell(2, 30, 400),
    "30 bots, 8 runners": Cell(8, 30, 600),
    "30 bots, 50 runners": Cell(50, 30, 400),
    "120 bots, 200 runners": Cell(200, 120, 600),
    "9 bots, 2 runners, slowed": Cell(2, 9, 400, slowdown=10.0),
    "30 bots, 8 runners, slowed": Cell(8, 30, 600, slowdown=10.0),
    "120 bots, 200 runners, slowed": Cell(200, 120, 600, slowdown=10.0),
    "3 x 9 bots, 2 runners, all kinds": Cell(2, 9, 500, 3, challenges=0.2, versions=0.05),
    "3 x 9 bots, 8 runners, all kinds": Cell(8, 9, 600, 3, challenges=0.2, versions=0.05),
    "3 x 30 bots, 50 runners, all kinds, slowed": Cell(
        50, 30, 1260, 3, slowdown=10.0, challenges=0.2, versions=0.05
    ),
}
COLUMNS = (
    "cell",
    "longest wait",
    "overtaken",
    "never met",
    "largest share of a pair",
    "most of 24",
    "connected after",
    "matches a minute",
)


def simulate(cell: Cell) -> Report:
    """Play a cell in the database, and take it back."""
    cache.clear()
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        override_settings(LEASE_S=DAY_S, SETTLED_PAUSE_S=0),  # nobody renews, all bots always ask
        transaction.atomic(),
    ):
        # Otherwise the time that a fit really takes says when the next one is due.
        monkeypatch.setattr(refits, "PAUSE", 0)
        site = Site(cell, Clock(monkeypatch))
        site.play()
        found = report.of(site)
        transaction.set_rollback(True)
    return found


def run(*, rng_seed: int, only: str, scale: float) -> int:
    """Simulate the cells with this in their names and print the table. Return 1 if one broke."""
    logging.disable(logging.WARNING)
    broken = []
    _say(f"seed {rng_seed}\n| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    with _database():
        for name, cell in CELLS.items():
            if only in name:
                matches = round(cell.matches * scale)
                found = simulate(replace(cell, matches=matches, rng_seed=rng_seed))
                _say(f"| {name} | {' | '.join(_columns(found))} |")
                broken += [f"{name}: {invariant}" for invariant in found.broken()]
    for each in broken:
        _say(f"does not hold: {each}")
    return int(bool(broken))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _columns(found: Report) -> list[str]:
    worst = max(found.varieties, key=lambda each: each.largest_share / each.even_share)
    return [
        f"{found.longest_wait_s:.0f} s, {found.longest_wait_matches:.1f} n",
        f"{found.overtaken}",
        f"{max(each.never_met for each in found.varieties):.0%}",
        f"{worst.largest_share:.1%} (even {worst.even_share:.1%})",
        f"{max(each.most_of_window for each in found.varieties)}",
        f"{max(each.connected_after / each.bots for each in found.varieties):.1f} n",
        f"{found.per_minute:.1f}",
    ]


@contextmanager
def _database() -> Iterator[None]:
    connection.settings_dict["TEST"]["NAME"] = ":memory:"
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
