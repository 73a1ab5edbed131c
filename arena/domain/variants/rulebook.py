"""What lies in a variant's folder for people: rule pages by language, and the ledger of sentences.

The ledger joins `ledger.toml` with the tests that carry a sentence's id in `@pytest.mark.rule`.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from django.conf import settings

ENGLISH = "en"
LANGUAGES = (ENGLISH, "fr", "nl", "de")
KINDS = ("sheet", "external", "inferred", "house")
MARK = "pytest.mark.rule"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A rule in our words: `kind` is where it comes from, `tests` name the functions that hold it.

    `source` says which sheet and where; `kind` is one of `KINDS`.
    """

    id: str
    kind: str
    source: str
    text: str
    tests: Sequence[str]


def languages(slug: str) -> tuple[str, ...]:
    """Return the languages that a variant's rules are written in, English first."""
    return tuple(code for code in LANGUAGES if _page(slug, code).is_file())


def page(slug: str, language: str = ENGLISH) -> str:
    """Return a rule page as Markdown; empty where there is none in that language."""
    file = _page(slug, language)
    return file.read_text("utf-8") if file.is_file() else ""


def protocol_page() -> str:
    """Return the page about the wire as Markdown; empty where it was not installed along."""
    file = settings.BASE_DIR / "docs" / "reference" / "protocol.md"
    return file.read_text("utf-8") if file.is_file() else ""


@cache
def ledger(slug: str) -> tuple[Sentence, ...]:
    """Return every sentence of a variant's ledger, in its order; none where it keeps no ledger."""
    file = _folder(slug).joinpath("ledger.toml")
    if not file.is_file():
        return ()
    held = rules_held(slug)
    return tuple(
        Sentence(row["id"], row["kind"], row["source"], row["text"], held.get(row["id"], ()))
        for row in tomllib.loads(file.read_text("utf-8"))["sentence"]
    )


def rules_held(slug: str) -> Mapping[str, Sequence[str]]:
    """Map each id that a test in a variant's folder names to the tests that do."""
    return tests_by_id(_test_sources(slug))


def tests_by_id(sources: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Map each id in a mark `rule` to the test functions that carry it, given Python sources."""
    held: dict[str, list[str]] = {}
    for source in sources:
        for name, rule in _marks(ast.parse(source)):
            held.setdefault(rule, []).append(name)
    return held


def _marks(module: ast.Module) -> Iterator[tuple[str, str]]:
    tests = (node for node in module.body if isinstance(node, ast.FunctionDef))
    for test in tests:
        for mark in test.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == MARK:
                for argument in mark.args:
                    yield test.name, str(ast.literal_eval(argument))


def _test_sources(slug: str) -> list[str]:
    found = (file for file in _folder(slug).iterdir() if file.name.startswith("test_"))
    tests = sorted((file for file in found if file.name.endswith(".py")), key=lambda f: f.name)
    return [file.read_text("utf-8") for file in tests]


def _page(slug: str, language: str) -> Traversable:
    suffix = "" if language == ENGLISH else f".{language}"
    return _folder(slug).joinpath(f"README{suffix}.md")


def _folder(slug: str) -> Traversable:
    return files("engine.variants").joinpath(slug)
