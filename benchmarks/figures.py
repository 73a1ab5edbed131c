"""The arithmetic and the words of a row: medians, spreads, ratios of each round, the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

HEAD = "row | ours | theirs | ratio | first target | aim | reached"


class NotMeasured(Exception):
    """Why a row has no figures, in one line."""


@dataclass(frozen=True)
class Measured:
    """What the rounds of one row gave: figures of both in the same unit, round by round."""

    unit: str
    ours: Sequence[float]
    theirs: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """Return ours by theirs of each round: what slows the machine for a while slows both."""
        return [ours / theirs for ours, theirs in zip(self.ours, self.theirs, strict=True)]


@dataclass(frozen=True)
class Goal:
    """What the ratio is to reach: at least so much, or at most where less is better."""

    first: float
    aim: float
    less_is_better: bool = False

    def verdict(self, ratio: float) -> str:
        """Return what a ratio reaches."""
        if self._holds(ratio, self.aim):
            return "aim"
        return "first target" if self._holds(ratio, self.first) else "no"

    def _holds(self, ratio: float, limit: float) -> bool:
        return ratio <= limit if self.less_is_better else ratio >= limit

    def words(self, limit: float) -> str:
        """Return a limit with its direction."""
        return f"{'≤' if self.less_is_better else '≥'} {limit:g}"


def line(name: str, goal: Goal, measured: Measured) -> str:
    """Print a row: medians, each with the least and the most of its rounds."""
    ratios = measured.ratios
    return " | ".join(
        (
            name,
            f"{spread(measured.ours)} {measured.unit}",
            f"{spread(measured.theirs)} {measured.unit}",
            f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})",
            goal.words(goal.first),
            goal.words(goal.aim),
            goal.verdict(median(ratios)),
        )
    )


def blank(name: str, goal: Goal) -> str:
    """Print a row that could not be measured."""
    return f"{name} | - | - | - | {goal.words(goal.first)} | {goal.words(goal.aim)} | not measured"


def spread(values: Sequence[float]) -> str:
    """Return the median, the least and the most, such as `195 k (190 k-201 k)`."""
    return f"{short(median(values))} ({short(min(values))}-{short(max(values))})"


def short(value: float) -> str:
    """Write a figure with three digits that count."""
    if value < 1000:  # noqa: PLR2004 - from there on it is thousands
        return f"{value:.3g}"
    return f"{value / 1000:.3g} k" if value < 999_500 else f"{value / 1e6:.3g} M"  # noqa: PLR2004 - millions
