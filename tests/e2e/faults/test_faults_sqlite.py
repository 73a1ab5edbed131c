"""The suite on the embedded stack, for a short while, with a fixed seed.

A file of its own, so that it runs beside the other stack.
"""

from tests.e2e.faults.test_faults import AT_ALL, play, struck


def test_swiss_tournament_survives_kills_on_sqlite_and_filesystem():
    size = ("--tournament", "swiss", "--entrants", "5", "--rounds", "3")
    wish = ("--seed", "1", "--minutes", "0.4", "--pause", "1.5")

    status, printed = play("--stack", "sqlite", *size, *wish)

    assert struck(printed, AT_ALL) != set()
    assert "rounds                      3" in printed
    assert status == 0
