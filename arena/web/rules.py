"""The rule page that lies in a variant's folder, as sections of a page.

Only what these pages use is read: headings, paragraphs, numbered and plain lists, code. Sections
with a table are left out: army and options are shown from the variant's own data.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

_CODE = re.compile(r"`([^`]+)`")
_NUMBERED = re.compile(r"\d+\. ")
_PLAIN = "- "
_TABLE = "|"


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph (`p`), a numbered list (`ol`) or a plain one (`ul`), and its texts."""

    kind: str
    texts: Sequence[SafeString]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a rule page."""

    title: str
    blocks: Sequence[Block]


@cache
def sections(slug: str) -> tuple[Section, ...]:
    """Give the sections of a variant's rule page; none where it has no such page."""
    page = files("engine.variants").joinpath(slug, "README.md")
    return tuple(read(page.read_text("utf-8"))) if page.is_file() else ()


def read(text: str) -> Iterator[Section]:
    """Read the sections of second level of a rule page."""
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _newline, body = part.partition("\n")
        chunks = [chunk for chunk in body.strip().split("\n\n") if chunk]
        if not any(chunk.startswith(_TABLE) for chunk in chunks):
            yield Section(title.strip(), [_block(chunk) for chunk in chunks])


def _block(chunk: str) -> Block:
    if _NUMBERED.match(chunk):
        return Block("ol", _items(chunk, _NUMBERED.pattern))
    if chunk.startswith(_PLAIN):
        return Block("ul", _items(chunk, re.escape(_PLAIN)))
    return Block("p", [_inline(chunk)])


def _items(chunk: str, sign: str) -> list[SafeString]:
    texts = re.split(rf"^{sign}", chunk, flags=re.MULTILINE)[1:]
    return [_inline(text) for text in texts]


def _inline(text: str) -> SafeString:
    one_line = escape(" ".join(text.split()))
    return mark_safe(_CODE.sub(r"<code>\1</code>", one_line))  # noqa: S308 - escaped just above
