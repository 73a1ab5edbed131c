"""The documents in a variant's folder: rule pages by language, and the ledger of sentences.

The ledger joins `ledger.toml` with the tests that name a sentence's id in `@pytest.mark.rule`.
"""

import ast
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

ENGLISH = "en"
LANGUAGES = (ENGLISH, "fr", "nl", "de")
KINDS = ("sheet", "external", "inferred", "house")
MARK = "pytest.mark.rule"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A rule in our words. `kind`, one of `KINDS`, is the kind of its source.

    `source` names the sheet and the place in it, and `tests` the functions that check the rule.
    """

    id: str
    kind: str
    source: str
    text: str
    tests: Sequence[str]


def languages(slug: str) -> tuple[str, ...]:
    """Return the languages of a variant's rule pages, English first."""
    return tuple(code for code in LANGUAGES if _page(slug, code).is_file())


def page(slug: str, language: str = ENGLISH) -> str:
    """Return a rule page as Markdown, or an empty text if there is none in that language."""
    file = _page(slug, language)
    return file.read_text("utf-8") if file.is_file() else ""


@cache
def ledger(slug: str) -> tuple[Sentence, ...]:
    """Return the sentences of a variant's ledger in their order; none if it has no ledger."""
    file = _folder(slug).joinpath("ledger.toml")
    if not file.is_file():
        return ()
    held = rules_held(slug)
    return tuple(
        Sentence(row["id"], row["kind"], row["source"], row["text"], held.get(row["id"], ()))
        for row in tomllib.loads(file.read_text("utf-8"))["sentence"]
    )


def rules_held(slug: str) -> Mapping[str, Sequence[str]]:
    """Map each id that tests of a variant name to these tests.

    The tests are in the variant's folder, or beside the folders if several variants share them.
    """
    sources = [
        file.read_text("utf-8")
        for folder in (_folder(slug), files("engine.variants"))
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if fnmatch(file.name, "test_*.py")
    ]
    return tests_by_id(sources, slug)


def tests_by_id(sources: Sequence[str], slug: str) -> Mapping[str, Sequence[str]]:
    """Map each id in a mark `rule` to the test functions with that mark, given Python sources.

    A mark of `rule("B1")` counts for every variant, one of `rule(classic="B1")` for that one.
    """
    held: dict[str, list[str]] = {}
    nodes = (node for source in sources for node in ast.parse(source).body)
    for test in (node for node in nodes if isinstance(node, ast.FunctionDef)):
        for mark in test.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == MARK:
                shared = [keyword.value for keyword in mark.keywords if keyword.arg == slug]
                for argument in (*mark.args, *shared):
                    named = ast.literal_eval(argument)
                    for sentence in named if isinstance(named, tuple) else (named,):
                        held.setdefault(str(sentence), []).append(test.name)
    return held


def _page(slug: str, language: str) -> Traversable:
    suffix = "" if language == ENGLISH else f".{language}"
    return _folder(slug).joinpath(f"README{suffix}.md")


def _folder(slug: str) -> Traversable:
    return files(f"engine.variants.{slug}")
