"""The known mutations: each is made in a copy of the project, where its test must fail."""

import time
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.mutations.tree_copy import FAILED, PASSED, TreeCopy

TABLE = Path(__file__).with_name("known.toml")
HEADER = "mutation | caught by | seconds"


class Mutation(NamedTuple):
    """A text of a file, what takes its place, and the test that fails then."""

    name: str
    file: str
    old: str
    new: str
    caught_by: str


class Tried(NamedTuple):
    """What came of a mutation; without `problem` its test caught it."""

    mutation: Mutation
    problem: str
    seconds: float

    def __str__(self) -> str:
        told = self.problem or self.mutation.caught_by.partition("::")[2]
        return f"{self.mutation.name} | {told} | {self.seconds:.1f}"


def mutations() -> list[Mutation]:
    """Read the table."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["mutation"]
    return [Mutation(**row) for row in rows]


def failing(copy: TreeCopy, chosen: Iterable[Mutation]) -> bool:
    """Return whether any of their tests fails, or cannot be run, where nothing was changed."""
    return copy.run_tests(*{mutation.caught_by for mutation in chosen}) != PASSED


def attempt(copy: TreeCopy, chosen: Iterable[Mutation]) -> Iterator[Tried]:
    """Make the mutations one after the other and run the test of each."""
    for mutation in chosen:
        started = time.monotonic()
        problem = _problem(copy, mutation)
        yield Tried(mutation, problem, time.monotonic() - started)


def _problem(copy: TreeCopy, mutation: Mutation) -> str:
    text = copy.text(mutation.file)
    found = text.count(mutation.old)
    if found != 1:
        return f"NOT MADE: the old text occurs {found} times"
    with copy.changed(mutation.file, text.replace(mutation.old, mutation.new)):
        status = copy.run_tests(mutation.caught_by)
    if status == PASSED:
        return "SURVIVED"
    return "" if status == FAILED else f"NOT TRIED: pytest ended with status {status}"
