"""`classic` as a naive duel: the numbers of sheet B."""

from tests.independent.duel import rows
from tests.independent.duelists import duel

GAME = {
    "files": 10,
    "ranks": 10,
    "home": rows(10, 4),  # B7
    "lakes": {"default": ["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"]},  # B9, B15
    "army": {  # B1
        "F": 1, "M": 1, "9": 1, "8": 2, "7": 3, "6": 4,
        "5": 4, "4": 4, "3": 5, "2": 8, "S": 1, "B": 6,
    },
    "spy_beats": "M",  # B32b
}  # fmt: skip


def walled(rng):
    """Draw a set-up in which nothing can move: bombs and flag on every way past the lakes."""
    behind = [code for code in GAME["army"] if code not in "FB" for _ in range(GAME["army"][code])]
    rng.shuffle(behind)
    wall = ["F", "B", "B", "B", "B", "B"]
    rng.shuffle(wall)
    front = [behind.pop() if file in "cdgh" else wall.pop() for file in "abcdefghij"]
    return "".join([*behind, "B", *front])


NAIVE = duel(GAME, drafts=(walled,))
