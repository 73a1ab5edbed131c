"""Is the new version better? A sequential test over pairs of games, as arithmetic alone.

PairCounts comes in numbers from 0 to 1, a half where the two versions are level:

- *head*: the new version's share of the points of a pair of games against the old one;
- *panel*: a half, plus half of what the new version's share of a pair against a third bot is above
  that of the old one in the pair with the same `rng_seed` against the same bot.

Two generalized sequential probability ratio tests run over them: "no difference" against "better by
the margin", and against "worse by it". (A. Wald, Sequential Analysis, 1947; M. Sobel and A. Wald, A
sequential decision procedure for choosing one of three hypotheses, 1949; X. Li, J. Liu, Z. Ying,
Generalized sequential probability ratio test for separate families of hypotheses, 2014; in the form
that chess engines are tested with: M. Van den Bergh, Fishtest, 2017 to 2020.) A hypothesis fixes
the mean s of the numbers and nothing else of how they are spread, so each gets the spread that is
the likeliest under it. With shares p_i of the numbers a_i seen that is

    q_i = p_i / (1 + x (a_i - s))        x such that the sum of (a_i - s) q_i is 0

and the log-likelihood ratio is the sum over all numbers seen of log q_i(s1) - log q_i(s0). Kinds of
evidence have spreads of their own; their ratios are added.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from arena.domain.ratings import elo

LEVEL_SCORE = 0.5
GAMES_IN_A_PAIR = 2
PANEL_EVERY = 4  # the panel is asked for every so manieth piece of evidence
HEAD_STEPS = 4  # 0, ½, 1, 1½ or 2 points of a pair
PANEL_STEPS = 8  # the difference of two such
UNSEEN = 1e-3  # stands for a count of 0, so that no mean between 0 and 1 is impossible
PRECISION = 1e-12
MAX_TURNS = 100


class Verdict(StrEnum):
    """What a test can end with; `level` says that a difference of the margin is unlikely."""

    BETTER = "better"
    WORSE = "worse"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class Design:
    """The SPRT: `elo1` is the difference that counts; `alpha` and `beta` bound the errors."""

    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """The LLR at which "no difference" is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which a difference is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def lead(self) -> float:
        """What `elo1` is worth in a pair, above a half."""
        return elo.expected(self.elo1, 0.0) - LEVEL_SCORE


@dataclass(slots=True)
class PairCounts:
    """How often each number came; entry i of a list of n + 1 counts the number i / n."""

    head: list[int] = field(default_factory=lambda: [0] * (HEAD_STEPS + 1))
    panel: list[int] = field(default_factory=lambda: [0] * (PANEL_STEPS + 1))

    @property
    def games(self) -> int:
        """How many games it took."""
        return GAMES_IN_A_PAIR * (sum(self.head) + 2 * sum(self.panel))

    def add_head(self, share: float) -> None:
        """Count a pair against the old version by the new one's share of the points."""
        self.head[round(share * HEAD_STEPS)] += 1

    def add_panel(self, new: float, old: float) -> None:
        """Count two pairs against one opponent by the share that each version got of its own."""
        self.panel[round((1 + new - old) / 2 * PANEL_STEPS)] += 1


@dataclass(frozen=True, slots=True)
class Judgement:
    """Both log-likelihood ratios against "no difference", and the verdict if there is one."""

    design: Design
    llr_better: float
    llr_worse: float
    verdict: Verdict | None


def judge(*, evidence: PairCounts, design: Design) -> Judgement:
    """Return where the test stands.

    A verdict may be asked for after every number: whenever one stops, "better" comes in at most
    about `alpha` of the trials of a version that is no better, by Ville's inequality, and likewise
    "worse".
    """
    better = _ratio(evidence.head, evidence.panel, design)
    worse = _ratio(evidence.head[::-1], evidence.panel[::-1], design)
    verdict = None
    if better >= design.upper:
        verdict = Verdict.BETTER
    elif worse >= design.upper:
        verdict = Verdict.WORSE
    elif max(better, worse) <= design.lower:
        verdict = Verdict.LEVEL
    return Judgement(design, better, worse, verdict)


def log_ratio(counts: Sequence[int], *, mean0: float, mean1: float) -> float:
    """Return the log-likelihood ratio of two means (0 to 1) for counts of evenly spaced results."""
    if not any(counts):
        return 0.0
    numbers = [index / (len(counts) - 1) for index in range(len(counts))]
    weights = [count or UNSEEN for count in counts]
    tilt0, tilt1 = _tilt(numbers, weights, mean0), _tilt(numbers, weights, mean1)
    return sum(
        weight * math.log((1 + tilt0 * (number - mean0)) / (1 + tilt1 * (number - mean1)))
        for number, weight in zip(numbers, weights, strict=True)
    )


def _ratio(head: Sequence[int], panel: Sequence[int], design: Design) -> float:
    # Against an opponent of about their strength two versions differ by as much as against each
    # other; half of it is what a number of the panel is above a half.
    return log_ratio(head, mean0=LEVEL_SCORE, mean1=LEVEL_SCORE + design.lead) + log_ratio(
        panel, mean0=LEVEL_SCORE, mean1=LEVEL_SCORE + design.lead / 2
    )


def _tilt(numbers: Sequence[float], weights: Sequence[float], mean: float) -> float:
    """Find x: Newton's steps within the shrinking bounds of a sum that falls all the way."""
    gaps = [number - mean for number in numbers]
    low, high = -1 / gaps[-1], -1 / gaps[0]
    tilt = 0.0
    for _turn in range(MAX_TURNS):
        terms = [gap / (1 + tilt * gap) for gap in gaps]
        off = sum(weight * term for weight, term in zip(weights, terms, strict=True))
        slope = sum(weight * term * term for weight, term in zip(weights, terms, strict=True))
        low, high = (tilt, high) if off > 0 else (low, tilt)
        step = off / slope
        following = tilt + step if low < tilt + step < high else (low + high) / 2
        if abs(following - tilt) < PRECISION * (high - low + 1):
            return following
        tilt = following
    return tilt
