"""Tables of our Swiss system against independent programs."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import mean

from tests.unit.formats import comparison, fide
from tests.unit.formats.test_tiebreak_library import ours, tournament

FIELDS = [(8, 5), (9, 5), (16, 6), (17, 6), (32, 6), (33, 6), (64, 6)]  # entrants and rounds


def table(headers: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as lines of a Markdown table."""
    return "\n".join(map(line, (headers, ("---",) * len(headers), *rows)))


def line(cells: Sequence[object]) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(map(str, cells)) + " |"


def rounds(tournaments: int) -> str:
    """Compare rounds: pairs of figures are ours and theirs."""
    headers = (
        *("entrants", "rounds drawn", "rematches", "unequal points"),
        *("points apart", "nearer", "further", "bye: same points", "first apart, worst"),
    )
    return table(headers, [_rounds(entrants, number, tournaments) for entrants, number in FIELDS])


def _rounds(entrants: int, number: int, tournaments: int) -> tuple[object, ...]:
    found = [
        one
        for rng_seed in range(tournaments)
        for one in comparison.compare(entrants=entrants, rounds=number, rng_seed=rng_seed)
    ]
    both = [(one.ours, one.theirs) for one in found]
    alike = sum(one.bye_points == other.bye_points for one, other in both)
    return (
        entrants,
        len(found),
        _both([(one.repeats, other.repeats) for one, other in both], sum, "d"),
        _both([(one.floaters, other.floaters) for one, other in both], mean, ".2f"),
        _both([(one.apart, other.apart) for one, other in both], mean, ".2f"),
        sum(one.apart < other.apart for one, other in both),
        sum(one.apart > other.apart for one, other in both),
        f"{alike} of {len(both)}" if entrants % 2 else "",
        _both([(one.worst_excess, other.worst_excess) for one, other in both], max, "d"),
    )


def _both(
    pairs: Sequence[tuple[float, float]],
    of_all: Callable[[Iterable[float]], float],
    form: str,
) -> str:
    return " / ".join(format(of_all(column), form) for column in zip(*pairs, strict=True))


def tie_breaks(tournaments: int) -> str:
    """Compare points and tie-breaks of all rows; with odd numbers there are byes."""
    rows = []
    for entrants in (8, 9, 16, 33):
        pairs = []
        for rng_seed in range(tournaments):
            state = tournament(entrants, Random(rng_seed))
            theirs = fide.tie_breaks(state)
            pairs += [(values, theirs[entrant]) for entrant, values in ours(state).items()]
        same = [
            sum(one[column] == other[column] for one, other in pairs)
            for column in range(len(fide.NAMES))
        ]
        rows.append((entrants, tournaments, len(pairs), *same))
    names = ("points", "Buchholz cut 1", "Buchholz", "Sonneborn-Berger")
    return table(("entrants", "tournaments", "rows", *(f"{one} the same" for one in names)), rows)
