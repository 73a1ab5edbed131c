"""Where invariants do not hold in random tournaments: `python -m tests.unit.formats`."""

import argparse
import sys
from collections.abc import Iterable
from itertools import product

from arena.domain.formats.catalogue import FORMATS
from tests.unit.formats import invariants, simulator

HEADERS = (
    "format",
    "size",
    "tournaments",
    "rounds",
    "meetings",
    "rematches",
    "seats apart",
    "firsts apart",
    "byes twice",
    "unfinished",
    "order-dependent",
    "other",
)
SIZES = (2, 3)
# The most between how often somebody is named first, second, third: one, but where points decide
# who meets. (Every match plays all seatings, so that the seats themselves are even.)
FIRSTS_APART = {("swiss", 2): 2, ("swiss", 3): 3}
ELIMINATIONS = ("single_elimination", "double_elimination")  # who meets whom follows from results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=200, help="of each format and size")
    parser.add_argument("--seed", type=int, default=0, help="of the first tournament")
    parser.add_argument("--format", choices=sorted(FORMATS), action="append")
    chosen = parser.parse_args()
    first = chosen.seed
    return _print_table(chosen.format or list(FORMATS), range(first, first + chosen.tournaments))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _say_row(cells: Iterable[object]) -> None:
    _say("| " + " | ".join(map(str, cells)) + " |")


def _print_table(slugs: list[str], rng_seeds: range) -> int:
    """Print the table line by line, since it takes a while; return 1 where one is broken."""
    sentences = []
    tournaments = meetings = 0
    _say_row(HEADERS)
    _say_row("---" for _ in HEADERS)
    for slug, size in product(slugs, SIZES):
        found = examine(slug, size, rng_seeds)
        _say_row(_row(slug, size, found))
        sentences += breaches(slug, size, found)
        tournaments += found.tournaments
        meetings += found.meetings
    sys.stdout.writelines(sentence + "\n" for sentence in sentences[:20])
    _say(f"Figures: {tournaments} tournaments, {meetings} meetings, {len(sentences)} breaches")
    return int(bool(sentences))


def examine(
    slug: str, size: int, rng_seeds: range, *, two_win: bool = False
) -> invariants.Findings:
    """Play a tournament for each seed, every third of them calm, and look at all."""
    found = invariants.Findings()
    for rng_seed in rng_seeds:
        played = simulator.play(
            formats=FORMATS,
            slug=slug,
            size=size,
            rng_seed=rng_seed,
            troubled=rng_seed % 3 > 0,
            two_win=two_win,
        )
        found.take(played)
    return found


def breaches(slug: str, size: int, found: invariants.Findings) -> list[str]:
    """Name every invariant that does not hold in what was found."""
    most = {"firsts_apart": FIRSTS_APART.get((slug, size), 1)}
    counts = (
        *("rematches", "seats_apart", "firsts_apart"),
        *("second_byes", "unfinished", "order_dependent"),
    )
    return found.broken + [
        f"{slug} {size}: {name} is {getattr(found, name)}"
        for name in counts
        if getattr(found, name) > most.get(name, 0)
    ]


def _row(slug: str, size: int, found: invariants.Findings) -> tuple[object, ...]:
    return (
        slug,
        size,
        found.tournaments,
        found.rounds,
        found.meetings,
        found.rematches,
        found.seats_apart,
        "not measured" if slug in ELIMINATIONS else found.firsts_apart,
        found.second_byes,
        found.unfinished,
        found.order_dependent,
        len(found.broken),
    )


if __name__ == "__main__":
    sys.exit(main())
