"""How improbable the results between bots are if they play honestly: arithmetic over plain data.

A bot that gives points away causes results that the ratings do not predict. The prediction may
also be wrong for honest reasons (ratings lag behind, a style may beat another style). So a result
counts as improbable only if it would be so even if every rating were wrong by `SLACK` in favour of
the winner.

The tail is bounded after H. Chernoff (A Measure of Asymptotic Efficiency, 1952): for independent
scores X in [0, 1] with means e, and any distribution,

    P(sum X >= s) <= min over t > 0 of exp(-t s) * product of (1 - e + e exp(t))

A match of several games with draws varies less than one toss of a coin. The ratio is measured over
all matches, and the exponent is divided by it. Every probability is multiplied by the number of
tests (Bonferroni), so that on an honest ladder at most one report in 1 / `ALARM` has a false alarm
of a kind.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena.domain.ratings import elo

ALARM = 0.01  # most false alarms of one kind per report on an honest ladder
SLACK = 50.0  # Elo by which ratings may be wrong for honest reasons
FEWEST_MEETINGS = 4  # matches of a pair; pairs with fewer are not tested
FEWEST_FORFEITS = 3  # matches forfeited
FEWEST_CHALLENGES = 6  # between two owners, both ways together
WINDOW = 12  # matches: the latest of a pair, or the first of a version with an opponent
LEAST_DISPERSION = 0.25  # that of matches of four independent games
FARTHEST = 800.0  # Elo: the largest difference between the rating of a version and its results


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match of two bots. `expected` and `score` are those of the first bot."""

    bots: tuple[int, int]
    versions: tuple[int, int]
    expected: float
    score: float
    forfeited: tuple[bool, bool] = (False, False)

    def mirrored(self) -> "RatedMatch":
        """Return the same match from the view of the other bot."""
        return RatedMatch(
            bots=self.bots[::-1],
            versions=self.versions[::-1],
            expected=1.0 - self.expected,
            score=1.0 - self.score,
            forfeited=self.forfeited[::-1],
        )


@dataclass(frozen=True, slots=True)
class OneSided:
    """`winner` got more points from `loser` than their ratings predict.

    `score` and `expected` are sums over the matches, and `p` is the corrected probability.
    `version` is set if only this version of the loser is concerned.
    """

    winner: int
    loser: int
    matches: int
    score: float
    expected: float
    p: float
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Forfeits:
    """`bot` forfeits mostly to `opponent`. Counts are of matches, and `p` is corrected."""

    bot: int
    opponent: int
    forfeited_to_it: int
    forfeited: int
    met_it: int
    met: int
    p: float


@dataclass(frozen=True, slots=True)
class Circle:
    """Two owners who challenge only each other. `p` is corrected."""

    owners: tuple[int, int]
    challenges: int
    p: float


Finding = TypeVar("Finding", OneSided, Forfeits, Circle)


def one_sided_pairs(meetings: Sequence[RatedMatch]) -> list[OneSided]:
    """Return the pairs whose results their ratings do not explain, most improbable first.

    All matches of a pair and its latest ones are tested; the more improbable result is returned.
    """
    pairs = [rows for rows in _by_pair(meetings).values() if len(rows) >= FEWEST_MEETINGS]
    look = _Look(tests=4 * len(pairs), dispersion=dispersion(meetings))
    return _alarming(
        min(_one_sided(rows, look), _one_sided(rows[-WINDOW:], look), key=lambda found: found.p)
        for rows in pairs
    )


def one_sided_versions(meetings: Sequence[RatedMatch]) -> list[OneSided]:
    """Return later versions of bots that lose points to one opponent only.

    The results against all other opponents first correct the rating of the version, because a weak
    version is weak against everybody.
    """
    first: dict[int, int] = {}
    played: dict[int, list[RatedMatch]] = defaultdict(list)
    for row in _both_ways(meetings):
        first.setdefault(row.bots[1], row.versions[1])
        played[row.versions[1]].append(row)
    tried = []
    for version, rows in played.items():
        if first[rows[0].bots[1]] != version:
            by_winner = defaultdict(list)
            for row in rows:
                by_winner[row.bots[0]].append(row)
            tried += [
                (rows, opening[:WINDOW])
                for opening in by_winner.values()
                if len(opening) >= FEWEST_MEETINGS
            ]
    look = _Look(tests=len(tried), dispersion=dispersion(meetings))
    return _alarming(_one_sided_version(rows, opening, look) for rows, opening in tried)


def forfeits_to_one(meetings: Sequence[RatedMatch]) -> list[Forfeits]:
    """Return bots that forfeit to one opponent more often than chance explains.

    The probability is the tail of the hypergeometric distribution, as if the forfeits were spread
    at random over all matches.
    """
    met: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    given: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for row in _both_ways(meetings):
        met[row.bots[0]][row.bots[1]] += 1
        given[row.bots[0]][row.bots[1]] += row.forfeited[0]
    tried = [(bot, opponent) for bot in met for opponent in met[bot] if given[bot][opponent]]
    found = []
    for bot, opponent in tried:
        to_it, in_all = given[bot][opponent], sum(given[bot].values())
        its, every = met[bot][opponent], sum(met[bot].values())
        p = min(1.0, len(tried) * hypergeometric_tail(to_it, in_all, its, every))
        if to_it >= FEWEST_FORFEITS:
            found.append(Forfeits(bot, opponent, to_it, in_all, its, every, p))
    return _alarming(found)


def circles(challenges: Iterable[tuple[int, int]], *, owners: int) -> list[Circle]:
    """Return pairs of owners who challenge only each other.

    A challenge is a pair of owners: who requested it, and the opponent. `owners` is the number of
    owners that could be challenged. The probability is that of always choosing the same one if all
    are equally likely.
    """
    asked: dict[int, list[int]] = defaultdict(list)
    for asker, other in challenges:
        asked[asker].append(other)
    choice = 1.0 / max(1, owners - 1)
    found = []
    for one, others in asked.items():
        other = others[0]
        back = asked.get(other, [])
        count = len(others) + len(back)
        closed = set(others) == {other} and set(back) == {one} and one < other
        if closed and count >= FEWEST_CHALLENGES:
            p = min(1.0, len(asked) * choice ** (count - 1))
            found.append(Circle((one, other), count, p))
    return _alarming(found)


def tail(expected: Sequence[float], score: float) -> float:
    """Return a bound of P(sum >= `score`) for independent scores with these means."""
    if score <= sum(expected):
        return 1.0
    if score >= len(expected):
        return math.exp(sum(math.log(mean) for mean in expected))
    low, high = 0.0, 60.0
    for _ in range(50):
        middle = (low + high) / 2
        if sum(_tilted(mean, middle) for mean in expected) < score:
            low = middle
        else:
            high = middle
    return math.exp(sum(math.log1p(mean * math.expm1(low)) for mean in expected) - low * score)


def hypergeometric_tail(hits: int, drawn: int, marked: int, total: int) -> float:
    """Return the probability of `hits` or more among `drawn` of `total`, if `marked` are hits."""
    ways = math.comb(total, drawn)
    most = min(drawn, marked)
    return sum(
        math.comb(marked, count) * math.comb(total - marked, drawn - count) / ways
        for count in range(hits, most + 1)
    )


def dispersion(meetings: Iterable[RatedMatch]) -> float:
    """Return the variance of the scores relative to that of matches with only wins and losses."""
    seen = predicted = 0.0
    for row in meetings:
        seen += (row.score - row.expected) ** 2
        predicted += row.expected * (1 - row.expected)
    return min(1.0, max(LEAST_DISPERSION, seen / predicted)) if predicted else 1.0


def shifted(share: float, by: float) -> float:
    """Return an expected share if the difference of the ratings were `by` Elo greater."""
    held = min(1 - 1e-9, max(1e-9, share))
    odds = held / (1 - held) * math.pow(10.0, by / elo.SCALE)
    return odds / (1 + odds)


@dataclass(frozen=True, slots=True)
class _Look:
    """The number of tests, and the variance of scores relative to that of a coin toss."""

    tests: int
    dispersion: float


def _tilted(mean: float, t: float) -> float:
    weighed = mean * math.exp(t)
    return weighed / (1 - mean + weighed)


def _both_ways(meetings: Iterable[RatedMatch]) -> Iterator[RatedMatch]:
    for row in meetings:
        yield row
        yield row.mirrored()


def _by_pair(meetings: Iterable[RatedMatch]) -> Mapping[tuple[int, ...], list[RatedMatch]]:
    """Group the matches by pair, from the view of the bot with the lower id."""
    pairs: dict[tuple[int, ...], list[RatedMatch]] = defaultdict(list)
    for row in meetings:
        seen = row if row.bots[0] < row.bots[1] else row.mirrored()
        pairs[seen.bots].append(seen)
    return pairs


def _one_sided(rows: Sequence[RatedMatch], look: _Look) -> OneSided:
    """Test a pair from the view of the bot that got more than predicted."""
    if sum(row.score - row.expected for row in rows) < 0:
        rows = [row.mirrored() for row in rows]
    return _found(rows, [row.expected for row in rows], look)


def _one_sided_version(
    rows: Sequence[RatedMatch], opening: Sequence[RatedMatch], look: _Look
) -> OneSided:
    winner = opening[0].bots[0]
    drift = _drift([row for row in rows if row.bots[0] != winner])
    means = [shifted(row.expected, drift) for row in opening]
    return _found(opening, means, look, version=opening[0].versions[1])


def _found(
    rows: Sequence[RatedMatch], means: Sequence[float], look: _Look, *, version: int | None = None
) -> OneSided:
    score = sum(row.score for row in rows)
    bound = tail([shifted(mean, SLACK) for mean in means], score)
    p = min(1.0, look.tests * math.pow(bound, 1 / look.dispersion))
    winner, loser = rows[0].bots
    return OneSided(winner, loser, len(rows), score, sum(means), p, version)


def _drift(rows: Sequence[RatedMatch]) -> float:
    """Return by how many Elo a version is weaker against others than its rating predicts.

    It is the shift at which their expected score equals their score. Two virtual draws keep it near
    0 if there are few matches.
    """
    got = sum(row.score for row in rows) + 1.0
    low, high = -FARTHEST, FARTHEST
    for _ in range(40):
        middle = (low + high) / 2
        predicted = sum(shifted(row.expected, middle) for row in rows) + 2 * shifted(0.5, middle)
        if predicted < got:
            low = middle
        else:
            high = middle
    return low


def _alarming(found: Iterable[Finding]) -> list[Finding]:
    return sorted((row for row in found if row.p <= ALARM), key=lambda row: row.p)
