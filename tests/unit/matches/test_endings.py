"""Every end of a game has its texts."""

from arena.texts import matches as texts
from engine.outcome import Termination
from engine.record import BOARD_ENDINGS


def test_every_end_by_the_rules_has_a_name_and_a_sentence():
    ends = {str(each) for each in BOARD_ENDINGS}

    assert set(texts.BY_RULES) == set(texts.ENDINGS) == ends


def test_every_other_end_is_explained():
    faults = {str(each) for each in Termination if each not in BOARD_ENDINGS}

    assert set(texts.MEANINGS) == faults
    assert set(texts.FAULTS) == set(texts.DETAILED_FAULTS) == faults - {"platform_fault"}
