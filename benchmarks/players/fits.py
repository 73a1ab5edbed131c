"""How long the fit of a ladder of 100,000 bots takes, beside one of 1,000, by match.

Prints `{"ours": [ms per match], "theirs": [ms per match]}`. It is one round, because it takes
minutes. Bots meet at random, and each has played 50 matches of two games. With `--large`, prints
`{"cpu_s": …, "peak_bytes": …}` of the large ladder alone: processor time of the fit and its
ranges of ranks, and the most memory of the process.
"""

import argparse
import json
import resource
import time

from arena.domain.ratings import fit
from tests.world.ladders import drawn_duels

LARGE, SMALL = 100_000, 1_000
MATCHES = 50  # of a bot


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--rounds", "--seconds"):
        parser.add_argument(name, type=float, help="taken and not needed: a fit has its length")
    parser.add_argument("--bots", type=int, default=LARGE)
    parser.add_argument("--large", action="store_true", help="the large ladder alone")
    given = parser.parse_args()
    if given.large:
        print(json.dumps(costs(given.bots)))
        return
    print(json.dumps({"ours": [ms_per_match(given.bots)], "theirs": [ms_per_match(SMALL)]}))


def ms_per_match(bots: int) -> float:
    """Return how long a fit takes, in milliseconds for each match."""
    results = drawn_duels(bots, matches=MATCHES)
    began_s = time.perf_counter()
    fit.fit(results)
    return 1000 * (time.perf_counter() - began_s) / len(results)


def costs(bots: int) -> dict[str, float]:
    """Return the processor time of a fit and its ranges of ranks, and the most memory so far."""
    results = drawn_duels(bots, matches=MATCHES)
    began_s = time.process_time()
    fit.fit(results).rank_ranges(range(bots))
    cpu_s = time.process_time() - began_s
    peak_bytes = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"cpu_s": round(cpu_s, 1), "peak_bytes": peak_bytes}


if __name__ == "__main__":
    main()
