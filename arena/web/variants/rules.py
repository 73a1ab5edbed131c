"""The Markdown pages in a variant's folder, ready for a template.

A diagram is an image whose address is `diagram:NAME`, in a paragraph of its own; the engine draws
it. Words that mark a house rule become a badge, ids of the ledger become links to it. Raw HTML is
shown as plain text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.token import Token

from arena.domain.variants import rulebook
from arena.web.variants.rule_markup import BrokenPage, Renderer, Surroundings
from engine import registry

_OF_PARAGRAPHS = ("paragraph_open", "inline", "paragraph_close")
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page and the anchor of its link."""

    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """The title, the paragraphs that come first, the rest, and the table of contents."""

    title: str
    lead: SafeString
    body: SafeString
    contents: Sequence[Heading]
    has_pictures: bool


@cache
def page(slug: str, language: str) -> Page | None:
    """Return the rule page of a variant; None if there is none. Raise BrokenPage."""
    text = rulebook.page(slug, language)
    if not text:
        return None
    ledger = reverse("variant-ledger", args=[slug])
    pages = {
        "README.md" if code == rulebook.ENGLISH else f"README.{code}.md": address_of(slug, code)
        for code in rulebook.languages(slug)
    }
    around = Surroundings(
        language=language,
        diagrams=registry.find(slug).diagrams,
        ledger=ledger,
        rule_ids=frozenset(sentence.id for sentence in rulebook.ledger(slug)),
        files={
            "ledger.toml": ledger,
            "protocol.md": reverse("docs-page", args=["reference", "protocol"]),
            **pages,
        },
    )
    return render(text, around)


def language_for(slug: str) -> str:
    """Return the language of the visitor, or English if the rules are not in it."""
    wanted = get_language() or rulebook.ENGLISH
    return wanted if wanted in rulebook.languages(slug) else rulebook.ENGLISH


def address_of(slug: str, language: str) -> str:
    """Return the address of a variant's rule page in a language."""
    if language == rulebook.ENGLISH:
        return reverse("variant", args=[slug])
    return reverse("variant-in", args=[slug, language])


def render(text: str, around: Surroundings) -> Page:
    """Convert the Markdown of a page to its parts. Raise BrokenPage."""
    tokens = _MARKDOWN.parse(text)
    title = ""
    if tokens and tokens[0].tag == "h1":
        title, tokens = tokens[1].content.replace("`", ""), tokens[3:]
    contents = list(_anchored(tokens))
    # Label every table after its section, for screen readers that reach its scrolling region.
    section, count = "", 0
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            section, count = following.content, 0
        elif token.type == "table_open":
            count += 1
            token.meta["label"] = section if count == 1 else f"{section} ({count})"
    for token in tokens:
        # The content security policy forbids the parser's inline styles, so use classes.
        if style := str(token.attrs.pop("style", "")):
            token.attrSet("class", "number" if "right" in style else "centre")
    rest = (at for at, token in enumerate(tokens) if token.type not in _OF_PARAGRAPHS)
    first = next(rest, len(tokens))
    return Page(
        title=title,
        has_pictures=_figured(tokens),
        lead=_html(tokens[:first], around),
        body=_html(tokens[first:], around),
        contents=contents,
    )


def inline(text: str) -> SafeString:
    """Return one line of Markdown, such as a ledger's sentence, as HTML without a paragraph."""
    html = str(_MARKDOWN.renderInline(text))
    return mark_safe(html)  # noqa: S308 - the renderer escapes, and raw HTML is off


def _html(tokens: Sequence[Token], around: Surroundings) -> SafeString:
    html = Renderer(around).render(tokens, _MARKDOWN.options, {})
    return mark_safe(html)  # noqa: S308 - the renderer escapes, and raw HTML is off


def _anchored(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Add an anchor to every heading; yield those of the second level for the contents."""
    taken: set[str] = set()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        anchor = slugify(inline.content) or "section"
        while anchor in taken:
            anchor += "-more"
        taken.add(anchor)
        opening.attrSet("id", anchor)
        if opening.tag == "h2":
            yield Heading(anchor, inline.content.replace("`", ""))


def _figured(tokens: Sequence[Token]) -> bool:
    """Turn paragraphs that are only images into figures; refuse an image within a text."""
    has_figures = False
    for at, token in enumerate(tokens):
        children = token.children or []
        images = [child for child in children if child.type == "image"]
        if not images:
            continue
        if any(child.type not in ("image", "softbreak") for child in children):
            raise BrokenPage(f"a diagram stands in a paragraph of its own: {token.content!r}")
        tokens[at - 1].hidden = tokens[at + 1].hidden = has_figures = True
        token.children = images
    return has_figures
