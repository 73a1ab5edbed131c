"""How improbable what bots did to each other is, were they honest: arithmetic over plain data.

Whoever gives points away leaves results that the numbers do not foretell. What is foretold may be
wrong by itself (numbers lag behind, styles beat styles), so a result counts as improbable only if
it would be so with every number wrong by `SLACK` in favour of the one who won.

The tail is bounded as H. Chernoff did (A Measure of Asymptotic Efficiency, 1952): for independent
scores X in [0, 1] with means e,

    P(sum X >= s) <= min over t > 0 of exp(-t s) * product of (1 - e + e exp(t))

whatever their distribution is. A match of several games with draws varies less than one toss of a
coin; by how much less is measured over all matches, and the exponent is divided by it. Every
probability is multiplied by the number of things looked at (Bonferroni), so that on an honest
ladder at most one report in 1 / `ALARM` has a false alarm of a kind.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.domain.ratings import elo

ALARM = 0.01  # false alarms of one kind per report on an honest ladder, at most
SLACK = 50.0  # Elo by which numbers may be wrong without a fault of anybody
FEWEST_MEETINGS = 4  # matches of a pair below which nothing is said
FEWEST_FORFEITS = 3  # matches forfeited
FEWEST_CHALLENGES = 6  # between two owners, both ways together
WINDOW = 12  # matches: the latest of a pair, the first of a version with an opponent
LEAST_DISPERSION = 0.25  # matches of four independent games; some are not independent
FARTHEST = 800.0  # Elo: how far a version may be from its number in what others saw of it


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match of two bots, in the order of rating; `expected` and `score` are the first's."""

    bots: tuple[int, int]
    versions: tuple[int, int]
    expected: float
    score: float
    forfeited: tuple[bool, bool] = (False, False)

    def turned(self) -> "RatedMatch":
        """Return the same match as the other one saw it."""
        return RatedMatch(
            bots=self.bots[::-1],
            versions=self.versions[::-1],
            expected=1.0 - self.expected,
            score=1.0 - self.score,
            forfeited=self.forfeited[::-1],
        )


@dataclass(frozen=True, slots=True)
class OneSided:
    """`winner` got more from `loser` than their numbers foretold. Shares are sums over matches.

    `version` is the loser's where it is about that version alone, `p` the corrected probability.
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
    """`bot` forfeits mostly to `opponent`: counts are of matches; `p` is corrected."""

    bot: int
    opponent: int
    forfeited_to_it: int
    forfeited: int
    met_it: int
    met: int
    p: float


@dataclass(frozen=True, slots=True)
class Circle:
    """Two owners who challenge each other and nobody else; `p` is corrected."""

    owners: tuple[int, int]
    challenges: int
    p: float


def one_sided_pairs(meetings: Sequence[RatedMatch]) -> list[OneSided]:
    """Find the pairs whose results their numbers do not explain, most improbable first.

    Looked at are all matches of a pair and the latest ones; of the two the more improbable is told.
    """
    pairs = [rows for rows in _by_pair(meetings).values() if len(rows) >= FEWEST_MEETINGS]
    look = _Look(tests=4 * len(pairs), dispersion=dispersion(meetings))
    return _alarming(
        min(_one_sided(rows, look), _one_sided(rows[-WINDOW:], look), key=lambda found: found.p)
        for rows in pairs
    )


def turns(meetings: Sequence[RatedMatch]) -> list[OneSided]:
    """Find versions that came after others and give to one opponent what they give to nobody else.

    What the version did against all others corrects its number first: a version that is merely
    bad is bad against everybody.
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
    return _alarming(_turn(rows, opening, look) for rows, opening in tried)


def forfeits_to_one(meetings: Sequence[RatedMatch]) -> list[Forfeits]:
    """Find bots whose forfeits fall on one opponent, were they dealt to all matches alike.

    The tail is that of the hypergeometric distribution.
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
        if to_it >= FEWEST_FORFEITS and p <= ALARM:
            found.append(Forfeits(bot, opponent, to_it, in_all, its, every, p))
    return sorted(found, key=lambda row: row.p)


def circles(challenges: Iterable[tuple[int, int]], *, owners: int) -> list[Circle]:
    """Find pairs of owners who only ever challenge each other.

    A challenge is who asked and whom, both as owners; `owners` is how many could have been asked.
    The probability is that of choosing one and the same every time, were all as likely.
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
    return sorted((row for row in found if row.p <= ALARM), key=lambda row: row.p)


def tail(expected: Sequence[float], score: float) -> float:
    """Bound the probability that independent shares with these means sum to `score` or more."""
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
    """Return the probability that of `drawn` out of `total`, `hits` or more are of the `marked`."""
    ways = math.comb(total, drawn)
    most = min(drawn, marked)
    return sum(
        math.comb(marked, count) * math.comb(total - marked, drawn - count) / ways
        for count in range(hits, most + 1)
    )


def dispersion(meetings: Iterable[RatedMatch]) -> float:
    """Return the variance of the scores as a part of that of matches that are won or lost whole."""
    seen = foretold = 0.0
    for row in meetings:
        seen += (row.score - row.expected) ** 2
        foretold += row.expected * (1 - row.expected)
    return min(1.0, max(LEAST_DISPERSION, seen / foretold)) if foretold else 1.0


def shifted(share: float, by: float) -> float:
    """Return an expected share with the difference of the numbers `by` Elo greater."""
    held = min(1 - 1e-9, max(1e-9, share))
    odds = held / (1 - held) * math.pow(10.0, by / elo.SCALE)
    return odds / (1 + odds)


@dataclass(frozen=True, slots=True)
class _Look:
    """How many things are looked at, and how much scores vary beside tosses of a coin."""

    tests: int
    dispersion: float


def _tilted(mean: float, t: float) -> float:
    weighed = mean * math.exp(t)
    return weighed / (1 - mean + weighed)


def _both_ways(meetings: Iterable[RatedMatch]) -> Iterator[RatedMatch]:
    for row in meetings:
        yield row
        yield row.turned()


def _by_pair(meetings: Iterable[RatedMatch]) -> Mapping[tuple[int, ...], list[RatedMatch]]:
    """Sort the meetings by pair, each as the one with the lower number saw it."""
    pairs: dict[tuple[int, ...], list[RatedMatch]] = defaultdict(list)
    for row in meetings:
        seen = row if row.bots[0] < row.bots[1] else row.turned()
        pairs[seen.bots].append(seen)
    return pairs


def _one_sided(rows: Sequence[RatedMatch], look: _Look) -> OneSided:
    """Look at a pair from the side of the one who got more than foretold; both sides were tried."""
    if sum(row.score - row.expected for row in rows) < 0:
        rows = [row.turned() for row in rows]
    return _found(rows, [row.expected for row in rows], look)


def _turn(rows: Sequence[RatedMatch], opening: Sequence[RatedMatch], look: _Look) -> OneSided:
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
    """Return by how much Elo others got more of a version than its number foretold.

    It is the shift under which they would have got what they did, beside two draws with nobody
    that hold it near 0 where there are few.
    """
    got = sum(row.score for row in rows) + 1.0
    low, high = -FARTHEST, FARTHEST
    for _ in range(40):
        middle = (low + high) / 2
        foretold = sum(shifted(row.expected, middle) for row in rows) + 2 * shifted(0.5, middle)
        if foretold < got:
            low = middle
        else:
            high = middle
    return low


def _alarming(found: Iterable[OneSided]) -> list[OneSided]:
    return sorted((row for row in found if row.p <= ALARM), key=lambda row: row.p)
