"""The SPRT: a sequential test over pairs of games of whether a new version is better. Arithmetic.

The evidence consists of results from 0 to 1, with 0.5 if the two versions are equal:

- *head*: the new version's share of the points of a pair of games against the old version;
- *panel*: 0.5 + (new - old) / 2, where new and old are the versions' shares of the points of a pair
  of games against the same third bot with the same `rng_seed`.

Two generalized sequential probability ratio tests run over them: "no difference" against "better by
`elo1`", and "no difference" against "worse by `elo1`". (A. Wald, Sequential Analysis, 1947;
M. Sobel and A. Wald, A sequential decision procedure for choosing one of three hypotheses, 1949;
X. Li, J. Liu, Z. Ying, Generalized sequential probability ratio test for separate families of
hypotheses, 2014; in the form that is used for chess engines: M. Van den Bergh, Fishtest, 2017 to
2020.) A hypothesis fixes only the mean s of the results, so each hypothesis uses the most likely
distribution with this mean. If p_i are the observed frequencies of the results a_i, this is

    q_i = p_i / (1 + x (a_i - s))        x such that the sum of (a_i - s) q_i is 0

and the log-likelihood ratio (LLR) is the sum of log q_i(s1) - log q_i(s0) over all results. The two
kinds of evidence have their own distributions, and their LLRs are added.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from arena.domain.ratings import elo

LEVEL_SCORE = 0.5
GAMES_IN_A_PAIR = 2
PANEL_EVERY = 4  # one in so many pieces of evidence is from the panel
HEAD_STEPS = 4  # 0, ½, 1, 1½ or 2 points of a pair
PANEL_STEPS = 8  # the difference of two of these
UNSEEN = 1e-3  # replaces a count of 0, so that every mean between 0 and 1 is possible
PRECISION = 1e-12
MAX_TURNS = 100


class Verdict(StrEnum):
    """The result of a test. `level` means that a difference of `elo1` or more is unlikely."""

    BETTER = "better"
    WORSE = "worse"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class Design:
    """The parameters: `elo1` is the difference to detect; `alpha` and `beta` bound the errors."""

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
        """The expected share of a pair at a difference of `elo1`, minus 0.5."""
        return elo.expected(self.elo1, 0.0) - LEVEL_SCORE


@dataclass(slots=True)
class PairCounts:
    """The counts of results. Entry i of a list of n + 1 entries counts the result i / n."""

    head: list[int] = field(default_factory=lambda: [0] * (HEAD_STEPS + 1))
    panel: list[int] = field(default_factory=lambda: [0] * (PANEL_STEPS + 1))

    @property
    def games(self) -> int:
        """The number of games."""
        return GAMES_IN_A_PAIR * (sum(self.head) + 2 * sum(self.panel))

    def add_head(self, share: float) -> None:
        """Count a pair against the old version, given the new version's share of the points."""
        self.head[round(share * HEAD_STEPS)] += 1

    def add_panel(self, new: float, old: float) -> None:
        """Count two pairs against one opponent, given each version's share of its points."""
        self.panel[round((1 + new - old) / 2 * PANEL_STEPS)] += 1


@dataclass(frozen=True, slots=True)
class Judgement:
    """Both LLRs against "no difference", and the verdict, if there is one."""

    design: Design
    llr_better: float
    llr_worse: float
    verdict: Verdict | None


def judge(*, evidence: PairCounts, design: Design) -> Judgement:
    """Return the LLRs and the verdict of the test so far.

    The test may be evaluated after every result. By Ville's inequality, a version that is not
    better gets "better" in at most about `alpha` of the trials, whenever they stop, and likewise
    for "worse".
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
    """Return the LLR of two means (0 to 1) for counts of evenly spaced results."""
    if not any(counts):
        return 0.0
    results = [index / (len(counts) - 1) for index in range(len(counts))]
    weights = [count or UNSEEN for count in counts]
    tilt0, tilt1 = _tilt(results, weights, mean0), _tilt(results, weights, mean1)
    return sum(
        weight * math.log((1 + tilt0 * (result - mean0)) / (1 + tilt1 * (result - mean1)))
        for result, weight in zip(results, weights, strict=True)
    )


def _ratio(head: Sequence[int], panel: Sequence[int], design: Design) -> float:
    # Against an opponent of similar strength, two versions differ by as much as against each other.
    # A panel result is above 0.5 by half of this difference.
    return log_ratio(head, mean0=LEVEL_SCORE, mean1=LEVEL_SCORE + design.lead) + log_ratio(
        panel, mean0=LEVEL_SCORE, mean1=LEVEL_SCORE + design.lead / 2
    )


def _tilt(results: Sequence[float], weights: Sequence[float], mean: float) -> float:
    """Return x, by Newton's method within shrinking bounds, since the sum is decreasing in x."""
    gaps = [result - mean for result in results]
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
