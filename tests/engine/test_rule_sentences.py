"""Every sentence of the rule sheets is held by a test that carries its id."""

import ast
from pathlib import Path

import engine.variants

FOLDER = Path(engine.variants.__path__[0])
SENTENCES = {
    "general": [f"A{n}" for n in range(1, 33)],
    "classic": [*(f"B{n}" for n in range(1, 36)), "B32b", "B32c"],
}


def ids_held(path: Path) -> set[str]:
    """Collect the ids in `@pytest.mark.rule(...)` above the test functions of a file."""
    return {
        argument.value
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule"
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def test_every_sentence_has_a_test_and_no_id_is_made_up():
    held = {slug: ids_held(FOLDER / slug / "test_rules.py") for slug in SENTENCES}

    assert held == {slug: set(ids) for slug, ids in SENTENCES.items()}


def test_a_sentence_without_a_test_would_be_missed(tmp_path):
    file = tmp_path / "test_rules.py"
    file.write_text('@pytest.mark.rule("A1", "A3")\ndef test_one(): ...\ndef test_two(): ...\n')

    assert ids_held(file) == {"A1", "A3"}
