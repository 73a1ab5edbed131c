"""Tie-breaks: measures of what an entrant did; higher is better.

`tables` applies them in the order of the setup, each to those who are still tied. The coin ends
every list. They are those of the tie-break regulations of FIDE (C.07, in force until February 2026)
with the differences that `docs/reference/tie-breaks.md` and the page of the standings name.

Where a schedule says who meets whom, a walkover and an award are regular games against the
scheduled opponent (article 15). Elsewhere what was not played tells nothing of an opponent. So a
bye, a walkover or an award counts for the entrant itself as a meeting with a dummy opponent that
has the entrant's own points (article 16). If every round is for everybody, so does a round that it
missed, or whose meeting is void. If an opponent has left, each round that it missed since counts as
drawn for those who had met it. With three in a match there are two dummies.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.domain.formats import scoring
from arena.domain.formats.types import CHANCE, Score, Unplayable

DIGITS = 9  # of an average, after the point
DUMMY = None  # the opponent in what was not played


@dataclass(frozen=True, slots=True)
class Encounter:
    """A meeting that is over, as one entrant sees it: its opponents, its score and its points."""

    opponents: tuple[int | None, ...]
    score: Score
    points: float
    is_played: bool = True


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """What an entrant did. `worth` is what its points count for those who met it."""

    total: Score
    points: float
    worth: float
    byes: int
    encounters: tuple[Encounter, ...]

    @property
    def opponents(self) -> list[int | None]:
        """The opponents, each as often as it met them."""
        return [opponent for encounter in self.encounters for opponent in encounter.opponents]


Book = Mapping[int, EntrantRecord]
Measure = Callable[[Book, Sequence[int], int], float]  # of an entrant among those tied with it


def direct_encounter(book: Book, tied: Sequence[int], entrant: int) -> float:
    """Return the points made against the others that are tied, if all of them have met (6.1).

    Against an opponent that it met more than once, the mean counts. It is 0 for all if two of them
    have not met. `tables` applies it again to those that are still tied after it.
    """
    if not all(set(book[other].opponents) >= set(tied) - {other} for other in tied):
        return 0.0
    against = {
        opponent: [
            encounter.points
            for encounter in book[entrant].encounters
            if opponent in encounter.opponents
        ]
        for opponent in tied
        if opponent != entrant
    }
    means = (math.fsum(points) / len(points) for points in against.values())
    return round(math.fsum(means), DIGITS)  # the order of adding must not make equals differ


def buchholz(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Return the sum of the points of its opponents, each as often as it met them."""
    return math.fsum(_worths(book, entrant))


def buchholz_cut1(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Return the same sum without the opponent that has the fewest points."""
    worths = sorted(_worths(book, entrant))
    return math.fsum(worths[1:])


def _worths(book: Book, entrant: int) -> list[float]:
    return [_worth(book, entrant, opponent) for opponent in book[entrant].opponents]


def _worth(book: Book, entrant: int, opponent: int | None) -> float:
    return book[entrant].points if opponent is DUMMY else book[opponent].worth


def sonneborn_berger(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Return the sum of the points of its opponents: all for a game won, half for a draw."""
    return math.fsum(
        scoring.game_points(encounter.score) * _worth(book, entrant, opponent)
        for encounter in book[entrant].encounters
        for opponent in encounter.opponents
    )


def wins(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Return the number of games won by playing them (7.2, "won over the board")."""
    encounters = book[entrant].encounters
    return float(sum(encounter.score.wins for encounter in encounters if encounter.is_played))


def fewer_forfeits(book: Book, _tied: Sequence[int], entrant: int) -> float:
    """Return the number of games lost by its own fault, as a negative number."""
    return float(-book[entrant].total.forfeits)


def per_game(slug: str) -> Measure:
    """Return a measure as an average, for a book whose points are per game.

    Buchholz is then per opponent; Sonneborn-Berger, wins and forfeits are per game. Direct
    encounter stays as it is: a sum of means.
    """
    measure, count = MEASURES[slug], COUNTS.get(slug)
    if count is None:
        return measure

    def average(book: Book, tied: Sequence[int], entrant: int) -> float:
        mean = measure(book, tied, entrant) / max(1, count(book[entrant]))
        return round(mean, DIGITS)  # the order of adding must not make equals differ

    return average


def coin(rng_seed: int, seed: int) -> float:
    """Return the coin of an entrant: evenly spread in [0, 1), from `rng_seed` and its seed alone.

    It is the first 53 bits of the SHA-256 of "rng_seed/coin/seed", divided by 2^53. Seeds are
    public, and the `rng_seed` is from the release on, so anybody can work it out.
    """
    digest = hashlib.sha256(f"{rng_seed}/{CHANCE}/{seed}".encode()).digest()
    return float((int.from_bytes(digest[:7]) >> 3) / 2**53)


AGAIN = "direct_encounter"  # applied again to those that it leaves tied

MEASURES: Mapping[str, Measure] = {
    AGAIN: direct_encounter,
    "buchholz_cut1": buchholz_cut1,
    "buchholz": buchholz,
    "sonneborn_berger": sonneborn_berger,
    "wins": wins,
    "fewer_forfeits": fewer_forfeits,
}

# What the average of a sum is divided by.
COUNTS: Mapping[str, Callable[[EntrantRecord], int]] = {
    "buchholz_cut1": lambda record: len(record.opponents) - 1,
    "buchholz": lambda record: len(record.opponents),
    "sonneborn_berger": lambda record: sum(
        encounter.score.games * len(encounter.opponents) for encounter in record.encounters
    ),
    "wins": lambda record: record.total.games,
    "fewer_forfeits": lambda record: record.total.games,
}

DEFAULT = ("direct_encounter", "buchholz_cut1", "sonneborn_berger", "wins", "fewer_forfeits")


def check(slugs: Sequence[str]) -> None:
    """Raise Unplayable if a list names an unknown tie-break, or one twice.

    The coin may be named, but only at the end, where it always is.
    """
    for place, slug in enumerate(slugs):
        if slug == CHANCE and place == len(slugs) - 1:
            continue
        if slug not in MEASURES:
            raise Unplayable("unknown_tie_break", slug=slug, known=[*MEASURES, CHANCE])
        if slug in slugs[:place]:
            raise Unplayable("tie_break_twice", slug=slug)
