"""For the soak: each guard that is taken out is missed. A blow has to fall at the worst moment."""

import os

import pytest

from tests.e2e.faults.test_faults import play
from tests.soak.jobs import SEED

SOAK_SEED = int(os.environ.get(SEED, "1"))


@pytest.mark.soak
@pytest.mark.docker
@pytest.mark.services
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("sabotage", "found", "options"),
    [
        pytest.param("no_sweeper", "abandoned: ", ("--stack", "sqlite"), id="no_sweeper"),
        pytest.param("rated_apart", "missing: ", ("--stack", "sqlite"), id="rated_apart"),
        pytest.param(
            "drawn_apart",
            "the log has round_drawn",
            ("--stack", "sqlite", "--tournament", "swiss"),
            id="drawn_apart",
        ),
        pytest.param(
            "late_results",
            "doubled: ",
            ("--stack", "postgres", "--blow", "runner frozen", "--minutes", "1", "--pause", "6"),
            id="late_results",
        ),
    ],
)
def test_a_guard_that_is_taken_out_is_missed(sabotage, found, options):
    wish = ("--minutes", "0.4", "--pause", "1.5", "--rest", "0.5")

    for seed in range(SOAK_SEED, SOAK_SEED + 8):
        status, printed = play(*wish, *options, "--seed", str(seed), "--sabotage", sabotage)
        if found in printed:
            break

    assert f"NOT AS IT SHOULD BE: {found}" in printed
    assert status == 1
