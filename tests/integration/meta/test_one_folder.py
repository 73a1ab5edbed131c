"""One folder is one variant: a folder more is a variant more, and nothing outside names it."""

import json
import re

import pytest

from engine.registry import variants
from tests.tree import ROOT, copy_files, run_in, text, tracked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

EXAMPLE = "skirmish"
HOME = f"engine/variants/{EXAMPLE}/"
DOCUMENTED = {
    "docs/how-to/add-a-game.md",
    "docs/explanation/stalling.md",
    "CHANGELOG.md",
    "tests/integration/meta/test_one_folder.py",
    "tests/snapshot/world.py",
}
PARTS = ("arena/", "botkit/", "docs/", "engine/", "sandbox/", "tests/", "manage.py")
READABLE = (
    *(".py", ".md", ".toml", ".html", ".js", ".css", ".json", ".yaml", ".sh", ".txt"),
    "Makefile",
)


def names_of(slug, files):
    """Return the files that name a variant, in their path or in their text."""
    word = re.compile(rf"\b{slug}", re.IGNORECASE)
    return {
        name
        for name in files
        if word.search(name) or (name.endswith(READABLE) and word.search(text(name)))
    }


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Copy the tree without the example, and put the example into it under another name."""
    root = tmp_path_factory.mktemp("tree")
    others = (name for name in tracked() if name.startswith(PARTS) and not name.startswith(HOME))
    copy_files(others, to=root)
    for name in tracked():
        if name.startswith(HOME):
            copied = root / "engine/variants/stranger" / name.removeprefix(HOME)
            copied.parent.mkdir(parents=True, exist_ok=True)
            renamed = text(name).replace(EXAMPLE, "stranger").replace("Skirmish", "Stranger")
            copied.write_text(renamed, encoding="utf-8")
    return root


def test_a_folder_more_is_a_variant_more(tree):
    done = run_in(tree, "-m", "tests.integration.meta.one_folder", "stranger", timeout_s=300)

    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["variants"] == sorted({*variants(), "stranger"} - {EXAMPLE})
    assert found["ended"]
    assert found["sentences"] >= 8
    assert found["untested"] == []
    assert found["pages"] == {
        "/variants/stranger/": 200,
        "/variants/stranger/ledger/": 200,
        "/ladders/stranger/": 200,
    }


def test_its_own_tests_and_the_laws_hold_there(tree):
    laws = ("test_variant_contract.py", "test_rule_sentences.py", "test_golden.py")

    done = run_in(
        tree,
        *("-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tree)),
        *("-p", "no:cacheprovider", "-p", "no:randomly", "-k", "stranger"),
        *("engine/variants/stranger", *(f"tests/unit/engine/{law}" for law in laws)),
        timeout_s=300,
    )

    assert done.returncode == 0, done.stdout[-2000:]


def test_nothing_outside_its_folder_names_the_example():
    outside = {name for name in tracked() if not name.startswith(HOME)}

    assert names_of(EXAMPLE, outside) <= DOCUMENTED
    assert names_of(EXAMPLE, outside | {HOME + "rules.py"}) - DOCUMENTED == {HOME + "rules.py"}
