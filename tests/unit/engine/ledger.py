"""The ledgers of all variants against the tests in their folders.

Run it with `python -m tests.unit.engine.ledger`.

Prints how many sentences each variant has of each kind, and how many tests hold them.
"""

import sys
from collections import Counter
from dataclasses import dataclass

from arena.domain.variants import rulebook
from engine.registry import variants


@dataclass(frozen=True)
class Gaps:
    """Ids of sentences that no test holds, and ids of tests that no sentence has."""

    without_test: frozenset[str]
    without_sentence: frozenset[str]


def gaps(slug: str) -> Gaps:
    sentences = rulebook.ledger(slug)
    ids = {sentence.id for sentence in sentences}
    return Gaps(
        frozenset(sentence.id for sentence in sentences if not sentence.tests),
        frozenset(rulebook.rules_held(slug).keys() - ids),
    )


def table() -> str:
    """Return the counts as lines: a variant each, then all together."""
    rows = [["variant", *rulebook.KINDS, "all", "tests"]]
    total: Counter[str] = Counter()
    for slug in variants():
        counted = _counts(slug)
        total += counted
        rows.append([slug, *(str(counted[key]) for key in rows[0][1:])])
    rows.append(["all", *(str(total[key]) for key in rows[0][1:])])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def _counts(slug: str) -> Counter[str]:
    sentences = rulebook.ledger(slug)
    counted = Counter(sentence.kind for sentence in sentences)
    counted["all"] = len(sentences)
    counted["tests"] = len({test for sentence in sentences for test in sentence.tests})
    return counted


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
