"""What a ladder believes of its bots: a number moved by every match, and the batch fit of all."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from arena.domain.ratings import elo, fit
from arena.domain.ratings.fit import Estimate, GameCounts, MatchCounts
from benchmarks.simulation.worlds import BOTS

REFIT = 32  # matches at least between two fits,
GROWTH = 0.1  # and this part of what there is
PLAIN_K = 20.0
VERSIONS = 100  # room for the versions of a bot in the key of one
K = Callable[[int], float]  # by the games that a version has played


def plain(_games: int) -> float:
    """Return the one K of plain Elo."""
    return PLAIN_K


@dataclass(slots=True)
class Book:
    """The books of one ladder, by bot. A game is of a version; a new one has none."""

    k: K
    fits: bool
    ratings: list[float] = field(default_factory=lambda: [elo.START] * BOTS)
    games: list[int] = field(default_factory=lambda: [0] * BOTS)
    versions: list[int] = field(default_factory=lambda: [0] * BOTS)
    firsts: list[int] = field(default_factory=lambda: [0] * BOTS)  # of the bot that is there now
    estimates: dict[int, Estimate] = field(default_factory=dict)
    fitted: int = 0  # matches in the latest fit
    played: list[tuple[int, int]] = field(default_factory=list)
    results: Counter[MatchCounts] = field(default_factory=Counter)

    def enter(self, one: int, other: int, points: tuple[float, float]) -> None:
        """Rate a match by the points of one in its games."""
        score = sum(points) / len(points)
        expected = elo.expected(self.ratings[one], self.ratings[other])
        for bot, shift in ((one, score - expected), (other, expected - score)):
            self.ratings[bot] += self.k(self.games[bot]) * shift
            self.games[bot] += len(points)
        self.played.append((one, other))
        wins, draws, losses = (points.count(each) for each in (1.0, 0.5, 0.0))
        sides = (self.version(one),), (self.version(other),)
        self.results[MatchCounts((GameCounts(*sides, wins, draws, losses),))] += 1
        if self.fits and len(self.played) - self.fitted >= max(REFIT, GROWTH * self.fitted):
            self._refit()

    def _refit(self) -> None:
        self.fitted = len(self.played)
        now = [self.version(bot) for bot in range(BOTS)]
        families = [
            [bot * VERSIONS + each for each in range(self.firsts[bot], self.versions[bot] + 1)]
            for bot in range(BOTS)
        ]
        results = [result._replace(times=times) for result, times in self.results.items()]
        self.estimates = dict(fit.fit(results, centre_on=now, families=families).estimates)

    def renew(self, bot: int) -> None:
        """Let a new version of a bot inherit its number."""
        self.versions[bot] += 1
        self.games[bot] = 0

    def replace(self, bot: int) -> None:
        """Put a newcomer in the place of a bot."""
        self.renew(bot)
        self.firsts[bot] = self.versions[bot]
        self.ratings[bot] = elo.START

    def version(self, bot: int) -> int:
        """Return the key of the version that plays."""
        return bot * VERSIONS + self.versions[bot]

    def estimate(self, bot: int) -> Estimate | None:
        """Return what the latest fit says of it, if it has been in one."""
        return self.estimates.get(self.version(bot))

    def by_number(self) -> list[float]:
        """Return what the bots are ranked by: their numbers."""
        return self.ratings

    def by_estimate(self) -> list[float]:
        """Return the same by the latest fit, and the number where there is no estimate."""
        found = [self.estimate(bot) for bot in range(BOTS)]
        return [each.value if each else self.ratings[bot] for bot, each in enumerate(found)]
