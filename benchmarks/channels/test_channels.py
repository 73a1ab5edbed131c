"""What passes between programs that should know nothing of each other, by the channel meter.

The long run, with all channels at all levels, is `python -m benchmarks.channels`.
"""

import random

import pytest

from benchmarks.channels import levels, meter, places
from benchmarks.channels.rows import channels
from botkit.languages import RUNTIMES

pytestmark = [pytest.mark.docker]

QUICK = [row for row in channels() if row.quick]
WITHIN = [row for row in QUICK if row.beside is not None]
INTO_THE_NEXT = [row for row in QUICK if row.next_game is not None]


def opened(scores):
    return {name for name, score in scores.items() if score.is_open}


def expected(rows, where, level):
    return {row.name for row in rows if level in (getattr(row, where) or ())}


def test_planted_channel_is_found_and_others_as_listed(tmp_path):
    rng = random.Random(1)
    with levels.level("runc", tmp_path) as isolation:
        within = meter.beside(isolation, tmp_path, WITHIN, rng)
        later = meter.into_the_next_game(isolation, tmp_path, INTO_THE_NEXT, rng)

    planted = [
        score for row, score in {*within.items(), *later.items()} if row.startswith("planted")
    ]
    assert len(planted) == 3
    assert all(score.right == score.sent for score in planted)
    assert opened(within) == expected(WITHIN, "beside", "runc")
    assert opened(later) == expected(INTO_THE_NEXT, "next_game", "runc")


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_containers_share_no_writable_place(runtime, tmp_path):
    """So neither a compiler nor a cache of a runtime leaves a file for another container."""
    assert places.shared(tmp_path, runtime, ("build", "bot")) == set()
