"""Conversion of the parts of a rule page to HTML: diagrams, tables, badges and links."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.html import escape, format_html
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from arena.domain.variants import rulebook
from arena.web.matches import replay_frames
from arena.web.variants.page_words import FURNITURE
from engine.scene import Scene

DIAGRAM = "diagram:"
RULE_ID = re.compile(r"\b[A-Z]{1,2}\d+[a-z]?\b")
BREADTHS = ((4, "small"), (7, "middle"), (10, "large"), (20, "wide"))  # most columns, CSS class


class BrokenPage(ValueError):
    """A rule page refers to something that does not exist; a test prevents this in production."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The targets that a page may refer to: diagrams by name, ids of its ledger, pages of files.

    `page_of` replaces `files`: it returns the address of a relative link, or "" for what the site
    does not show. Of such a link only the words are left.
    """

    language: str = rulebook.ENGLISH
    diagrams: Mapping[str, Callable[[], Scene]] = field(default_factory=dict)
    ledger: str = ""
    rule_ids: frozenset[str] = frozenset()
    files: Mapping[str, str] = field(default_factory=dict)
    page_of: Callable[[str], str] | None = None


class Renderer(RendererHTML):
    """The parser's HTML renderer, with changes for some tokens.

    Each method is named after the kind of token that it renders.
    """

    def __init__(self, around: Surroundings) -> None:
        """Create a renderer for a page with these targets."""
        super().__init__()
        self._around = around

    def image(self, tokens: Sequence[Token], idx: int, _: OptionsDict, __: EnvType) -> str:
        """Draw a diagram with its caption. Raise BrokenPage if there is no such diagram."""
        token, diagrams = tokens[idx], self._around.diagrams
        source = str(token.attrs["src"])
        name = source.removeprefix(DIAGRAM)
        if not source.startswith(DIAGRAM) or name not in diagrams:
            known = ", ".join(diagrams) or "none"
            raise BrokenPage(f"there is no diagram {source!r}; there are: {known}")
        scene = diagrams[name]()
        return format_html(
            '<figure class="diagram diagram-{}"><div class="game-board"{}>{}</div>'
            '<figcaption aria-hidden="true">{}</figcaption></figure>',
            next((word for most, word in BREADTHS if scene.columns <= most), "broad"),
            self._scrolling(token.content) if scene.columns > BREADTHS[-1][0] else "",
            replay_frames.draw(scene, title=token.content, still=True),
            token.content,
        )

    def _scrolling(self, label: str) -> str:
        """Return the attributes that let a wide element scroll by itself, also by keyboard."""
        return format_html(' tabindex="0" role="region" aria-label="{}"', label)

    def text(self, tokens: Sequence[Token], idx: int, _: OptionsDict, __: EnvType) -> str:
        """Return plain text as HTML; an id of the ledger becomes a link to it."""
        around = self._around

        def linked(match: re.Match[str]) -> str:
            rule = match[0]
            if rule not in around.rule_ids:
                return rule
            return format_html('<a class="rule-id" href="{}#{}">{}</a>', around.ledger, rule, rule)

        return RULE_ID.sub(linked, escape(tokens[idx].content))

    def strong_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Render words that mark a house rule as a badge."""
        marks = FURNITURE[self._around.language].house_rule
        if marks.fullmatch(tokens[idx + 1].content):
            tokens[idx].attrSet("class", "badge badge-warn")
        return self.renderToken(tokens, idx, options, env)

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Point links to files of the project at their pages; keep absolute URLs."""
        address = str(tokens[idx].attrs["href"])
        if not re.match(r"[a-z]+:|/|#", address):
            page = self._page_of(address)
            if not page:
                closing = next(token for token in tokens[idx:] if token.type == "link_close")
                closing.hidden = True
                return ""
            tokens[idx].attrSet("href", page)
        return self.renderToken(tokens, idx, options, env)

    def code_inline(self, tokens: Sequence[Token], idx: int, _: OptionsDict, __: EnvType) -> str:
        """Return code within a text; an address in it may break after each part."""
        code = escape(tokens[idx].content).replace("/", "/<wbr>")
        return f"<code>{code}</code>"

    def fence(self, tokens: Sequence[Token], idx: int, _: OptionsDict, __: EnvType) -> str:
        """Return a block of code, which scrolls by itself, also with the keyboard."""
        return format_html('<pre tabindex="0"><code>{}</code></pre>\n', tokens[idx].content)

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start of a table; a wide one scrolls by itself, also with the keyboard."""
        opening = format_html(
            '<div class="scroll-x"{}>', self._scrolling(tokens[idx].meta["label"])
        )
        return opening + self.renderToken(tokens, idx, options, env)

    def table_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Close the table and its scrolling element."""
        return self.renderToken(tokens, idx, options, env) + "</div>"

    def _page_of(self, address: str) -> str:
        """Return the page that shows a file. Raise BrokenPage if there is none."""
        if self._around.page_of is not None:
            return self._around.page_of(address)
        page = self._around.files.get(address.rpartition("/")[2])
        if page is None:
            raise BrokenPage(f"no page of the site shows {address!r}")
        return page
