"""The suite on the embedded stack, for a short while, with fixed seeds; and proof that it can fail.

A file of its own, so that it runs beside the other stack.
"""

import pytest

from tests.e2e.faults.test_faults import AT_ALL, play, struck

pytestmark = [pytest.mark.timeout(1500)]


def test_a_swiss_tournament_ends_as_if_nothing_had_been_killed_on_sqlite_and_the_filesystem():
    size = ("--tournament", "swiss", "--entrants", "5", "--rounds", "3")
    wish = ("--seed", "1", "--minutes", "0.4", "--pause", "1.5")

    status, printed = play("--stack", "sqlite", *size, *wish)

    assert struck(printed, AT_ALL) != set()
    assert "rounds                      3" in printed
    assert status == 0


def test_a_sweeper_that_is_taken_out_is_missed():
    """One blow is enough. After it nobody may be left at play, for whom the next would wait."""
    wish = ("--seed", "1", "--minutes", "0", "--pause", "1", "--blow", "both runners")
    size = ("--tournament", "swiss", "--entrants", "5", "--rounds", "3", "--rest", "0.1")

    status, printed = play(
        "--stack", "sqlite", "--sabotage", "no_sweeper", *size, *wish, "--times", "1"
    )

    assert "NOT AS IT SHOULD BE: abandoned: " in printed
    assert status == 1
