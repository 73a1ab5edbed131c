"""What attacks on a ladder gained before and gain now, in a small fixed case."""

import numpy as np
import pytest

from tests.integration.queue import attacks

pytestmark = pytest.mark.slow

LADDERS = 3


def ratings(name):
    """Return what an attack gains of the rating on some ladders, before and now."""
    found = [attacks.gains(attacks.ATTACKS[name], 1000 + number) for number in range(LADDERS)]
    return [np.array([each[when] for each in found]) for when in (0, 1)]


def test_only_known_match_can_be_dodged():
    before, now = ratings("dodging")

    assert before.mean() > 30
    assert list(now) == [0.0] * LADDERS


@pytest.mark.soak
def test_bots_losing_on_purpose_help_less_with_price():
    before, now = ratings("farming")

    assert before.mean() > 100
    assert now.mean() < before.mean() / 2


@pytest.mark.soak
def test_version_losing_on_purpose_does_not_help_next():
    _before, now = ratings("sandbagging")

    assert now.mean() < 0
