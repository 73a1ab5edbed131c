"""Rule pages: whole, in their languages, with pictures that exist; nothing raw comes through."""

import re
from html import unescape

import pytest

from arena.domain.variants import rulebook
from arena.web.variants import rules
from arena.web.variants.rule_markup import BrokenPage, Surroundings
from engine import registry
from engine.scene import Cell, Piece, Scene
from tests.integration.matches.test_pages_forensics import read

pytestmark = pytest.mark.django_db

SLUGS = list(registry.variants())
PAGES = [(slug, code) for slug in SLUGS for code in rulebook.languages(slug)]
SQUARE = Scene(1, 1, (Cell(0, 0, "land", "a1"),), (Piece("1", 0, 0, "red", "3", "red miner"),))
AROUND = Surroundings(
    diagrams={"one": lambda: SQUARE},
    ledger="/variants/classic/ledger/",
    rule_ids=frozenset({"B16", "BX1"}),
    files={"README.fr.md": "/variants/classic/fr/"},
)


def body(text, around=AROUND):
    return rules.render(f"# T\n\n## S\n\n{text}\n", around).body


@pytest.mark.parametrize(("slug", "language"), PAGES)
def test_every_rule_page_is_drawn_whole(client, slug, language):
    """A page that names a diagram there is not, or a file no page shows, fails here."""
    written = rulebook.page(slug, language)

    text = read(client, rules.address_of(slug, language))

    assert f'<html lang="{language}"' in text
    headings = re.findall(r"^## (.+)$", written, re.MULTILINE)
    assert re.findall(r'<li><a href="#[^"]+">([^<]+)</a>', unescape(text)) == headings
    assert text.count("<figure") == max(1, written.count("](diagram:"))
    assert text.count("<table>") == len(re.findall(r"^\|[ :|-]+\|$", written, re.MULTILINE))
    codes = rulebook.languages(slug)
    alternate = re.findall(r'<link rel="alternate" hreflang="([\w-]+)"', text)
    assert alternate == ([*codes, "x-default"] if len(codes) > 1 else [])
    assert f'href="/api/v1/variants/{slug}/schema"' in text
    assert f'href="/variants/{slug}/ledger/"' in text or not rulebook.ledger(slug)
    assert 'href="/docs/reference/protocol/"' in text
    assert f"/ladders/{slug}/" in text


def test_english_has_one_address(client):
    response = client.get("/variants/classic/en/")

    assert (response.status_code, response["Location"]) == (301, "/variants/classic/")


def test_markdown_becomes_the_parts_of_a_page():
    shown = rules.render("# A\n\nlead `x`\n\n## One `a`\n\n- b\n\n## One `a`\n", AROUND)

    assert (shown.title, shown.lead) == ("A", "<p>lead <code>x</code></p>\n")
    assert [(h.anchor, h.text) for h in shown.contents] == [
        ("one-a", "One a"),
        ("one-a-more", "One a"),
    ]
    assert shown.body.startswith('<h2 id="one-a">One <code>a</code></h2>')


def test_raw_html_is_shown_as_text():
    assert "&lt;script&gt;" in body("<script>alert(1)</script>")
    assert "javascript" not in body("[x](<javascript:alert(1)>)").partition("href")[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("![x](diagram:none)", "there is no diagram 'diagram:none'; there are: one"),
        ("![x](https://example.org/x.png)", "there is no diagram"),
        ("words ![x](diagram:one)", "in a paragraph of its own"),
        ("[x](nowhere.md)", "no page of the site shows 'nowhere.md'"),
    ],
)
def test_what_a_page_may_not_name_breaks_it(text, said):
    with pytest.raises(BrokenPage, match=re.escape(said)):
        body(text)


def test_ids_of_the_ledger_lead_to_it():
    shown = body("(BX1) and B99, `B16` & B16")

    assert re.findall(r'href="([^"]+)">(\w+)<', shown) == [
        ("/variants/classic/ledger/#BX1", "BX1"),
        ("/variants/classic/ledger/#B16", "B16"),
    ]
    assert "B99, <code>B16</code> &amp; " in shown


def test_links_between_folder_pages_lead_to_site_pages():
    assert 'href="/variants/classic/fr/"' in body("[fr](README.fr.md)")
    assert 'href="https://example.org/"' in body("[x](https://example.org/)")
