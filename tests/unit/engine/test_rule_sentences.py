"""Every sentence of every ledger is held by a test that carries its id, and no id is made up."""

import pytest

from arena.domain.variants import rulebook
from engine.registry import variants
from tests.unit.engine.ledger import Gaps, gaps

EVERY = pytest.mark.parametrize("slug", variants())
SHEETS = {
    "general": {f"A{n}" for n in range(1, 33)},
    "classic": {*(f"B{n}" for n in range(1, 36)), "B32b", "B32c"},
    "cards": {*(f"C{n}" for n in range(1, 26) if n != 19)}
    | {"C18b", "C18c", "C19a", "C19b", "C19c"},
    "siege": {f"D{n}" for n in range(1, 39)},
}
LEDGER = """
[[sentence]]
id = "Z1"
kind = "sheet"
source = "a sheet"
text = "One."

[[sentence]]
id = "Z2"
kind = "house"
source = "no sheet"
text = "Two."
"""
TESTS = """
import pytest

@pytest.mark.rule("Z1"{more})
@pytest.mark.parametrize("x", [1])
def test_one(x): ...

def test_two(): ...
"""


@EVERY
def test_every_sentence_has_test_and_vice_versa(slug):
    assert rulebook.ledger(slug)
    assert gaps(slug) == Gaps(frozenset(), frozenset())


@EVERY
def test_sentence_has_unique_id_kind_source_and_words(slug):
    sentences = rulebook.ledger(slug)

    assert len({sentence.id for sentence in sentences}) == len(sentences)
    assert {sentence.kind for sentence in sentences} <= set(rulebook.KINDS)
    assert all(sentence.source and sentence.text.endswith(".") for sentence in sentences)


@pytest.mark.parametrize(("slug", "ids"), SHEETS.items(), ids=SHEETS.keys())
def test_no_sentence_of_a_sheet_is_missing(slug, ids):
    stated = {sentence.id for sentence in rulebook.ledger(slug) if sentence.kind == "sheet"}

    assert stated == ids


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", Gaps(frozenset({"Z2"}), frozenset())),
        (', "Z2"', Gaps(frozenset(), frozenset())),
        (', "Z2", "Z3"', Gaps(frozenset(), frozenset({"Z3"}))),
    ],
)
def test_missing_test_and_unknown_id_are_noticed(tmp_path, monkeypatch, more, expected):
    (tmp_path / "ledger.toml").write_text(LEDGER)
    (tmp_path / "test_rules.py").write_text(TESTS.format(more=more))
    monkeypatch.setattr(rulebook, "_folder", lambda slug: tmp_path)

    assert gaps("a variant that no ledger was read of before") == expected
    rulebook.ledger.cache_clear()
