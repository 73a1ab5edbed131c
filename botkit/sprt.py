"""The SPRT: a sequential test over pairs of games of whether a bot is better. Arithmetic.

It counts results from 0 to 1, with 0.5 if the two versions are equal:

- *head*: the new version's share of the points of a pair of games against the old version;
- *panel*: 0.5 + (new - old) / 2, where new and old are the versions' shares of the points of a pair
  of games against the same third bot.

A difference is measured in *normalized Elo*, as in the testing of chess engines: the mean of a
result, minus 0.5, in standard deviations of the result (M. Van den Bergh, Normalized Elo, 2021). So
a trial takes as many games where most games are drawn, or where the deal decides them, as anywhere
else. One standard deviation of a single game is 800 / ln 10 = 347 normalized Elo; the two games of
a pair are counted as independent ones.

Two generalized sequential probability ratio tests run over the results: "no difference" against
"better by `nelo1`", and "no difference" against "worse by `nelo1`". (A. Wald, Sequential Analysis,
1947; M. Sobel and A. Wald, A sequential decision procedure for choosing one of three hypotheses,
1949; X. Li, J. Liu, Z. Ying, Generalized sequential probability ratio test for separate families of
hypotheses, 2014; M. Van den Bergh, Fishtest, 2017 to 2021.) A hypothesis fixes only the number t of
standard deviations, so each hypothesis uses the most likely distribution with this t. If p_i are
the observed frequencies of the results a_i, this is

    q_i = p_i / (1 + x g_i)      g_i = a_i - 0.5 - t s / 2 (1 + ((a_i - m) / s)²)

with m and s the mean and standard deviation of q, and x such that the sum of g_i q_i is 0. The
log-likelihood ratio (LLR) is the sum of log q_i(t1) - log q_i(0) over all results. The two kinds of
results have their own distributions, and their LLRs are added.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import NormalDist

LEVEL_SCORE = 0.5
NELO_PER_DEVIATION = 800 / math.log(10)
NELO1_MAX = 200.0  # `likeliest` was tried up to it
GAMES_IN_A_PAIR = 2
PANEL_EVERY = 4  # one in so many results is from the panel
HEAD_STEPS = 4  # 0, ½, 1, 1½ or 2 points of a pair
PANEL_STEPS = 8  # the difference of two of these
UNSEEN = 1e-3  # replaces a count of 0, so that every mean between 0 and 1 is possible
PRECISION = 1e-9
EDGE_PRECISION = 1e-6
MAX_TURNS = 100
NELO1 = 60.0
MAX_GAMES = 800
CONFIDENCE = 0.95
ERROR = 0.05  # the usual bound of each error


class Verdict(StrEnum):
    """The result of a test. `level` means that a difference of `nelo1` or more is unlikely."""

    BETTER = "better"
    WORSE = "worse"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class Design:
    """The parameters: the difference to detect, in normalized Elo, and bounds of both errors.

    With `nelo0`, there is one test alone, of H0 "at most `nelo0`" against H1 "at least `nelo1`".
    """

    nelo1: float
    alpha: float = ERROR
    beta: float = ERROR
    nelo0: float | None = None

    def __post_init__(self) -> None:
        least = 0.0 if self.nelo0 is None else self.nelo0
        if not -NELO1_MAX <= least < self.nelo1 <= NELO1_MAX:
            above = f"must be above {least:g} and at most {NELO1_MAX:g}"
            raise ValueError(f"nelo1 {above}, not {self.nelo1:g}")
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:  # noqa: PLR2004 - beyond it, the bounds are exchanged
                raise ValueError(f"{name} must be above 0 and below 0.5, not {error:g}")

    @property
    def lower(self) -> float:
        """The LLR at which "no difference" is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which a difference is accepted."""
        return math.log((1 - self.beta) / self.alpha)


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
class SprtResult:
    """Both LLRs against "no difference", and the verdict, if there is one.

    With `nelo0`, "better" is H1, "worse" is H0, and the LLRs are those of each against the other.
    """

    design: Design
    llr_better: float
    llr_worse: float
    verdict: Verdict | None


def evaluate(*, counts: PairCounts, design: Design) -> SprtResult:
    """Return the LLRs and the verdict of the test so far.

    The test may be evaluated after every result. By Ville's inequality, a version that is not
    better gets "better" in at most about `alpha` of the trials, whenever they stop, and likewise
    for "worse".
    """
    better = _ratio(counts.head, counts.panel, design)
    bounded = design.nelo0 is not None
    worse = -better if bounded else _ratio(counts.head[::-1], counts.panel[::-1], design)
    verdict = None
    if better >= design.upper:
        verdict = Verdict.BETTER
    elif worse >= (-design.lower if bounded else design.upper):
        verdict = Verdict.WORSE
    elif max(better, worse) <= design.lower:
        verdict = Verdict.LEVEL
    return SprtResult(design, better, worse, verdict)


def head_deviations(nelo: float) -> float:
    """Return how many standard deviations the mean of a head result is above 0.5."""
    return nelo / NELO_PER_DEVIATION * math.sqrt(GAMES_IN_A_PAIR)


def panel_deviations(nelo: float) -> float:
    """Return how many standard deviations the mean of a panel result is above 0.5.

    Against an opponent of similar strength, two versions differ by as much as against each other. A
    panel result is above 0.5 by half of this difference, and the difference of two pairs, halved,
    deviates by 1 / √2 of what a pair does.
    """
    return head_deviations(nelo) / math.sqrt(2)


def log_ratio(counts: Sequence[int], *, deviations: float, against: float = 0.0) -> float:
    """Return the LLR of a mean so many standard deviations above 0.5 against another mean.

    `counts` are those of evenly spaced results from 0 to 1.
    """
    if not any(counts):
        return 0.0
    results = [index / (len(counts) - 1) for index in range(len(counts))]
    weights = [count or UNSEEN for count in counts]
    level = likeliest(results, weights, against)
    better = likeliest(results, weights, deviations)
    return sum(
        weight * math.log(one / zero)
        for weight, one, zero in zip(weights, better, level, strict=True)
    )


def mean_interval(counts: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of the mean of evenly spaced results from 0 to 1.

    It holds the means that the empirical likelihood ratio does not reject (A. Owen, Empirical
    likelihood ratio confidence intervals for a single functional, 1988), with Student's quantile in
    place of the normal one (the first term of its expansion by Fisher and Cornish), because the
    variance is estimated. Without results it is the whole range.
    """
    total = sum(counts)
    if total < 2:  # noqa: PLR2004 - one result has no variance
        return 0.0, 1.0
    results = [index / (len(counts) - 1) for index in range(len(counts))]
    weights = [count or UNSEEN for count in counts]
    normal = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    bound = (normal + (normal**3 + normal) / (4 * (total - 1))) ** 2 / 2
    mean = sum(map(operator.mul, weights, results)) / sum(weights)

    def is_rejected(candidate: float) -> bool:
        gaps = [result - candidate for result in results]
        tilt = _tilt(gaps, weights)
        ratio = sum(w * math.log1p(tilt * gap) for w, gap in zip(weights, gaps, strict=True))
        return ratio > bound

    return _edge(is_rejected, mean, 0.0), _edge(is_rejected, mean, 1.0)


def elo(score: float) -> float:
    """Return the Elo difference at which a share of the points is expected, or an infinity."""
    if 0 < score < 1:
        return 400 * math.log10(score / (1 - score))
    return math.inf if score else -math.inf


def _edge(is_rejected: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return, between a mean inside the interval and the end of the range, where it ends."""
    while abs(outside - inside) > EDGE_PRECISION:
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if is_rejected(middle) else (middle, outside)
    return outside


def _ratio(head: Sequence[int], panel: Sequence[int], design: Design) -> float:
    nelo0 = design.nelo0 or 0.0
    return sum(
        log_ratio(counts, deviations=of(design.nelo1), against=of(nelo0))
        for counts, of in ((head, head_deviations), (panel, panel_deviations))
    )


def likeliest(results: Sequence[float], weights: Sequence[float], deviations: float) -> list[float]:
    """Return the most likely distribution: its mean is so many deviations above 0.5.

    Repeat the formula of the module until the distribution stays as it is.
    """
    total = sum(weights)
    shares = [1 / len(results)] * len(results)
    for _turn in range(MAX_TURNS):
        mean = sum(map(operator.mul, shares, results))
        spread = math.sqrt(sum(q * (a - mean) ** 2 for q, a in zip(shares, results, strict=True)))
        gaps = [
            result - LEVEL_SCORE - deviations * spread / 2 * (1 + ((result - mean) / spread) ** 2)
            for result in results
        ]
        tilt = _tilt(gaps, weights)
        before = shares
        shares = [
            weight / total / (1 + tilt * gap) for weight, gap in zip(weights, gaps, strict=True)
        ]
        if max(map(abs, map(operator.sub, shares, before))) < PRECISION:
            break
    return shares


def _tilt(gaps: Sequence[float], weights: Sequence[float]) -> float:
    """Return x, by Newton's method within shrinking bounds, since the sum is decreasing in x."""
    low, high = -1 / max(gaps), -1 / min(gaps)
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
