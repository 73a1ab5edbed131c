"""Mutants of the central modules, drawn by lot and made by the operators of cosmic-ray.

A lot falls on a place of the code first, and then on one of the mutants that can be made there:
otherwise every `+` would count for eleven, as cosmic-ray has so many other operators for it.
"""

import difflib
import random
import re
import subprocess
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutations.tree_copy import FAILED, PASSED, TreeCopy

_TABLE = tomllib.loads(Path(__file__).with_name("sampled.toml").read_text(encoding="utf-8"))
TESTS: Mapping[str, Sequence[str]] = _TABLE["tests"]
OPERATORS_LEFT_OUT = re.compile(_TABLE["operators_left_out"])
VALUES_LEFT_OUT = tuple(_TABLE["values_left_out"])
QUICK = ("-m", "not soak and not docker and not alone")


class Place(NamedTuple):
    """Where in the code of a file operators apply: the line from 1, the column from 0."""

    file: str
    line: int
    column: int


class Mutant(NamedTuple):
    """One change of a file."""

    place: Place
    operator: str
    text: str

    def shown(self, before: str) -> str:
        """Show the place, the operator and the lines that changed."""
        lines = before.splitlines(), self.text.splitlines()
        changes = list(difflib.unified_diff(*lines, lineterm="", n=0))[3:]
        head = f"{self.place.file}:{self.place.line} {self.operator}"
        return "\n".join([head, *(f"    {line}" for line in changes)])


class Outcome(Enum):
    KILLED = "killed"
    TIMED_OUT = "killed by the clock"
    SURVIVED = "survived"
    DID_NOT_RUN = "did not run"  # it cannot be imported, so no test was needed to notice it


def draw(
    copy: TreeCopy, number: int, seed: int, *, files: Iterable[str] = tuple(TESTS)
) -> list[Mutant]:
    """Draw so many mutants, each of another place, or of all places where there are fewer."""
    lot = random.Random(seed)
    places = {place: made for file in files for place, made in _places(file, copy.text(file))}
    drawn = lot.sample(sorted(places), min(number, len(places)))
    return [_mutant(copy, place, *lot.choice(places[place])) for place in sorted(drawn)]


def _places(file: str, text: str) -> Iterator[tuple[Place, list[tuple[str, int]]]]:
    """Yield every place with its mutants: the operator and which of its occurrences it is."""
    nodes, lines = list(ast_nodes(get_ast(text))), text.splitlines()
    found = defaultdict(list)
    for name in operator_names():
        operator = get_operator(name)
        if OPERATORS_LEFT_OUT.search(name) or operator.arguments():
            continue
        starts = (start for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, (line, column) in enumerate(starts):
            if not lines[line - 1][:column].endswith(VALUES_LEFT_OUT):
                found[Place(file, line, column)].append((name, occurrence))
    yield from found.items()


def _mutant(copy: TreeCopy, place: Place, operator: str, occurrence: int) -> Mutant:
    text = mutate_code(copy.text(place.file), get_operator(operator)(), occurrence)
    return Mutant(place, operator.removeprefix("core/"), text)


def attempt(copy: TreeCopy, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, Outcome, float]]:
    """Make the mutants one after the other and run the tests of their files; give the seconds.

    Raise RuntimeError where the tests of a file fail though nothing was changed.
    """
    limits_s: dict[str, float] = {}
    for mutant in mutants:
        file = mutant.place.file
        if file not in limits_s:
            limits_s[file] = _limit_s(copy, file)
        started = time.monotonic()
        with copy.changed(file, mutant.text):
            outcome = _outcome(copy, file, limits_s[file])
        yield mutant, outcome, time.monotonic() - started


def _limit_s(copy: TreeCopy, file: str) -> float:
    """Run the tests of a file as it is; give ten times as long, and a minute more."""
    started = time.monotonic()
    status = copy.run_tests(*QUICK, *TESTS[file])
    if status != PASSED:
        raise RuntimeError(f"the tests of {file} end with status {status} without any change")
    return 60 + 10 * (time.monotonic() - started)


def _outcome(copy: TreeCopy, file: str, limit_s: float) -> Outcome:
    try:
        status = copy.run_tests(*QUICK, *TESTS[file], timeout_s=limit_s)
    except subprocess.TimeoutExpired:
        return Outcome.TIMED_OUT
    told = {PASSED: Outcome.SURVIVED, FAILED: Outcome.KILLED}
    return told.get(status, Outcome.DID_NOT_RUN)
