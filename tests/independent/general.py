"""`general` as a naive duel: the numbers of sheet A."""

from tests.independent.duel import rows
from tests.independent.duelists import duel

GAME = {
    "files": 8,
    "ranks": 8,
    "home": rows(8, 3),  # A7, A9
    "lakes": {"none": [], "lakes_8x8": ["c4", "c5", "f4", "f5"]},
    "army": {"F": 1, "9": 1, "8": 2, "7": 3, "4": 4, "3": 4, "2": 4, "S": 1, "B": 4},  # A4
    "spy_beats": "9",  # A28
}

NAIVE = duel(GAME)
