"""A neighbour that burns every core changes no result: what is charged is a bot's own CPU time."""

import pytest

from sandbox import limits
from sandbox.levels.isolation import choose
from tests.sandbox import neighbours
from tests.sandbox.neighbours import CLOCK, PLIES, THINK_MS, story

# Where the machine is busy already, the quiet games are not quiet.
pytestmark = [pytest.mark.alone]

SEEDS = (1, 2)


def charges(record):
    return [played.charged_ms for played in record.actions]


@pytest.mark.docker
def test_spinners_and_bombs_change_no_game(tmp_path, monkeypatch):
    # The deadline on the wall is for bots that sleep; here the machine itself may be busy already.
    monkeypatch.setattr(limits, "WALL_EXTRA_MS", 60_000)
    isolation = choose("docker")
    quiet = [neighbours.game(isolation, tmp_path, rng_seed) for rng_seed in SEEDS]
    with neighbours.burning(isolation, tmp_path):
        loud = neighbours.game(isolation, tmp_path, SEEDS[0])

    assert story(loud) == story(quiet[0])
    for record in (*quiet, loud):
        assert record.clock["basis"] == "cpu"
        assert record.result.termination == "ply_cap"
        assert len(record.actions) == PLIES + 2
        assert min(charges(record)) >= THINK_MS
        assert max(charges(record)) < CLOCK.action_ms
    assert story(quiet[0]) != story(quiet[1])
