"""The rule pages of all variants as their tests read them: sections, pictures, blocks, options."""

import re
from dataclasses import dataclass
from functools import cache

from arena.domain.variants import rulebook
from engine.registry import variants

ENGLISH, LANGUAGES = rulebook.ENGLISH, rulebook.LANGUAGES
HOUSE_RULE = {"en": "house rule", "fr": "règle maison", "nl": "huisregel", "de": "Hausregel"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Page:
    """One rule page in one language."""

    slug: str
    language: str
    text: str

    @property
    def prose(self) -> str:
        """The page without its fenced blocks."""
        return FENCE.sub("", self.text)

    def section(self, number: int) -> str:
        """Return the text of a section, counted from 0."""
        return re.split(r"^## .+\n", self.prose, flags=re.MULTILINE)[number + 1]

    @property
    def blocks(self) -> list[tuple[str, str]]:
        """Every fenced block: the word behind the fence, and what stands in it."""
        return FENCE.findall(self.text)

    @property
    def options(self) -> dict[str, tuple[list[str], str]]:
        """The table of the options: by key, the values as written and the meaning."""
        return {
            cells[1].strip(" `"): ([value.strip() for value in cells[2].split(",")], cells[3])
            for line in self.section(6).splitlines()
            if line.startswith("| `") and len(cells := line.split("|")) == 5
        }


@cache
def pages() -> tuple[Page, ...]:
    """Every rule page there is, by variant, English first; a missing one is an empty page."""
    return tuple(
        Page(slug, language, rulebook.page(slug, language))
        for slug in variants()
        for language in rulebook.languages(slug) or (ENGLISH,)
    )


def english(slug: str) -> Page:
    return next(page for page in pages() if (page.slug, page.language) == (slug, ENGLISH))
