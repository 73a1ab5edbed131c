"""Change the product one token at a time and see whether the tests notice.

python -m tests.mutations                        the known mutations; status 1 where one survives
python -m tests.mutations --sample 40 --seed 7   mutants of the central modules, drawn by lot
"""

import argparse
import random
import resource
import sys
from collections import Counter

from tests.mutations import known, sample, tree_copy
from tests.mutations.sample import Outcome

MEMORY_BYTES = 8 * 1024**3  # of one process: a mutant may well go on asking for more


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sample", type=int, metavar="N", help="draw so many mutants")
    parser.add_argument("--seed", type=int, help="draw these; without it others every time")
    chosen = parser.parse_args()
    with tree_copy.fresh() as copy:
        if chosen.sample is None:
            return _known(copy)
        seed = random.randrange(10**6) if chosen.seed is None else chosen.seed
        return _sample(copy, chosen.sample, seed)


def _known(copy: tree_copy.TreeCopy) -> int:
    chosen = known.mutations()
    if known.failing(copy, chosen):
        _say("The tests of the known mutations fail where nothing was changed.")
        return 1
    _say(known.HEADER)
    survived = 0
    for tried in known.attempt(copy, chosen):
        _say(str(tried))
        survived += bool(tried.problem)
    _say(f"{len(chosen)} mutations, {survived} not caught")
    return 1 if survived else 0


def _sample(copy: tree_copy.TreeCopy, number: int, seed: int) -> int:
    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
    mutants = sample.draw(copy, number, seed)
    _say(f"{len(mutants)} mutants drawn with seed {seed}")
    _say("mutant | outcome | seconds")
    found: Counter[Outcome] = Counter()
    survivors = []
    for mutant, outcome, seconds in sample.attempt(copy, mutants):
        place = mutant.place
        _say(f"{place.file}:{place.line} {mutant.operator} | {outcome.value} | {seconds:.1f}")
        found[outcome] += 1
        if outcome is Outcome.SURVIVED:
            survivors.append(mutant.shown(copy.text(place.file)))
    killed, survived = found[Outcome.KILLED] + found[Outcome.TIMED_OUT], found[Outcome.SURVIVED]
    _say("".join(f"\nSurvived: {shown}" for shown in survivors) + "\n")
    score = f"{killed / (killed + survived):.0%}" if killed + survived else "none"
    not_run = found[Outcome.DID_NOT_RUN]
    _say(f"{killed} killed, {survived} survived, {not_run} did not run: score {score}, seed {seed}")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
