"""Tables of what formats do.

python -m tests.unit.formats --tournaments 1200    where laws do not hold in random tournaments
python -m tests.unit.formats --swiss 30            Swiss rounds against py4swiss
python -m tests.unit.formats --tie-breaks 100      tie-breaks against gacrux
"""

import argparse
import sys
from itertools import product

from arena.domain.formats.catalogue import FORMATS
from tests.unit.formats import laws, simulator, swiss_tables
from tests.unit.formats.swiss_tables import line, table

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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tournaments", type=int, default=200, help="of each format and size")
    parser.add_argument("--seed", type=int, default=0, help="of the first tournament")
    parser.add_argument("--format", choices=sorted(FORMATS), action="append")
    parser.add_argument("--swiss", type=int, metavar="TOURNAMENTS")
    parser.add_argument("--tie-breaks", type=int, metavar="TOURNAMENTS")
    chosen = parser.parse_args()
    if chosen.swiss:
        return _say(swiss_tables.rounds(chosen.swiss))
    if chosen.tie_breaks:
        return _say(swiss_tables.tie_breaks(chosen.tie_breaks))
    first = chosen.seed
    return _laws(chosen.format or list(FORMATS), range(first, first + chosen.tournaments))


def _say(text: str) -> int:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
    return 0


def _laws(slugs: list[str], rng_seeds: range) -> int:
    """Print the table line by line, since it takes a while; return 1 where a law is broken."""
    sentences = []
    tournaments = meetings = 0
    _say(table(HEADERS, []))
    for slug, size in product(slugs, SIZES):
        found = examine(slug, size, rng_seeds)
        _say(line(_row(slug, size, found)))
        sentences += breaches(slug, size, found)
        tournaments += found.tournaments
        meetings += found.meetings
    sys.stdout.writelines(sentence + "\n" for sentence in sentences[:20])
    _say(f"Figures: {tournaments} tournaments, {meetings} meetings, {len(sentences)} breaches")
    return int(bool(sentences))


def examine(slug: str, size: int, rng_seeds: range, *, two_win: bool = False) -> laws.Findings:
    """Play a tournament for each seed, every third of them calm, and look at all."""
    found = laws.Findings()
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


def breaches(slug: str, size: int, found: laws.Findings) -> list[str]:
    """Name every law that does not hold in what was found."""
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


def _row(slug: str, size: int, found: laws.Findings) -> tuple[object, ...]:
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
