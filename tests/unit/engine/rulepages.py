"""The rule pages of all variants as their tests read them: sections, pictures, blocks, options."""

import re
from dataclasses import dataclass
from functools import cache

from arena.domain.variants import rulebook
from engine.registry import variants

ENGLISH, LANGUAGES = rulebook.ENGLISH, rulebook.LANGUAGES
SECTIONS = {
    "en": (
        "The board",
        "The army|The cards|The pieces",
        "How to play",
        "The end",
        "Notation",
        "Protocol",
        "Options",
    ),
    "fr": (
        "Le plateau",
        "L'armée|Les armées|Les cartes",
        "Le déroulement",
        "La fin",
        "La notation",
        "Le protocole",
        "Les options",
    ),
    "nl": (
        "Het bord",
        "Het leger|De legers|De kaarten",
        "Zo speel je",
        "Het einde",
        "Notatie",
        "Protocol",
        "Opties",
    ),
    "de": (
        "Das Brett",
        "Die Armee|Die Armeen|Die Karten",
        "So wird gespielt",
        "Das Ende",
        "Notation",
        "Protokoll",
        "Optionen",
    ),
}
HOUSE_RULE = {"en": "house rule", "fr": "règle maison", "nl": "huisregel", "de": "Hausregel"}
HOUSE_RULES = {  # one or several
    "en": re.compile("house rules?", re.IGNORECASE),
    "fr": re.compile("règles? maison", re.IGNORECASE),
    "nl": re.compile("huisregels?", re.IGNORECASE),
    "de": re.compile("Hausregeln?", re.IGNORECASE),
}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIAGRAM = re.compile(r"^!\[(.*)\]\(diagram:([\w-]+)\)$", re.MULTILINE)
IDS = re.compile(r"\(((?:[A-Z]{1,2}\d+[a-z]?)(?:, [A-Z]{1,2}\d+[a-z]?)*)\)")


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

    @property
    def words(self) -> str:
        """The page without its fenced blocks, in one line."""
        return " ".join(self.prose.split())

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Every heading with its level, in order."""
        found = re.findall(r"^(#+) (.+)$", self.prose, re.MULTILINE)
        return [(len(signs), title) for signs, title in found]

    @property
    def sections(self) -> list[str]:
        return [title for level, title in self.headings if level == 2]

    def section(self, number: int) -> str:
        """Return the text of a section, counted from 0."""
        return re.split(r"^## .+\n", self.prose, flags=re.MULTILINE)[number + 1]

    @property
    def blocks(self) -> list[tuple[str, str]]:
        """Every fenced block: the word behind the fence, and what stands in it."""
        return FENCE.findall(self.text)

    @property
    def diagrams(self) -> list[tuple[str, str]]:
        """Every picture: its name and its caption."""
        return [(name, caption) for caption, name in DIAGRAM.findall(self.text)]

    @property
    def options(self) -> dict[str, tuple[list[str], str]]:
        """The table of the options: by key, the values as written and the meaning."""
        return {
            cells[1].strip(" `"): ([value.strip() for value in cells[2].split(",")], cells[3])
            for line in self.section(6).splitlines()
            if line.startswith("| `") and len(cells := line.split("|")) == 5
        }

    @property
    def named_ids(self) -> set[str]:
        """The ids of sentences that stand in parentheses."""
        return {name for found in IDS.findall(self.words) for name in found.split(", ")}

    @property
    def house_rules(self) -> list[list[str]]:
        """The marks of house rules in order, each with the ids behind it."""
        words = HOUSE_RULES[self.language].pattern
        mark = re.compile(rf"\*\*{words}\*\*( {IDS.pattern})?", re.IGNORECASE)
        return [found[2].split(", ") if found[2] else [] for found in mark.finditer(self.words)]


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
