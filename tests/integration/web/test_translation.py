"""Every text of a page can be translated: here into itself, between brackets."""

import re
from html.parser import HTMLParser

import pytest
from babel.messages.mofile import write_mo
from django.urls import reverse

from arena.models import Ladder, VersionCheck
from engine import registry
from tests.integration.tournaments import making, playing
from tests.integration.web.played import finished_match, players_of
from tools import messages

pytestmark = pytest.mark.django_db

LANGUAGE = "eo"  # any that the site does not have
OPEN, CLOSE, END = "⟦", "⟧", "\0"
TWO_WORDS = re.compile(r"[A-Za-z]{2,}\s+[a-z]{2,}")


class Words(HTMLParser):
    """The texts of a page, without those of elements that show what is no language."""

    SILENT = ("script", "style", "svg", "code", "pre", "kbd", "textarea")
    READ = ("title", "alt", "aria-label", "placeholder")

    def __init__(self, html):
        super().__init__()
        self.found, self._inside = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag in self.SILENT:
            self._inside.append(tag)
        self.found += [value for name, value in attrs if name in self.READ and value]

    def handle_endtag(self, tag):
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data):
        if not self._inside:
            self.found.append(data)


@pytest.fixture
def bracketed(settings, tmp_path):
    """Translate all texts of the site into themselves between brackets."""
    catalogue = messages.catalogue()
    catalogue.locale = LANGUAGE
    for message in catalogue:
        if message.id:
            ids = [message.id] if isinstance(message.id, str) else message.id
            strings = tuple(f"{OPEN}{text}{CLOSE}" for text in ids)
            message.string = strings[0] if isinstance(message.id, str) else strings
    folder = tmp_path / LANGUAGE / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, catalogue)
    settings.LOCALE_PATHS = [str(tmp_path)]
    settings.LANGUAGES = [("en", "English"), (LANGUAGE, "Brackets")]


def untranslated(html):
    """Return what stands outside of brackets and is two words or more."""
    depth, outside = 0, []
    for part in re.split(rf"([{OPEN}{CLOSE}])", END.join(Words(html).found)):
        depth += (part == OPEN) - (part == CLOSE)
        outside += [part] if depth == 0 else []
    texts = (" ".join(text.split()) for text in "".join(outside).split(END))
    return [text for text in texts if TWO_WORDS.search(text)]


def look(client, pages):
    """Return what is not translated on some pages, but for names, and how many texts are."""
    names = set(Ladder.objects.values_list("name", flat=True))
    names |= {
        str(getattr(ending, part))  # no text of the site
        for ending in registry.find("battleship").endings.values()
        for part in ("title", "drawn", "decided")
    }
    names |= set(VersionCheck.objects.values_list("message", flat=True))  # kept as it was written
    found, texts = [], 0
    for page in pages:
        response = client.get(page, headers={"accept-language": LANGUAGE})
        html = response.content.decode()
        assert (page, response.status_code) == (page, 200)
        texts += html.count(OPEN)
        found += [(page, each) for each in untranslated(html) if each not in names]
    return found, texts


def test_pages_are_translated(client, bracketed):
    match = finished_match()
    version = players_of(match)[0]
    client.force_login(version.bot.owner)
    named = ("home", "ladder-list", "bot-list", "match-list", "queue", "notices", "bot-new")
    rows = [version.bot, version.bot.owner, version, match, match.ladder]
    pages = [*map(reverse, named), *(row.get_absolute_url() for row in rows)]
    found, texts = look(client, pages)
    assert found == []
    assert texts > 50 * len(pages)

    cup = playing.begin(4, format="single_elimination")
    cup = playing.play_round(cup, *playing.LEVEL)
    client.force_login(making.organizer(cup))
    url = cup.get_absolute_url()
    parts = ("", "standings/", "rounds/", "rounds/1/", "bracket/", "log/", "entrants/", "manage/")
    lists = ["/tournaments/", "/tournaments/new/"]
    pages = [*lists, *(f"{url}{part}" for part in parts), f"{url}print/", f"{url}rehearsal/"]
    found, texts = look(client, pages)

    assert found == []
    assert texts > 50 * len(pages)
