"""Records that were changed at random: `make soak` tries many more."""

import random

import pytest

from engine.errors import BadRecord
from engine.record import Record, verify
from engine.replay import replay
from tests.unit.engine import mutated

pytestmark = pytest.mark.slow


def test_nothing_but_a_refusal_comes_of_a_changed_record():
    chance = random.Random(7)

    found = [mutated.trouble(record, chance) for record in mutated.mutants(400, 7)]

    assert [said for said in found if said] == []


def test_the_changes_reach_records_that_play_and_records_that_do_not():
    played = {"verify": 0, "replay": 0}
    records = list(mutated.mutants(200, 7))
    for record in records:
        for name, act in (("verify", verify), ("replay", lambda one: replay(one, "public"))):
            try:
                act(record)
            except BadRecord:
                continue
            played[name] += 1

    assert 20 < played["verify"] < played["replay"] < 180


@pytest.mark.parametrize("error", [KeyError, IndexError, OverflowError, AssertionError])
def test_another_error_is_found(error, monkeypatch):
    """What the search does if `verify` is broken."""

    def broken(_record: Record) -> None:
        raise error("broken")

    monkeypatch.setattr(mutated, "verify", broken)

    record = next(mutated.mutants(1, 7))

    assert error.__name__ in mutated.trouble(record, random.Random(7))
