"""What passes between programs that should know nothing of each other, by the channel meter.

The long run, with all channels at all levels, is `python -m benchmarks.channels`.
"""

import random
from dataclasses import replace

import pytest

from benchmarks.channels import levels, meter, places
from benchmarks.channels.rows import channels
from botkit.languages import RUNTIMES
from sandbox.levels.isolation import choose

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


def test_meter_programs_pass_bits_without_isolation(tmp_path):
    """So a channel that is closed above is not just a program that does not work."""
    scores = meter.beside(choose("process"), tmp_path, WITHIN, random.Random(2))

    assert opened(scores) == expected(WITHIN, "beside", "process")
    assert len(opened(scores)) >= len(WITHIN) - 1  # all but the planted one, which is not there


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_containers_share_no_writable_place(runtime, tmp_path):
    """So neither a compiler nor a cache of a runtime leaves a file for another container."""
    assert places.shared(tmp_path, runtime, ("build", "bot")) == set()


def test_shared_place_would_be_seen(tmp_path):
    with levels.planted():
        assert places.shared(tmp_path, "python", ("bot", "bot")) == {levels.PLANTED}


def test_broken_program_is_no_closed_channel(tmp_path):
    broken = replace(QUICK[0], given={"unknown": 1})
    with pytest.raises(meter.MeterBroken, match="unknown"):
        meter.beside(choose("process"), tmp_path, [broken], random.Random(3))
