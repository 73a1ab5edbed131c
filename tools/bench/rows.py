"""The rows: what is measured, against what, and what the ratio is to reach.

A row of another kind needs no more than a function that measures both sides round by round.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tools.bench import compiled
from tools.bench.figures import Goal, Measured
from tools.bench.programs import Program, plies_per_second

Measure = Callable[[int, float], Measured]  # rounds, and seconds of each side in a round

DARK_CHESS = Program("dark_chess")
STRATEGO = Program("stratego")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    goal: Goal
    measure: Measure


def ours(slug: str) -> Program:
    """Give the random play of a variant, in pure Python."""
    return Program("ours", (slug,))


def ours_compiled(slug: str) -> Program:
    """Give the same from the compiled wheel. Raises NotMeasured where that cannot be built."""
    return Program("ours", (slug,), before=(compiled.folder(),))


def side_by_side(one: Callable[[], Program], other: Program) -> Measure:
    """Measure two programs in turn, A B A B, by their plies per second."""

    def measure(rounds: int, seconds: float) -> Measured:
        first = one()
        pairs = [
            (plies_per_second(first, seconds), plies_per_second(other, seconds))
            for _ in range(rounds)
        ]
        return Measured("plies/s", [a for a, _ in pairs], [b for _, b in pairs])

    return measure


AGAINST_DARK_CHESS = Goal(first=0.5, aim=1.5)
AGAINST_STRATEGO = Goal(first=10, aim=30)

ROWS = (
    Row(
        "classic random play / OpenSpiel dark_chess",
        AGAINST_DARK_CHESS,
        side_by_side(lambda: ours("classic"), DARK_CHESS),
    ),
    Row(
        "classic random play / TextArena Stratego",
        AGAINST_STRATEGO,
        side_by_side(lambda: ours("classic"), STRATEGO),
    ),
    Row(
        "the same, compiled / OpenSpiel dark_chess",
        AGAINST_DARK_CHESS,
        side_by_side(lambda: ours_compiled("classic"), DARK_CHESS),
    ),
    Row(
        "the same, compiled / TextArena Stratego",
        AGAINST_STRATEGO,
        side_by_side(lambda: ours_compiled("classic"), STRATEGO),
    ),
)
