"""Skirmish as a naive duel, for the comparison in tests/independent: the numbers of its page."""

from typing import Any

from tests.independent.duelists import duel

GAME: dict[str, Any] = {
    "files": 5,
    "ranks": 5,
    "home": [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (1, 1), (2, 1), (3, 1)],  # E3
    "lakes": {"default": []},  # E1
    "army": {"F": 1, "M": 1, "6": 1, "3": 1, "2": 2, "S": 1, "B": 1},  # E2
    "spy_beats": "M",  # E11
}
NAIVE = duel(GAME)
