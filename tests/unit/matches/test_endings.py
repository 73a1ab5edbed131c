"""Every end of a game has its texts."""

from arena.texts import matches as texts
from engine.outcome import FAULTS


def test_every_fault_is_explained():
    assert set(texts.MEANINGS) == FAULTS
    assert set(texts.FAULTS) == set(texts.DETAILED_FAULTS) == FAULTS - {"platform_fault"}
