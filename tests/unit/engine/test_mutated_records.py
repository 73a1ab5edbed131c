"""Records that were changed at random: `make soak` tries many more."""

import random

import pytest

from tests.unit.engine import mutated

pytestmark = pytest.mark.slow


def test_changed_record_causes_nothing_but_refusal():
    chance = random.Random(7)

    found = [mutated.trouble(record, chance) for record in mutated.mutants(60, 7)]

    assert [said for said in found if said] == []
