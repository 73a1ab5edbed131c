"""Every sentence of every ledger is held by a test that carries its id, and no id is made up."""

import pytest

from arena.domain.variants import rulebook
from engine.registry import variants

SHEETS = {
    "general": {f"A{n}" for n in range(1, 33)},
    "classic": {*(f"B{n}" for n in range(1, 36)), "B32b", "B32c"},
    "cards": {*(f"C{n}" for n in range(1, 26) if n != 19)}
    | {"C18b", "C18c", "C19a", "C19b", "C19c"},
    "siege": {f"D{n}" for n in range(1, 39)},
}


@pytest.mark.parametrize("slug", variants())
def test_every_sentence_has_test_and_vice_versa(slug):
    sentences = rulebook.ledger(slug)

    assert sentences
    assert [sentence.id for sentence in sentences if not sentence.tests] == []
    assert rulebook.rules_held(slug).keys() <= {sentence.id for sentence in sentences}


@pytest.mark.parametrize(("slug", "ids"), SHEETS.items(), ids=SHEETS.keys())
def test_no_sentence_of_a_sheet_is_missing(slug, ids):
    stated = {sentence.id for sentence in rulebook.ledger(slug) if sentence.kind == "sheet"}

    assert stated == ids
