"""Check the prose of documents, templates and messages, with proselint and the settings below.

[tool.prose] in pyproject.toml says which files are read, which checks of proselint are off, which
words have a better one, and how long a sentence may be.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

from proselint.checks import __register__ as checks
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

ROOT = Path(__file__).resolve().parents[1]

_NO_PROSE = {
    ".md": re.compile(
        r"^```.*?^```$|<!--.*?-->|`[^`]+`|(?<=\])\([^)\s]*\)|^#+ [^\n]*|<[^>\n]+>",
        re.DOTALL | re.MULTILINE,
    ),
    ".html": re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<[^>]*>|&\w+;", re.DOTALL),
}
_TRANSLATED = re.compile(r"translate ([\"'])(?P<prose>.*?)\1")
_TRANSLATING = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy"}
_PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w*\}|\n")
_END_OF_SENTENCE = re.compile(r"[.!?:;](?=\s)|\n\s*\n|\n\s*(?:[-*]|\d+\.)\s|[|·]")
_NOTHING, _END = "#", "|"  # what stands where no prose is, inside a sentence and between two


class Finding(NamedTuple):
    """Words that are wrong, with the number of their line, from 1."""

    line: int
    words: str
    advice: str


@dataclass(frozen=True)
class Settings:
    """What [tool.prose] says."""

    files: tuple[str, ...]
    off: tuple[str, ...]
    instead: dict[str, str]
    longest_sentence_words: int

    @classmethod
    def of_project(cls) -> Self:
        table = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["prose"]
        return cls(
            tuple(table["files"]),
            tuple(table["off"]),
            table["instead"],
            table["longest-sentence-words"],
        )

    def paths(self) -> list[Path]:
        return sorted({path for pattern in self.files for path in ROOT.glob(pattern)})


def prose_of(text: str, suffix: str) -> str:
    """Return the text with all that is no prose blanked out, every word on its own line still."""
    if suffix == ".py":
        lines = [""] * (text.count("\n") + 1)
        for node in ast.walk(ast.parse(text)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            for argument in node.args if node.func.id in _TRANSLATING else ():
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    words = _PLACEHOLDER.sub(_NOTHING, argument.value)
                    lines[argument.lineno - 1] += f"{words} {_END} "
        return "\n".join(lines)
    return _NO_PROSE[suffix].sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    text = match.group()
    filler = _END if text.startswith(("<", "{%", "{#")) else _NOTHING
    prose = _TRANSLATED.search(text)
    if prose is None:
        return re.sub(r"[^\n]", filler, text)
    start, end = prose.span("prose")
    return filler * start + text[start:end] + filler * (len(text) - end)


def findings(prose: str, settings: Settings) -> list[Finding]:
    """Return what proselint finds, words that have a better one, and sentences too long."""
    if not prose.strip():
        return []
    return sorted(
        [
            *_found_by_proselint(prose, settings.off),
            *_with_better_words(prose, settings.instead),
            *_too_long(prose, settings.longest_sentence_words),
        ]
    )


@cache
def _register() -> None:
    CheckRegistry().register_many(checks)


def _found_by_proselint(prose: str, off: Sequence[str]) -> Iterator[Finding]:
    _register()
    # The first entry that fits a check decides.
    enabled = dict.fromkeys(off, False) | DEFAULT["checks"]
    for result in LintFile("", prose).lint({**DEFAULT, "checks": enabled}):
        start, end = (place - 1 for place in result.check_result.span)  # proselint adds a line
        yield Finding(result.pos[0], prose[start:end], result.check_result.message)


def _with_better_words(prose: str, instead: dict[str, str]) -> Iterator[Finding]:
    for words, better in instead.items():
        for match in re.finditer(rf"\b(?:{words})\b", prose, re.IGNORECASE):
            yield Finding(_line(prose, match.start()), match.group(), f"say: {better}")


def _too_long(prose: str, most_words: int) -> Iterator[Finding]:
    start = 0
    for end in [*(match.end() for match in _END_OF_SENTENCE.finditer(prose)), len(prose)]:
        words = list(re.finditer(r"\b[a-zA-Z]\S*", prose[start:end]))
        if len(words) > most_words:
            first = " ".join(word.group() for word in words[:5])
            advice = f"{len(words)} words in a sentence; at most {most_words} are allowed"
            yield Finding(_line(prose, start + words[0].start()), f"{first} …", advice)
        start = end


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.prose", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="only these of the configured files")
    chosen = {path.resolve() for path in parser.parse_args(arguments).files}
    settings = Settings.of_project()
    count = 0
    for path in settings.paths():
        if chosen and path not in chosen:
            continue
        for finding in findings(prose_of(path.read_text(), path.suffix), settings):
            count += 1
            place = f"{path.relative_to(ROOT)}:{finding.line}"
            print(f"{place}: {' '.join(finding.words.split())}: {finding.advice}")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
