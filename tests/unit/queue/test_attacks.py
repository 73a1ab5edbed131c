"""What an attack on a ladder gained before and gains now; the soak plays all of them."""

import pytest

from tests.integration.queue import attacks


@pytest.mark.slow
def test_only_known_match_can_be_dodged():
    before, now = attacks.gains(attacks.ATTACKS["dodging"], 1000)

    assert before > 30
    assert now == 0
