"""Set-ups drawn as their owner sees them: the front row first, the flag walled in at the back."""

from random import Random

from botkit import DuelView, facing

CLASSIC = (
    (
        "6 2 5 9 2 6 2 8 2 6",
        "4 7 2 S M 4 7 5 2 5",
        "3 B 8 4 2 7 B 3 6 3",
        "B F B 5 3 2 4 B 3 B",
    ),
    (
        "2 6 2 8 5 2 7 2 9 6",
        "5 7 4 M 2 6 S 8 2 4",
        "6 3 2 7 5 3 4 B 4 B",
        "3 B 2 3 5 B 3 B F B",
    ),
    (
        "6 2 8 2 6 2 9 5 2 7",
        "2 5 M S 4 7 2 8 6 4",
        "4 B 7 5 2 3 B 6 3 5",
        "3 2 B 3 4 B F B 3 B",
    ),
)
GENERAL = (
    (
        "4 2 8 4 2 7 2 4",
        "7 3 9 S 3 8 B 7",
        "3 2 3 B 4 B F B",
    ),
    (
        "2 7 4 2 8 2 4 7",
        "4 B 3 7 S 9 3 8",
        "B F B 3 4 2 B 3",
    ),
    (
        "7 4 2 8 2 4 2 4",
        "3 8 9 S 7 B 3 7",
        "B 2 3 4 B F B 3",
    ),
)
SKIRMISH = (
    (
        "6 2 M",
        "3 F B S 2",
    ),
    (
        "2 B M",
        "S 6 F 3 2",
    ),
    (
        "6 2 M",
        "2 B F S 3",
    ),
)
BOOK: tuple[tuple[str, ...], ...] = CLASSIC + GENERAL + SKIRMISH


def choose(view: DuelView, rng: Random) -> str:
    """Pick a set-up for the army in view, mirrored left to right half of the time."""
    army = sorted(view.roster)
    rows = rng.choice([rows for rows in BOOK if sorted(facing(*rows)) == army])
    if rng.random() < 0.5:  # noqa: PLR2004 - heads or tails
        rows = tuple(row[::-1] for row in rows)
    return facing(*rows)
