"""The reference of the SDK for Python as Markdown, from the source of `botkit`.

It has the names that `botkit` exports, and the public ones of `BESIDE`, with their docstrings. The
comment behind an attribute says what it is.
"""

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files
from textwrap import indent

import botkit

_TITLE = "# The SDK for Python"
_FIRST = ("Bot", "run", "RESIGN", "View")
BESIDE = ("worlds", "positions")  # modules that a bot imports only if it needs them
_COMMENT = re.compile(r"  # (?!noqa)(.+)$")


@cache
def as_markdown() -> str:
    """Return the page: a section for each name, first what every bot needs."""
    package = ast.parse(_source("__init__"))
    imports = [node for node in ast.walk(package) if isinstance(node, ast.ImportFrom)]
    modules = [(node.module or "").rpartition(".")[2] for node in imports]
    sections = {
        name: text for module in modules for name, text in _of_module(module, botkit.__all__)
    }
    ordered = [*_FIRST, *(name for name in sections if name not in _FIRST)]
    for module in BESIDE:
        found = {f"{module}.{name}": text for name, text in _of_module(module, _public(module))}
        sections |= found
        ordered += found
    texts = [f"## {name}\n\n{sections[name]}" for name in ordered]
    return "\n\n".join([_TITLE, ast.get_docstring(package) or "", *texts]) + "\n"


def _source(module: str) -> str:
    return files("botkit").joinpath(f"{module}.py").read_text("utf-8")


def _public(module: str) -> list[str]:
    """List the classes and functions of a module that are for bots."""
    defined = (ast.ClassDef, ast.FunctionDef)
    names = [each.name for each in ast.parse(_source(module)).body if isinstance(each, defined)]
    return [name for name in names if not name.startswith("_")]


def _of_module(module: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield these names of a module, in the order of its source, each with its text."""
    source = _source(module)
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
                of_self = (each for each in child.body if "self." in ast.unparse(each))
                yield from (item for each in of_self for item in _attribute(each, source))
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                yield _method(child, node.name)
            case _:
                yield from _attribute(child, source)


def _method(node: ast.FunctionDef, owner: str) -> str:
    marks = {ast.unparse(each) for each in node.decorator_list}
    code = _signature(node)
    if marks & {"property", "cached_property"}:
        code = code.replace("() ->", ":")
    elif "classmethod" in marks:
        code = f"{owner}.{code}"
    return _listed(code, _docstring(node))


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
    found = _COMMENT.search(source.splitlines()[node.lineno - 1])
    return found[1] if found else ""


def _listed(code: str, text: str) -> str:
    """Return an item of a list; further paragraphs of the text belong to it."""
    return f"- `{code}`: {indent(text, '  ').strip()}" if text else f"- `{code}`"
