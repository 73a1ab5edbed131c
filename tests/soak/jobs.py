"""The jobs of the soak. A new one is a row here."""

import sys
from dataclasses import dataclass

from arena.domain.formats.catalogue import FORMATS

SEED = "DRAPEAU_SOAK_SEED"  # the variable in which tests find the seed of their job


@dataclass(frozen=True)
class Job:
    """A command and what it shows.

    `{seed}` in the command becomes the seed of the job, and `{amount}` as much as about takes the
    minutes that were asked for, of which two idle cores do `per_minute` in one.
    """

    name: str
    shows: str
    command: tuple[str, ...]  # what follows `python -m`
    per_minute: float = 0.0
    fewest: float = 1.0

    def line(self, seed: int, minutes: float) -> list[str]:
        """Return the command line for a seed and a number of minutes."""
        amount = max(self.fewest, self.per_minute * minutes)
        words = {"seed": str(seed), "amount": f"{amount:.3g}" if amount < 1 else f"{amount:.0f}"}
        return [sys.executable, "-m", *(word.format_map(words) for word in self.command)]


def tests(*paths: str) -> tuple[str, ...]:
    """Return the command for the tests of a path that only the soak runs.

    Those that keep some of their cases in `make test` have a job of their own.
    """
    return ("pytest", "-q", "-m", "soak and not kept", *paths)


FAULTS = ("tests.faults", "--seed", "{seed}", "--minutes", "{amount}")

JOBS = (
    Job(
        "independent",
        "the engine plays every variant as the naive games do, and every ending is reached",
        ("tests.independent", "--games", "{amount}", "--seed", "{seed}"),
        per_minute=400,
        fewest=2,
    ),
    Job(
        "records",
        "records that were changed at random are refused, and nothing else happens",
        ("tests.unit.engine.mutated", "--records", "{amount}", "--seed", "{seed}"),
        per_minute=8000,
        fewest=100,
    ),
    Job(
        "folded views",
        "a bot that is sent its first view alone sees what it would have been sent",
        ("tests.unit.botkit.folded", "--games", "{amount}", "--seed", "{seed}"),
        per_minute=600,
        fewest=10_000,
    ),
    Job(
        "trials",
        "trials of versions take as many games and have the verdicts that are told beforehand",
        tests("tests/unit/bots/test_sprt.py"),
    ),
    Job(
        "formats",
        "random tournaments of every format hold the invariants",
        ("tests.unit.formats", "--tournaments", "{amount}", "--seed", "{seed}"),
        per_minute=150,
    ),
    Job(
        "watchers",
        "500 open streams of a running match leave the pages alone, and miss no move",
        ("tests.e2e.server.watchers",),
    ),
    Job(
        "interrupted",
        "a site that is ended at a random moment leaves nothing, and its next start goes on",
        ("tests.e2e.embedded.interrupted", "--ends", "{amount}", "--seed", "{seed}"),
        per_minute=3,
        fewest=5,
    ),
    Job(
        "further cases",
        "tests that keep a few of their cases for every day pass with all of them",
        ("pytest", "-q", "-n", "2", "-m", "soak and kept", "tests"),
    ),
    Job(
        "long tests",
        "cancelled matches stay secret",
        tests("tests/integration/matches/test_unannounced.py"),
    ),
    Job(
        "compose",
        "the stack survives deaths, comes back from its backup, and says why it refuses a host",
        tests("tests/e2e/compose/test_compose.py", "tests/e2e/compose/test_hosts.py"),
    ),
    Job(
        "killed engine",
        "the services of compose.yaml come back by themselves after their engine was killed",
        tests("tests/e2e/compose/test_killed_engine.py"),
    ),
    Job(
        "intervals",
        "the intervals of ratings contain nineteen of twenty true strengths",
        ("tests.integration.ratings.coverage", "--repeats", "{amount}", "--seed", "{seed}"),
        per_minute=2,
    ),
    Job(
        "ladder attacks",
        "dodging, farming, sandbagging and uploading gain no more than is allowed for them",
        ("tests.integration.queue.attacks", "--ladders", "{amount}", "--seed", "{seed}"),
        per_minute=8,
        fewest=10,
    ),
    Job(
        "whole path",
        "in fleets of 2 to 200 runners nobody starves or is locked in",
        ("tests.integration.queue.whole_path", "--seed", "{seed}"),
    ),
    Job(
        "house bots",
        "a ladder orders the house bots by strength, whatever they are dealt",
        tests("tests/e2e/house_bots/test_ladder.py"),
    ),
    Job(
        "pages",
        "every page of a large site can be measured beside that of a small one",
        ("benchmarks", "--only", "page of a site", "--rounds", "1"),
    ),
    Job(
        "steps",
        "the steps between house bots are those of their table",
        (
            *("tests.integration.house_bots.strength", "--check"),
            *("--games", "{amount}", "--seed", "{seed}"),
        ),
        per_minute=3,
        fewest=100,
    ),
    Job(
        "verdicts",
        "bots get the same verdict at home as on the site",
        tests("tests/integration/runner/test_verdicts.py"),
    ),
    Job(
        "stalling",
        "stalling pays in no variant, and how games end: draws, seats, stallers",
        ("tests.integration.house_bots.stalling", "--games", "{amount}", "--seed", "{seed}"),
        per_minute=25,
        fewest=1000,
    ),
    Job(
        "self-play",
        "ten minutes of self-play take 60 % of paired games from a greedy bot",
        ("tests.integration.house_bots.learned", "--minutes", "{amount}", "--seed", "{seed}"),
        per_minute=1,
        fewest=10,
    ),
    Job(
        "sandbox",
        "hundreds of matches in containers leave nothing behind",
        ("tests.sandbox.soak", "--matches", "{amount}"),
        per_minute=100,
    ),
    Job(
        "channels",
        "between seats and games bits pass only where the table says so, at every level",
        ("benchmarks.channels", "--runs", "{amount}", "--seed", "{seed}"),
        per_minute=0.02,
    ),
    Job(
        "attacks under gVisor",
        "every hostile bot meets its verdict where gVisor is between it and the host",
        ("pytest", "-q", "tests/integration/sandbox/test_attacks_gvisor.py"),
    ),
    Job(
        "starved hosts",
        "a bot that works is not late on a host without CPU time, and one that sleeps is",
        ("tests.sandbox.starving",),
    ),
    Job(
        "faults",
        "ladders lose and double nothing on either stack, whatever is killed",
        FAULTS,
        per_minute=0.4,
        fewest=0.5,
    ),
    Job(
        "three hosts",
        "matches are claimed and rated once while a host is cut off, late, or without its engine",
        (*FAULTS, "--hosts"),
    ),
    *(
        Job(
            f"faults {format_}",
            "a tournament ends as if nothing had been killed, on either stack",
            (*FAULTS, "--tournament", format_),
            per_minute=0.4,
            fewest=0.5,
        )
        for format_ in FORMATS
    ),
    Job(
        "Python 3.13",
        "the unit tests pass under the newest Python that is supported",
        ("tools.pythons", "--python", "3.13"),
    ),
    Job(
        "known mutations",
        "each change of one token that once survived is caught by its test",
        ("tests.mutations",),
    ),
    Job(
        "api schema",
        "the API answers as its schema says to thousands of generated requests with real ids",
        tests("tests/integration/api/test_described.py"),
    ),
)
