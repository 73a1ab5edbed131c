"""Tables of what formats do.

python -m tests.unit.formats --tournaments 1000    where laws do not hold in random tournaments
python -m tests.unit.formats --swiss 30            Swiss rounds against py4swiss
python -m tests.unit.formats --tie-breaks 100      tie-breaks against gacrux
python -m tests.unit.formats --bench               how long it takes to draw a Swiss round
"""

import argparse
import sys

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
ELIMINATIONS = ("single_elimination", "double_elimination")  # who meets whom follows from results


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tournaments", type=int, default=200, help="of each format and size")
    parser.add_argument("--format", choices=sorted(FORMATS), action="append")
    parser.add_argument("--swiss", type=int, metavar="TOURNAMENTS")
    parser.add_argument("--tie-breaks", type=int, metavar="TOURNAMENTS")
    parser.add_argument("--bench", action="store_true")
    chosen = parser.parse_args()
    if chosen.swiss:
        return _say(swiss_tables.rounds(chosen.swiss))
    if chosen.tie_breaks:
        return _say(swiss_tables.tie_breaks(chosen.tie_breaks))
    if chosen.bench:
        return _say(swiss_tables.times())
    return _laws(chosen.format or list(FORMATS), chosen.tournaments)


def _say(text: str) -> int:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
    return 0


def _laws(slugs: list[str], tournaments: int) -> int:
    """Say the table line by line, since it takes a while."""
    sentences = []
    _say(table(HEADERS, []))
    for slug in slugs:
        for size in SIZES:
            found = examine(slug, size, tournaments)
            _say(line(_row(slug, size, found)))
            sentences += found.broken
    sys.stdout.writelines(sentence + "\n" for sentence in sentences[:20])
    return int(bool(sentences))


def examine(slug: str, size: int, tournaments: int, *, two_win: bool = False) -> laws.Findings:
    """Play tournaments, every third of them calm, and look at all."""
    found = laws.Findings()
    for rng_seed in range(tournaments):
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
