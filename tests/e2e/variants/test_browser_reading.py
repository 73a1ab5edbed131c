"""Rules in every language, ledgers and the manual, at every width and in both lights."""

import pytest
from playwright.sync_api import expect

from arena.domain.bots import manual
from arena.domain.variants import rulebook
from arena.web.bots import manual_pages
from arena.web.variants import rules
from engine import registry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHELVES = ["", *registry.variants()]  # what all games share, then each of them


def pages_of(slug):
    if not slug:
        return ["/variants/"]
    ledger = [f"/variants/{slug}/ledger/"] if rulebook.ledger(slug) else []
    return ledger + [rules.address_of(slug, code) for code in rulebook.languages(slug)]


def problems(open_page, axe, wider, addresses, *, looked_at):
    """Return what is wrong with pages of one kind, by address.

    Axe looks at so many of them: the others are made of the same parts.
    """
    page = open_page(addresses[0])
    found = {}
    for number, address in enumerate(addresses):
        open_page(address, page=page)
        found[address] = wider(page) + (axe(page, both=True) if number < looked_at else [])
    return {address: wrong for address, wrong in found.items() if wrong}


@pytest.mark.parametrize("slug", SHELVES)
def test_pages_are_accessible_and_do_not_scroll_sideways(open_page, axe, wider, slug):
    looked_at = {"": 1, "siege": 2, "cards": 2}.get(slug, 0)  # ledger and rules, a grid and none

    assert problems(open_page, axe, wider, pages_of(slug), looked_at=looked_at) == {}


@pytest.mark.parametrize("section", manual.sections(), ids=lambda each: each.title)
def test_manual_is_accessible_without_sideways_scroll(open_page, axe, wider, section):
    entries = [manual_pages.address_of(entry.path) for entry in section.entries]

    assert problems(open_page, axe, wider, entries, looked_at=1) == {}


def test_pages_beside_manual_are_accessible_without_sideways_scroll(open_page, axe, wider):
    beside = ["/docs/", "/docs/sdk/", "/docs/starters/"]

    assert problems(open_page, axe, wider, beside, looked_at=len(beside)) == {}


@pytest.mark.parametrize("slug", ["classic", "siege"])
def test_contents_lead_to_their_places(open_page, slug):
    page = open_page(f"/variants/{slug}/")
    page.locator(".contents ol a").last.click()

    heading = page.url.partition("#")[2]
    expect(page.locator(f"#{heading}")).to_be_in_viewport()


def test_id_in_rules_leads_to_its_row(open_page):
    page = open_page("/variants/siege/")
    link = page.locator("article .rule-id").first
    rule = link.inner_text()
    link.click()

    expect(page.locator(f"#{rule}")).to_be_in_viewport()
    assert page.url.endswith(f"/variants/siege/ledger/#{rule}")


def test_a_kind_of_rule_is_picked_without_script(chromium, live_server):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/variants/cards/ledger/")
    house = page.locator(".tally a", has_text="house rule")
    count = int(house.locator("strong").inner_text())
    house.click()

    expect(page.locator(".ledger tbody tr")).to_have_count(count)
    expect(page.locator(".tally [aria-current]")).to_contain_text("house rule")
    context.close()
