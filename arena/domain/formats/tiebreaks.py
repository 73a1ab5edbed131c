"""What decides between equals: measures of what an entrant did, higher is better.

`tables` applies them in the order of the setup, each to those who are still equal; the coin ends
every list. What was not played tells nothing of an opponent, so a bye, a walkover and an award are
for one's own measures a meeting with a dummy opponent who has as many points as oneself. So is,
where every round is for everybody, one that was missed or is void. Of an opponent that has left,
each round that it missed since then counts as drawn for those who had met it. With three in a match
there are two dummies.

In a Swiss tournament of twos that is the dummy opponent of the tie-break regulations of FIDE (C.07)
as they were before 2026. It differs from them in what Buchholz leaves out, which is always the
lowest here, unplayed or not, and in taking dummies in round robins too.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.domain.formats import scoring
from arena.domain.formats.types import CHANCE, Score, Unplayable

DIGITS = 9  # of an average
DUMMY = None  # the opponent of who met nobody


@dataclass(frozen=True, slots=True)
class Encounter:
    """A meeting that is over, as one entrant has it: whom it met and what it did.

    `points` are what that was worth.
    """

    opponents: tuple[int | None, ...]
    score: Score
    points: float

    @property
    def is_played(self) -> bool:
        """Whether there were real opponents."""
        return DUMMY not in self.opponents


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """What an entrant did. `worth` is what its points are for those who met it."""

    total: Score
    points: float
    worth: float
    byes: int
    encounters: tuple[Encounter, ...]


Book = Mapping[int, EntrantRecord]
Measure = Callable[[Book, Sequence[int], int], float]  # of an entrant among those equal with it


def direct_encounter(book: Book, tied: Sequence[int], entrant: int) -> float:
    """Return the points made against the others that are equal, where all of them have met.

    It is 0 for all where two of them have not. It is taken once for all that are equal, and not
    again for those whom it leaves equal.
    """
    if not all(_has_met_all(book, tied, one) for one in tied):
        return 0.0
    return math.fsum(
        encounter.points
        for encounter in book[entrant].encounters
        for opponent in encounter.opponents
        if opponent in tied
    )


def _has_met_all(book: Book, tied: Sequence[int], entrant: int) -> bool:
    met = {opponent for encounter in book[entrant].encounters for opponent in encounter.opponents}
    return all(other in met for other in tied if other != entrant)


def buchholz(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Sum the points of those whom it met, each as often as it met them."""
    return math.fsum(_worths(book, entrant))


def buchholz_cut1(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Sum them without the one that has fewest points."""
    worths = sorted(_worths(book, entrant))
    return math.fsum(worths[1:])


def _worths(book: Book, entrant: int) -> list[float]:
    return [
        _worth(book, entrant, opponent)
        for encounter in book[entrant].encounters
        for opponent in encounter.opponents
    ]


def _worth(book: Book, entrant: int, opponent: int | None) -> float:
    return book[entrant].points if opponent is DUMMY else book[opponent].worth


def sonneborn_berger(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Sum the points of those whom it met: for every game won all, for every game drawn half."""
    return math.fsum(
        scoring.game_points(encounter.score) * _worth(book, entrant, opponent)
        for encounter in book[entrant].encounters
        for opponent in encounter.opponents
    )


def wins(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Count the games won by playing them."""
    encounters = book[entrant].encounters
    return float(sum(encounter.score.wins for encounter in encounters if encounter.is_played))


def fewer_forfeits(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Count the games lost by a fault of its own, as a negative number."""
    return float(-book[entrant].total.forfeits)


def per_game(slug: str) -> Measure:
    """Return a measure as an average, for a book whose points are per game.

    Buchholz is then that of an opponent, Sonneborn-Berger, wins and forfeits are of a game. Direct
    encounter stays a sum: those who are compared by it have met as often.
    """
    measure, count = MEASURES[slug], COUNTS.get(slug)
    if count is None:
        return measure

    def average(book: Book, tied: Sequence[int], entrant: int) -> float:
        found = measure(book, tied, entrant) / max(1, count(book[entrant]))
        return round(found, DIGITS)  # equals must not differ by how they were added up

    return average


def _opponents(record: EntrantRecord) -> int:
    return sum(len(encounter.opponents) for encounter in record.encounters)


def _games(record: EntrantRecord) -> int:
    return record.total.games


def _games_of_opponents(record: EntrantRecord) -> int:
    return sum(encounter.score.games * len(encounter.opponents) for encounter in record.encounters)


def coin(rng_seed: int, seed: int) -> float:
    """Toss for an entrant: evenly spread in [0, 1), by nothing but `rng_seed` and its seed.

    It is the first 53 bits of the SHA-256 of "rng_seed/coin/seed" over 2^53; both are public, so
    anybody can toss it again.
    """
    digest = hashlib.sha256(f"{rng_seed}/{CHANCE}/{seed}".encode()).digest()
    return float((int.from_bytes(digest[:7]) >> 3) / 2**53)


MEASURES: Mapping[str, Measure] = {
    "direct_encounter": direct_encounter,
    "buchholz_cut1": buchholz_cut1,
    "buchholz": buchholz,
    "sonneborn_berger": sonneborn_berger,
    "wins": wins,
    "fewer_forfeits": fewer_forfeits,
}

# Of how many an average is, of those that are sums.
COUNTS: Mapping[str, Callable[[EntrantRecord], int]] = {
    "buchholz_cut1": lambda record: _opponents(record) - 1,
    "buchholz": _opponents,
    "sonneborn_berger": _games_of_opponents,
    "wins": _games,
    "fewer_forfeits": _games,
}

DEFAULT = ("direct_encounter", "buchholz_cut1", "sonneborn_berger", "wins", "fewer_forfeits")


def check(slugs: Sequence[str]) -> None:
    """Raise Unplayable where a list names what there is not, or something twice.

    The coin may be named, at the end, where it is in any case.
    """
    for place, slug in enumerate(slugs):
        if slug == CHANCE and place == len(slugs) - 1:
            continue
        if slug not in MEASURES:
            raise Unplayable("unknown_tie_break", slug=slug, known=[*MEASURES, CHANCE])
        if slug in slugs[:place]:
            raise Unplayable("tie_break_twice", slug=slug)
