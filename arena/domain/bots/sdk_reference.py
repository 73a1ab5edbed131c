"""The reference of the SDK for Python as Markdown, from the source of `botkit`.

It has the names that `botkit` exports, those of the typed views of the games, and the public ones
of `BESIDE`, with their docstrings. The comment behind an attribute says what it is.
"""

import ast
import inspect
import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from textwrap import indent
from types import ModuleType

import botkit
from botkit import bot, game_modules, shapes, view

_TITLE = "# The SDK for Python"
_FIRST = ("Bot", "run", "RESIGN", "View")
BESIDE = ("worlds", "positions")  # modules that a bot imports only if it needs them
_COMMENT = re.compile(r"  # (?!noqa)(.+)$")


@cache
def as_markdown() -> str:
    """Return the page: a section for each name, first what every bot needs."""
    package = ast.parse(inspect.getsource(botkit))
    sections = {
        name: text
        for module, names in _exported()
        for name, text in _of_source(inspect.getsource(module), names)
    }
    ordered = [*_FIRST, *(name for name in sections if name not in _FIRST)]
    for module in BESIDE:
        source = inspect.getsource(import_module(f"botkit.{module}"))
        beside = {f"{module}.{name}": text for name, text in _of_source(source, _public(source))}
        sections |= beside
        ordered += beside
    texts = [f"## {name}\n\n{sections[name]}" for name in ordered]
    return "\n\n".join([_TITLE, ast.get_docstring(package) or "", *texts]) + "\n"


def _exported() -> Iterator[tuple[ModuleType, Collection[str]]]:
    """Yield modules, each with the names of it that bots import from `botkit`."""
    for module in (bot, shapes, view):
        yield module, botkit.__all__
    for typed in game_modules.game_modules("typed_view"):
        for home in dict.fromkeys(getattr(typed, name).__module__ for name in typed.__all__):
            yield import_module(home), typed.__all__


def _public(source: str) -> list[str]:
    """List the classes and functions of a module that are for bots."""
    defined = (ast.ClassDef, ast.FunctionDef)
    names = [child.name for child in ast.parse(source).body if isinstance(child, defined)]
    return [name for name in names if not name.startswith("_")]


def _of_source(source: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield these names of a module, in the order of its source, each with its text."""
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name) if name in names:
                bases = ", ".join(ast.unparse(base) for base in node.bases)
                title = f"class {name}({bases})" if bases else f"class {name}"
                members = "\n".join(_members(node, source))
                yield name, f"`{title}`\n\n{_docstring(node)}\n\n{members}"
            case ast.FunctionDef(name=name) if name in names:
                yield name, f"`{_signature(node)}`\n\n{_docstring(node)}"
            case ast.Assign(targets=[ast.Name(id=name)]) if name in names:
                yield name, f"`{ast.unparse(node)}`\n\n{_comment(node, source)}"


def _members(node: ast.ClassDef, source: str) -> Iterator[str]:
    """Yield an item of a list for each public attribute and method of a class."""
    for child in node.body:
        match child:
            case ast.FunctionDef(name="__init__"):
                of_self = (line for line in child.body if "self." in ast.unparse(line))
                yield from (item for line in of_self for item in _attribute(line, source))
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                marks = {ast.unparse(decorator) for decorator in child.decorator_list}
                code = _signature(child)
                if marks & {"property", "cached_property"}:
                    code = code.replace("() ->", ":")
                elif "classmethod" in marks:
                    code = f"{node.name}.{code}"
                yield _listed(code, _docstring(child))
            case _:
                yield from _attribute(child, source)


def _attribute(node: ast.stmt, source: str) -> Iterator[str]:
    """Yield the item of an assignment to a public attribute, if the statement is one."""
    match node:
        case ast.AnnAssign(target=target, annotation=annotation):
            kind = f": {ast.unparse(annotation)}"
        case ast.Assign(targets=[target]):
            kind = ""
        case _:
            return
    name = ast.unparse(target).removeprefix("self.")
    if name.isidentifier() and not name.startswith("_"):
        yield _listed(f"{name}{kind}", _comment(node, source))


def _signature(node: ast.FunctionDef) -> str:
    arguments = re.sub(r"^(self|cls)(, )?", "", ast.unparse(node.args))
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){returned}".replace("'", "")


def _docstring(node: ast.ClassDef | ast.FunctionDef) -> str:
    return ast.get_docstring(node) or ""


def _comment(node: ast.stmt, source: str) -> str:
    comment = _COMMENT.search(source.splitlines()[node.lineno - 1])
    return comment[1] if comment else ""


def _listed(code: str, text: str) -> str:
    """Return an item of a list; further paragraphs of the text belong to it."""
    return f"- `{code}`: {indent(text, '  ').strip()}" if text else f"- `{code}`"
