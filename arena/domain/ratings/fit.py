"""The ratings of a ladder: beliefs about all strengths from all matches at once.

Each version has a belief on a grid (see `beliefs`). The first version of a bot has a heavy-tailed
prior, and later ones differ from the one before by steps that are mostly small and sometimes large.
Games follow Davidson's model (see `davidson`). A pair of opponents has its own deviation from the
gap of their strengths, the match-up effect, so many games against one opponent say less than the
same number against many. The games of a match may be alike: the `dispersion` is 1 + their
correlation and divides the log-likelihood. The draw parameter and the dispersion are learned.

The beliefs come from loopy belief propagation (D. Koller, N. Friedman, Probabilistic Graphical
Models, 2009, chapter 11), and `covariance` corrects their intervals. `docs/adr/0019` has the
reasons, and `tests/integration/ratings/coverage.py` measures how often the intervals are right.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are used: most processes of the site compute nothing

from arena.domain.ratings import beliefs, davidson, elo, windows
from arena.domain.ratings.beliefs import Matrix, Moments
from arena.domain.ratings.covariance import Joint
from arena.domain.ratings.davidson import (
    Duels,
    GameCounts,
    Indices,
    MatchCounts,
    Prediction,
    ResultArrays,
    Vector,
)

__all__ = ["Estimate", "Fit", "GameCounts", "MatchCounts", "fit"]

MODEL = 3  # counts up when the same results give other ratings
DEVIATIONS = 1.959963984540054  # of a normal distribution, in half of a 95 % interval
MATCH_UP_SD = 60.0  # of a pair's gap from the gap of their strengths, in Elo
CORRELATION = 0.3  # between the games of a match: what is expected before
CORRELATION_MATCHES = 20.0  # how many matches this counts
MOST_DISPERSION = 2.0
DRAWS = (0.001, 40.0)  # bounds of the draw parameter
DRAW_PRIOR = math.log(0.3), 2.0  # mean and standard deviation of its logarithm
LEARNING_ROWS = 20_000  # of a larger ladder an even sample serves to learn the parameters

STARTING_STEPS = 8
UNSURE = 4.0  # a belief has about so many times the variance there, after the first round
LONGEST_STEP, LARGEST_START = 400.0, 2000.0  # Elo

DAMPING = 0.5
FEWEST_ROUNDS, MOST_ROUNDS = 6, 25
SETTLED = 1.0  # Elo: the largest change of a mean in the last round

ROWS_AT_ONCE = 256  # of the gaps between all players, which do not fit in memory on large ladders


class Estimate(NamedTuple):
    """A rating, the mean of a belief in Elo, and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """Ratings and numbers of games by player, and what was learned of the ladder."""

    estimates: Mapping[int, Estimate]
    games: Mapping[int, int]
    draw: float
    dispersion: float
    joint: Joint | None

    def rank_ranges(
        self, among: Collection[int], *, slack: float = 0.0
    ) -> dict[int, tuple[int, int]]:
        """Return the best and the worst rank that each of these players with a rating may have.

        The best rank is 1 more than there are players surely above. The worst rank leaves room for
        those surely below. Surely means that 0 lies outside of the 95 % interval of the gap by more
        than `slack`, in Elo. That interval follows from both intervals, which need not be
        symmetric, and from the correlation in the joint distribution (MOVER: G. Y. Zou and A.
        Donner, Construction of confidence limits about effect measures, 2008).
        """
        place = {player: number for number, player in enumerate(self.estimates)}
        known = [player for player in among if player in place]
        known.sort(key=lambda player: -self.estimates[player].value)
        if self.joint is None or not known:
            return {}
        places = np.array([place[player] for player in known])
        values, lows, highs = np.array(list(self.estimates.values())).T[:, places]
        down, up = values - lows, highs - values
        correlations = self.joint.correlations(places)
        above, below = np.zeros(len(known), int), np.zeros(len(known), int)
        for begin in range(0, len(known), ROWS_AT_ONCE):
            rows, rest = slice(begin, begin + ROWS_AT_ONCE), slice(begin, None)
            square = down[rows, None] ** 2 + up[rest] ** 2
            if correlations is not None:
                square -= 2 * correlations[rows, rest] * down[rows, None] * up[rest]
            gaps = values[rows, None] - values[rest] - slack
            surely = gaps > np.sqrt(np.maximum(square, 0.0))
            below[rows] = surely.sum(axis=1)
            above[rest] += surely.sum(axis=0)
        ranges = zip((1 + above).tolist(), (len(known) - below).tolist(), strict=True)
        return dict(zip(known, ranges, strict=True))


def fit(
    results: Iterable[MatchCounts] | Duels,
    *,
    centre_on: Collection[int] = (),
    families: Iterable[Sequence[int]] = (),
) -> Fit:
    """Rate all players in the results.

    The mean rating of the players in `centre_on`, or of all if it is empty, is the start rating,
    and the intervals are of the distance from that mean. A family is a sequence of players each of
    which is a revision of the one before. One that follows a player in the results is rated even
    without results of its own.
    """
    families = list(families)
    evidence = davidson.gather(results, families)
    players = evidence.players
    if not players:
        return Fit({}, {}, 0.0, 1.0, None)
    centre = set(centre_on) & set(players) or set(players)
    weights = np.array([player in centre for player in players]) / len(centre)
    propagation = _Propagation(evidence, _links(players, families))
    propagation.run()
    joint, _predicted = propagation.joint(beliefs.moments(propagation.log), weights)
    counts = (evidence.design != 0).T @ evidence.by_row(evidence.played)
    games = {
        player: round(count)
        for player, count in zip(players, counts.tolist(), strict=True)
        if count
    }
    return Fit(
        estimates=dict(zip(players, _estimates(propagation, joint, weights), strict=True)),
        games=games,
        draw=propagation.nu,
        dispersion=propagation.dispersion,
        joint=joint,
    )


@dataclass(frozen=True, slots=True)
class _Links:
    """Players and their next versions in the results. `depth` counts the versions before."""

    before: Indices
    after: Indices
    depth: Indices

    def by_depth(self) -> Iterator[tuple[Indices, Indices]]:
        """Yield both ends of the links: first those from first versions, then the next ones."""
        for depth in np.unique(self.depth):
            chosen = self.depth == depth
            yield self.before[chosen], self.after[chosen]


class _Propagation:
    """Loopy belief propagation. Messages between games and players keep mean and variance only."""

    def __init__(self, evidence: ResultArrays, links: _Links) -> None:
        self.evidence, self.links = evidence, links
        self.nu, self.dispersion = math.exp(DRAW_PRIOR[0]), 1 + CORRELATION
        self.wins, self.draws, self.losses = (
            evidence.by_row(counts) for counts in (evidence.wins, evidence.draws, evidence.losses)
        )
        counts = np.column_stack([self.wins, self.draws, self.losses])
        self.patterns, of_row = np.unique(counts, axis=0, return_inverse=True)
        edges = evidence.design.tocoo()
        order = np.argsort(edges.coords[1], kind="stable")
        self.row, self.player = (coords[order] for coords in edges.coords)
        self.share = edges.data[order]
        self.pattern = of_row.ravel()[self.row]
        size = len(evidence.players)
        self.first_edge = np.searchsorted(self.player, np.arange(size + 1))
        self.has_prior = np.ones(size)  # 1 for first versions, 0 for the others
        self.has_prior[links.after] = 0.0
        self.priors = np.outer(self.has_prior, beliefs.PRIOR)
        self.own = self.priors  # what does not come from games
        self.log = self.own
        # What a game is told about each of its players, without the game itself.
        prior = beliefs.moments(beliefs.PRIOR[None])
        self.known = self._start()
        self.told = Moments(self.known.mean[self.player], np.repeat(prior.variance, len(self.row)))

    def _start(self) -> Moments:
        """Return means to begin with, from steps of Newton's method in the joint distribution.

        In a ladder where all meet their neighbours, messages need many rounds from end to end.
        """
        mean, none = np.zeros(len(self.log)), np.zeros(len(self.log))
        links, design = self.links, self.evidence.design
        games, points = self.wins + self.draws + self.losses, self.wins + self.draws / 2
        for _step in range(STARTING_STEPS):
            joint, predicted = self.joint(Moments(mean, none), none)
            # A match-up explains a part of each surplus.
            surplus = (points - games * predicted.points) / (games * predicted.variance)
            pull = design.T @ (joint.rows * surplus / self._scale) - joint.priors * mean
            between = joint.links * (mean[links.after] - mean[links.before])
            pull += np.bincount(links.before, between, len(mean))
            pull -= np.bincount(links.after, between, len(mean))
            step = joint.solve(pull)
            mean = mean + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        known = design.power(2).T @ joint.rows + 1 / beliefs.PRIOR_SCALE**2
        return Moments(np.clip(mean, -LARGEST_START, LARGEST_START), UNSURE / known)

    @property
    def _scale(self) -> float:
        """Davidson's strength for one point of Elo."""
        return (2 + self.nu) / 2 / davidson.ELO_PER_NAT

    def run(self) -> None:
        """Pass messages until the means change no more."""
        for number in range(MOST_ROUNDS):
            changed = self._round()
            if number >= FEWEST_ROUNDS and changed < SETTLED:
                break
            if number > 0:
                self._learn()

    def _round(self) -> float:
        """Pass all messages once. Return the largest change of a mean."""
        wins, draws, losses = (self.patterns / self.dispersion).T
        transforms = beliefs.likelihoods(wins, draws, losses, self.nu)
        gaps = self._gaps()
        rest = Moments(  # the gap of each message's game without the player whom it goes to
            gaps.mean[self.row] - self.share * self.told.mean,
            gaps.variance[self.row] - self.share**2 * self.told.variance,
        )
        tables = windows.Tables(transforms, self.pattern, self.share, rest.variance)
        evidence = np.empty_like(self.log)
        new = Moments(np.empty(len(self.row)), np.empty(len(self.row)))
        widths = windows.widths(self.known.variance)
        for width, wider in zip(windows.WIDTHS, (*windows.WIDTHS[1:], None), strict=True):
            for players in self._blocks(np.flatnonzero(widths == width)):
                edges, count = self._edges(players)
                first = windows.first_points(self.known.mean[players], width)
                asked = windows.Asked(self.own[players], count, first, width)
                messages = tables.messages(
                    self.pattern[edges],
                    self.share[edges],
                    Moments(rest.mean[edges], rest.variance[edges]),
                    asked,
                )
                evidence[players], without, cut = asked.answer(messages)
                new.mean[edges], new.variance[edges] = without
                if wider:
                    widths[players[cut]] = wider
        changed = float(np.abs(new.mean - self.told.mean).max())
        precision = DAMPING / self.told.variance + (1 - DAMPING) / new.variance
        mean = DAMPING * self.told.mean / self.told.variance
        mean += (1 - DAMPING) * new.mean / new.variance
        self.told = Moments(mean / precision, 1 / precision)
        self._follow_links(evidence)
        self.log = self.own + evidence
        self.known = beliefs.moments(self.log)
        return changed

    def _blocks(self, players: Indices) -> Iterator[Indices]:
        """Yield parts of these players with about `beliefs.BLOCK` messages each."""
        messages = np.cumsum(self.first_edge[players + 1] - self.first_edge[players])
        yield from np.split(players, np.flatnonzero(np.diff(messages // beliefs.BLOCK)) + 1)

    def _edges(self, players: Indices) -> tuple[Indices, Indices]:
        """Return the places of the messages to these players, and how many each gets."""
        first = self.first_edge[players]
        count = self.first_edge[players + 1] - first
        return np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count), count

    def _gaps(self) -> Moments:
        """Return the gap of every two sides, by what their games are told."""
        rows = len(self.wins)
        mean = np.bincount(self.row, self.share * self.told.mean, rows)
        variance = np.bincount(self.row, self.share**2 * self.told.variance, rows)
        return Moments(np.asarray(mean, float), np.asarray(variance + MATCH_UP_SD**2, float))

    def _follow_links(self, evidence: Matrix) -> None:
        """Pass on to the other versions of each bot what the games of one say."""
        links = list(self.links.by_depth())
        forward, backward = np.zeros_like(evidence), np.zeros_like(evidence)
        for before, after in links:
            forward[after] = beliefs.successors((self.priors + evidence + forward)[before])
        for before, after in reversed(links):
            backward[before] = beliefs.successors((evidence + backward)[after])
        self.own = self.priors + forward + backward

    def _learn(self) -> None:
        """Estimate the draw parameter and the dispersion."""
        gaps = self._gaps()
        rows = np.arange(0, len(self.wins), max(1, len(self.wins) // LEARNING_ROWS))
        self.nu = _draw_parameter(
            Moments(gaps.mean[rows], gaps.variance[rows]),
            np.array([self.wins[rows], self.draws[rows], self.losses[rows]]),
        )
        self.dispersion = _dispersion(gaps, self.evidence, self.nu)

    def joint(self, around: Moments, centre: Vector) -> tuple[Joint, Prediction]:
        """Return the joint normal distribution around strengths, and what it predicts by row."""
        design, links = self.evidence.design, self.links
        mean, variance = around
        gaps = Moments(design @ mean, design.power(2) @ variance + MATCH_UP_SD**2)
        predicted = davidson.predict(gaps.mean, gaps.variance, self.nu)
        games = self.wins + self.draws + self.losses
        information = games * predicted.variance * self._scale**2 / self.dispersion
        freedom, spread = beliefs.PRIOR_FREEDOM, beliefs.PRIOR_SCALE
        # Student's t is a mixture of normal distributions: this is the mean of their precisions.
        prior = (freedom + 1) / (freedom + (mean**2 + variance) / spread**2) / spread**2
        joint = Joint(
            design=design,
            rows=1 / (1 / information + MATCH_UP_SD**2),
            priors=self.has_prior * prior,
            before=links.before,
            after=links.after,
            links=_link_precision(mean[links.before] - mean[links.after]),
            centre=centre,
        )
        return joint, predicted


def _estimates(propagation: _Propagation, joint: Joint, centre: Vector) -> Iterator[Estimate]:
    known = beliefs.moments(propagation.log)
    stretch = np.sqrt(joint.stretch)
    values = elo.START + known.mean - centre @ known.mean
    low = beliefs.quantiles(propagation.log, known, 0.025, -DEVIATIONS) - known.mean
    high = beliefs.quantiles(propagation.log, known, 0.975, DEVIATIONS) - known.mean
    rows = values, values + stretch * low, values + stretch * high
    yield from (Estimate(*map(float, row)) for row in zip(*rows, strict=True))


def _links(players: list[int], families: Iterable[Sequence[int]]) -> _Links:
    place = {player: number for number, player in enumerate(players)}
    ends: list[tuple[int, int, int]] = []
    for family in families:
        known = [place[player] for player in family if player in place]
        ends += [(*both, depth) for depth, both in enumerate(pairwise(known))]
    return _Links(*np.array(ends, dtype=np.int64).reshape(-1, 3).T)


def _link_precision(gap: Vector) -> Vector:
    """Return the mean precision of the steps between versions that are this far apart."""
    weights = [share / sd * np.exp(-((gap / sd) ** 2) / 2) for share, sd in beliefs.STEPS]
    precise = [weight / sd**2 for weight, (_share, sd) in zip(weights, beliefs.STEPS, strict=True)]
    return np.asarray(sum(precise) / sum(weights))


def _draw_parameter(gaps: Moments, counts: Matrix) -> float:
    """Return the draw parameter that makes the counts of wins, draws and losses most likely."""
    spread = gaps.mean + davidson.NODES[:, None] * np.sqrt(gaps.variance)

    def height(log_nu: float) -> float:
        logs = davidson.log_probabilities(spread, math.exp(log_nu))
        expected = sum(
            davidson.WEIGHTS @ (log * count) for log, count in zip(logs, counts, strict=True)
        )
        mean, deviation = DRAW_PRIOR
        return float(np.sum(expected)) - ((log_nu - mean) / deviation) ** 2 / 2

    low, high = (math.log(bound) for bound in DRAWS)
    best = scipy.optimize.minimize_scalar(
        lambda log_nu: -height(log_nu),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-2},
    )
    return math.exp(best.x)


def _dispersion(gaps: Moments, evidence: ResultArrays, nu: float) -> float:
    """Return the variance of the points in matches relative to that of independent games.

    What is not known of a gap has its own part of that variance and is taken away first. A match
    weighs less, the larger this part is.
    """
    games = evidence.played
    predicted = davidson.predict(gaps.mean, gaps.variance, nu)
    points, variance, blur = (values[evidence.row] for values in predicted)
    independent, unknown = games * variance, games**2 * blur
    squares = (evidence.wins + evidence.draws / 2 - games * points) ** 2
    weight = (independent / (independent + unknown)) ** 2 * evidence.times * (games > 1)
    known = CORRELATION_MATCHES * (1 + CORRELATION)
    total = weight @ ((squares - unknown) / independent) + known
    return float(np.clip(total / (weight.sum() + CORRELATION_MATCHES), 1.0, MOST_DISPERSION))
