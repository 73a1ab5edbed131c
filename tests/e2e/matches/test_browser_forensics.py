"""The page of an abnormal end, the filters and two bots head to head, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_evidence
from tests.integration.matches.test_forensics import act, make_forfeit, owner_of
from tests.integration.web.played import finished_match, players_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LEGAL = [f"{file}{rank}{file}{rank + 1}" for file in "abcdefgh" for rank in range(1, 8)]


@pytest.fixture
def addresses(db):
    """Return the pages of this file, with all that an owner can see on them."""
    game = make_forfeit(detail="red: the line is not JSON; blue: crashed")
    request = act("turn", view={"pieces": ["x" * 300] * 20}, legal=LEGAL)
    for seat in ("red", "blue"):
        make_evidence(game, seat, request=request, received=b"\xff" * 300, signal=11, cpu_ms=9.0)
    first, second = (version.bot for version in players_of(game.match))
    versus = f"{first.get_absolute_url()}vs/{second.owner.username}/{second.slug}/"
    return {
        "owner": owner_of(game, "red"),
        "pages": [
            f"{game.get_absolute_url()}forensics/",
            versus,
            f"{first.get_absolute_url()}vs/?opponent=no",
            f"/matches/?bot={first}&rated=yes",
            "/matches/?bot=no/body&termination=x",
            first.get_absolute_url(),
        ],
    }


@pytest.fixture
def open_as_owner(chromium, live_server, client, addresses):
    """Yield a function that opens an address as the owner of the bot that failed."""
    client.force_login(addresses["owner"])
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    contexts = []

    def open_at(address):
        context = chromium.new_context(base_url=live_server.url)
        contexts.append(context)
        context.add_cookies([{**cookie, "url": live_server.url}])
        page = context.new_page()
        page.goto(address)
        return page

    yield open_at
    for context in contexts:
        context.close()


def test_pages_are_accessible_and_never_scroll_sideways(open_as_owner, axe, wider, addresses):
    found = {}
    for address in addresses["pages"]:
        page = open_as_owner(address)
        found[address] = axe(page, both=True) + wider(page)

    assert {address: problems for address, problems in found.items() if problems} == {}


def test_matches_are_filtered_without_script(chromium, live_server):
    match, other = finished_match(), finished_match()
    bot = players_of(match)[0].bot
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/matches/")
    expect(page.locator(".match-line")).to_have_count(2)
    page.locator(".filters summary").click()
    page.get_by_label("Bot", exact=True).fill(str(bot))
    page.get_by_label("Ladder", exact=True).select_option(match.ladder.slug)
    page.get_by_role("button", name="Show").click()

    expect(page.locator(".match-line")).to_have_count(1)
    expect(page.locator(".match-line")).to_have_attribute("href", match.get_absolute_url())
    expect(page.get_by_label("Bot", exact=True)).to_have_value(str(bot))
    assert f"ladder={match.ladder.slug}" in page.url
    page.get_by_label("Bot", exact=True).fill("nobody/none")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("There is no bot nobody/none.")).to_be_visible()
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".match-line")).to_have_count(2)
    assert other.get_absolute_url() in page.content()
    context.close()


def test_from_a_match_to_what_went_wrong(open_page):
    game = make_forfeit()
    make_evidence(game, "red")
    page = open_page(game.match.get_absolute_url())
    page.get_by_role("link", name="What went wrong").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("What went wrong in game 1")
    page.get_by_role("link", name="Replay", exact=True).click()
    assert f"view={game.fault}" in page.url
