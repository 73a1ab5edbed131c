"""When the channel meter calls a channel open, and how many bits it says have passed."""

import random

import pytest

from tests.sandbox.channels.rows import channels
from tests.sandbox.channels.score import Score, entropy

N = 64


@pytest.mark.parametrize(
    ("right", "is_open"), [(0, False), (32, False), (50, False), (51, True), (64, True)]
)
def test_open_means_more_right_bits_than_chance_gives_once_in_a_million_times(right, is_open):
    assert Score(right, N).is_open == is_open
    assert (Score(right, N).passed > 0) == is_open


def test_runs_add_up_so_that_a_faint_channel_is_found_in_the_end():
    faint = Score(42, N)

    assert not faint.is_open
    assert sum([faint] * 8, Score()).is_open


def test_nothing_passes_where_the_call_was_refused():
    assert not Score(0, N, refused="EPERM in send").is_open


def test_bits_are_those_that_a_code_could_carry_and_speed_is_by_the_time_taken():
    whole = Score(1000, 1000, took_ms=500)

    assert 970 < whole.passed < 1000
    assert whole.bits_per_s == pytest.approx(whole.passed * 2)
    assert Score(750, 1000).passed == pytest.approx(1000 * (1 - entropy(0.75)), rel=0.2)
    assert Score(750, 1000).passed < 1000 * (1 - entropy(0.75))


def test_random_guesses_open_nothing():
    rng = random.Random(4)
    for _ in range(2000):
        assert not Score(sum(rng.random() < 0.5 for _ in range(N)), N).is_open


def test_every_channel_has_a_name_of_its_own():
    names = [row.name for row in channels()]

    assert len(set(names)) == len(names) > 40
