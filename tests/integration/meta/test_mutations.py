"""The tables of mutations are true, and both ways of trying mutations find what they should."""

import ast

import pytest

from tests.mutations import known, sample, tree_copy
from tests.tree import ROOT, text, tracked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

KNOWN = known.mutations()
FILES = ("engine/duel/chase.py", "arena/domain/ratings/elo.py")


@pytest.fixture(scope="module")
def copy():
    with tree_copy.fresh() as made:
        yield made


@pytest.mark.parametrize("mutation", KNOWN, ids=lambda mutation: mutation.name)
def test_a_known_mutation_changes_one_place_and_names_a_test_that_there_is(mutation):
    file, _, test = mutation.caught_by.partition("::")

    assert text(mutation.file).count(mutation.old) == 1
    assert f"\ndef {test.partition('[')[0]}(" in text(file)


def test_a_known_mutation_is_caught_and_what_changes_nothing_survives(copy):
    real = KNOWN[0]
    harmless = real._replace(new=f"{real.old}  # the same")
    gone = real._replace(old="a text that is not there")

    found = [tried.problem for tried in known.attempt(copy, [real, harmless, gone])]

    assert found == ["", "SURVIVED", "NOT MADE: the old text occurs 0 times"]
    assert copy.text(real.file) == text(real.file)


def test_the_central_modules_and_their_tests_are_there():
    for file, tests in sample.TESTS.items():
        assert file in tracked()
        assert all((ROOT / test).exists() for test in tests)


def test_mutants_are_drawn_by_the_seed_and_each_is_another_program():
    here = tree_copy.TreeCopy(ROOT)

    mutants = sample.draw(here, 10, seed=1, files=FILES)

    assert mutants == sample.draw(here, 10, seed=1, files=FILES)
    assert mutants != sample.draw(here, 10, seed=2, files=FILES)
    assert len({mutant.place for mutant in mutants}) == 10
    for mutant in mutants:
        before, after = (
            ast.dump(ast.parse(each)) for each in (text(mutant.place.file), mutant.text)
        )
        assert before != after


def test_a_drawn_mutant_is_killed_by_the_tests_of_its_file_or_does_not_run(copy):
    file = "engine/duel/chase.py"
    turned = text(file).replace("self.quarry not in", "self.quarry in")
    mutants = [
        sample.Mutant(sample.Place(file, 1, 0), "by hand", changed)
        for changed in (turned, "raise SystemExit(1)\n")
    ]

    found = [outcome for _, outcome, _ in sample.attempt(copy, mutants)]

    assert found == [sample.Outcome.KILLED, sample.Outcome.DID_NOT_RUN]
