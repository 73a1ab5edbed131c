"""CONTRIBUTING.md, as far as a machine can hold it."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from arena.domain.formats.catalogue import FORMATS
from tests.tree import ours, text, tracked

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_TEMPLATE_COLUMNS = 160
LONGER = "Longer than the house rule:"  # followed by the reason, in the first lines
DRAWERS = ("utils", "helpers", "common", "manager", "service")
HOSTS = (
    "pypi." + "org",
    "pythonhosted." + "org",
    "npmjs." + "org",
    "deb." + "debian.org",
    "debian." + "org/debian",
)
EXAMPLES = {  # variants from which one learns to add another, and their folders
    "battleship": "examples/battleship/",
    "skirmish": "engine/variants/skirmish/",
}
WORDS_OF_A_TEST = 8
OUTSIDE = ("/wo" + "rk/", "TO" + "DO", "FIX" + "ME", "X" + "XX", "/root" + "/")


def too_long(name: str, content: str) -> bool:
    lines = content.splitlines()
    return len(lines) > MAX_FILE_LINES and not any(LONGER in line for line in lines[:12])


@cache
def parsed(name: str) -> ast.Module:
    return ast.parse(text(name))


def blocks(node: ast.AST) -> Iterator[ast.AST]:
    """Yield everything inside that can hold a function: no expressions."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from blocks(inner)


def long_functions(name: str) -> list[str]:
    found = []
    for node in blocks(parsed(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            reason = LONGER in (ast.get_docstring(node) or "")
            if length > MAX_FUNCTION_LINES and not reason:
                found.append(f"{node.name} ({length} lines)")
    return found


def wide_lines(content: str) -> list[int]:
    lines = enumerate(content.splitlines(), start=1)
    return [number for number, line in lines if len(line) > MAX_TEMPLATE_COLUMNS]


def bare_suppressions(content: str) -> list[str]:
    """Suppressions without a rule or without a reason behind it."""
    good = re.compile(
        r"#\s*(noqa: [A-Z]+[0-9]+(, ?[A-Z]+[0-9]+)*|type: ignore\[[a-z, -]+\])\s+(#|-)\s*\S"
    )
    marks = re.compile(r"#\s*(no" + r"qa|type: ig" + r"nore)\b")
    return [
        line.strip()
        for line in content.splitlines()
        if marks.search(line) and not good.search(line)
    ]


def test_files_are_short():
    files = ours(".py", ".js", ".css", ".html", ".c", ".sh")

    assert [name for name in files if too_long(name, text(name))] == []


def test_functions_are_short():
    found = {name: long_functions(name) for name in ours(".py")}

    assert {name: functions for name, functions in found.items() if functions} == {}


def test_lines_of_templates_are_short():
    templates = [name for name in ours(".html") if name.startswith("arena/templates/")]
    found = {name: wide_lines(text(name)) for name in templates}

    assert len(templates) > 100
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_drawer_names():
    parts = {part for name in tracked() for part in re.split(r"[/._]", name)}

    assert parts & set(DRAWERS) == set()


def test_no_registry_host_is_named():
    names = [
        name for name in tracked() if not name.endswith((".png", ".gz", ".zip", ".ico", ".mo"))
    ]

    assert {name for name in names for host in HOSTS if host in text(name)} == set()


def test_nothing_points_outside_or_is_left_over():
    names = ours(".py", ".js", ".css", ".html", ".md", ".toml", ".yaml", ".sh", ".c", "Makefile")

    assert {(name, word) for name in names for word in OUTSIDE if word in text(name)} == set()


def test_names_of_tests_have_at_most_eight_words():
    names = {
        name
        for file in ours(".py")
        if file.rpartition("/")[2].startswith("test_")
        for name in re.findall(r"^ *def (test_\w+)", text(file), re.MULTILINE)
    }

    assert len(names) > 2500
    assert {name for name in names if name.count("_") > WORDS_OF_A_TEST} == set()


def test_suppressions_name_a_rule_and_give_a_reason():
    found = {name: bare_suppressions(text(name)) for name in ours(".py")}

    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("example", EXAMPLES)
def test_nothing_outside_folder_names_example_variant(example):
    word = re.compile(rf"\b{example}", re.IGNORECASE)
    names = ours(".py", ".js", ".css", ".html", ".toml", ".yaml", ".sh", ".json", "Makefile")
    # House bots name the games that they play; a game needs none. The type checker is told a path.
    allowed = (EXAMPLES[example], "tests/", "bots/", "pyproject.toml")
    outside = [name for name in names if not name.startswith(allowed)]

    assert {name for name in outside if word.search(name) or word.search(text(name))} == set()


def test_nothing_else_names_a_format():
    """Templates do: they are what a draft begins with."""
    home = "arena/domain/formats/"
    named = re.compile(rf"[\"'](?:{'|'.join(FORMATS)})[\"']")
    product = ("arena/", "engine/", "sandbox/", "botkit/", "bots/")
    names = [name for name in ours(".py", ".html", ".js") if name.startswith(product)]

    assert {name for name in names if named.search(text(name)) and not name.startswith(home)} == {
        "arena/domain/tournaments/setup/templates.py"
    }
