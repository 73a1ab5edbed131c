"""Stories: what each seat did not know, lost and used."""

from collections import Counter
from itertools import pairwise
from math import log2, perm, prod

import pytest

from engine.registry import find
from engine.replay import scene_at
from engine.story import TURNING_POINTS, story_of
from engine.variant import FULL
from tests.unit.engine.games import EVERY, caps
from tests.unit.engine.refereed import ARMY, record_of
from tests.unit.engine.test_replay import record

SET_UPS = perm(24) / prod(map(perm, Counter(ARMY).values()))


@EVERY
def test_moments_follow_game_to_its_last_position(variant):
    game = record_of(variant, 1, caps(variant, 80))

    told = story_of(game)

    last = told.moments[-1]
    assert [moment.ply for moment in told.moments] == list(range(last.ply + 1))
    gone = Counter(piece.side for piece in scene_at(game, FULL, last.ply).removed)
    assert last.lost == {seat: gone[seat] for seat in variant.seats}
    assert sum(last.used_ms.values()) == sum(played.charged_ms for played in game.actions)
    assert len(told.turning_points) <= TURNING_POINTS


def test_who_forgets_lets_nobody_learn():
    cards = find("cards")
    told = story_of(record_of(cards, 8, caps(cards, 80)))  # its flag trick deals a line again
    pairs = [(a.hidden_bits, b.hidden_bits) for a, b in pairwise(told.moments)]

    assert max(after[seat] - before[seat] for before, after in pairs for seat in after) > 5
    for point in told.turning_points:
        before, after = pairs[point.ply - 1]
        assert 0 < point.bits <= before[point.seat] - after[point.seat]


def test_bits_count_set_ups_that_fit():
    told = story_of(record("h3h5", "a6a5"))  # two squares at once: only a scout can do that

    first, scout, _ = told.moments
    assert first.hidden_bits["red"] == first.hidden_bits["blue"] == pytest.approx(log2(SET_UPS))
    fitting = SET_UPS * Counter(ARMY)["2"] / 24
    assert scout.hidden_bits["blue"] == pytest.approx(log2(fitting))
    assert scout.hidden_bits["red"] == first.hidden_bits["red"]
    (point,) = told.turning_points
    assert (point.ply, point.seat) == (1, "blue")
    assert point.bits == pytest.approx(log2(24 / Counter(ARMY)["2"]))
