"""How many bits passed, from how many were guessed right."""

import math
from dataclasses import dataclass

from scipy import stats

FALSE_ALARM = 1e-6  # how often a channel through which nothing passes is called open
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Score:
    """The bits of all runs of one channel that came out right, and what it took.

    `refused` says which call the system did not allow, and in which step.
    """

    right: int = 0
    sent: int = 0
    took_ms: float = 0.0
    refused: str = ""

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.right + other.right,
            self.sent + other.sent,
            self.took_ms + other.took_ms,
            self.refused or other.refused,
        )

    @property
    def is_open(self) -> bool:
        """Return whether so many right bits are no chance."""
        if not self.sent or self.right * 2 <= self.sent:
            return False
        tested = stats.binomtest(self.right, self.sent, 0.5, alternative="greater")
        return bool(tested.pvalue < FALSE_ALARM)

    @property
    def passed(self) -> float:
        """Return the bits that passed: the capacity of a channel with at most so many errors."""
        if not self.is_open:
            return 0.0
        tested = stats.binomtest(self.right, self.sent, alternative="greater")
        share = tested.proportion_ci(CONFIDENCE, method="exact").low
        return self.sent * (1 - entropy(max(0.5, share)))

    @property
    def bits_per_s(self) -> float:
        return self.passed * 1000 / self.took_ms if self.took_ms else 0.0


def entropy(share: float) -> float:
    """Return the entropy of a coin, in bits."""
    return -sum(each * math.log2(each) for each in (share, 1 - share) if each > 0)
