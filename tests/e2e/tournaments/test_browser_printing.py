"""Tournaments on paper: nothing of the site around them, nothing cut, no time that passes."""

import re

import pytest
from playwright.sync_api import expect

from arena.models import Bot
from tests.integration.tournaments import playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAPER = {"width": 703, "height": 1032}  # an A4 without its margins
AROUND = (".site-header", ".site-footer", ".crumbs", ".tournament-tabs")
CUT = """() => [...document.querySelectorAll(".scroll-x, .bracket-scroll, .bracket-name")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.className + ": " + each.textContent.trim().slice(0, 40))"""
WINNERS = """(found) => found.map((each) => getComputedStyle(each, "::after").content)"""
PAGES = re.compile(rb"/Type\s*/Page\b")


@pytest.fixture
def paper(open_page):
    page = open_page("/tournaments/", scheme="light")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    return page


def long_names():
    for number, bot in enumerate(Bot.objects.order_by("pk")):
        bot.name = f"brave-lighthouse-keeper-{number}"
        bot.save()


def pages(page):
    return len(PAGES.findall(page.pdf(format="A4", prefer_css_page_size=True)))


def test_tables_print_whole_without_site_around(open_page, paper):
    row = playing.play_round(playing.begin(16, max_entrants=16), 1.0, 0.5)
    long_names()

    for part in ("standings/", "crosstable/", "print/"):
        open_page(f"{row.get_absolute_url()}{part}", page=paper)
        for each in AROUND:
            expect(paper.locator(each)).to_be_hidden()
        assert paper.evaluate(CUT) == [], part
        assert paper.evaluate("document.documentElement.scrollWidth") <= PAPER["width"], part
    expect(paper.locator("main")).to_contain_text("As of ")
    won = paper.locator(".pairing-side.is-best .pairing-points").evaluate_all(WINNERS)
    assert won
    assert all("✓" in each for each in won)


def test_large_bracket_prints_on_one_page_with_winners(open_page, paper):
    row = playing.play_round(playing.begin(32, format="single_elimination", max_entrants=32))
    long_names()

    open_page(f"{row.get_absolute_url()}bracket/", page=paper)

    assert paper.evaluate(CUT) == []
    won = paper.locator(".has-won .bracket-points").evaluate_all(WINNERS)
    assert len(won) == 16
    assert all("✓" in each for each in won)
    assert pages(paper) == 1


def test_times_on_paper_are_absolute(open_page, paper):
    row = playing.begin(3)
    open_page(f"{row.get_absolute_url()}log/", page=paper)
    when = paper.locator("time[data-moment]").first
    expect(when).to_contain_text(re.compile("ago|now"))

    paper.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(when).to_contain_text(re.compile(r"20\d\d, \d\d:\d\d UTC"))
    paper.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(when).to_contain_text(re.compile("ago|now"))

    open_page(f"{row.get_absolute_url()}print/", page=paper)
    last = paper.locator(".log-who").last
    expect(last).to_contain_text(re.compile(r"20\d\d, \d\d:\d\d UTC"))
    expect(paper.get_by_role("main")).not_to_contain_text(re.compile(r"\bago\b"))
