"""A person plays a whole game on the site: asked for on a bot's page, by touch, and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from arena.models import Match, MatchStatus
from tests import factories
from tests.integration.runner import workers
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def bot(tmp_path):
    """Return a bot on a host that plays games of persons."""
    factories.shorten_games(12)
    bot = factories.make_ready_with(variants=["skirmish"]).bot
    variables = {
        "DATABASE_URL": workers.database_url(),
        "DRAPEAU_ISOLATION": "process",
        "DRAPEAU_TRUST_BOTS": "1",
    }
    with workers.running(["-m", "django", "person_games"], tmp_path / "log", **variables):
        yield bot


def begin(page, side):
    page.get_by_role("link", name=re.compile("Play against")).click()
    page.get_by_label("Game and side").select_option(f"skirmish/{side}")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()


def test_person_plays_by_keyboard_to_the_end(open_page, bot):
    page = open_page(bot.get_absolute_url())
    page.on("dialog", lambda dialog: dialog.accept())
    begin(page, "blue")
    page.get_by_role("button", name="Shuffle").press("Enter")
    page.get_by_role("button", name="Begin").press("Enter")

    over = page.get_by_role("link", name=re.compile("Play again"))
    move = page.locator("[data-part=acts] button").first
    expect(page.locator("[data-part=clock]")).to_have_text(re.compile(r"[12]:\d\d"))
    for _ in range(6):
        expect(over.or_(move)).to_be_visible()
        if over.is_visible():
            break
        state = page.locator("[data-part=state]")
        expect(state).to_have_text("Your move.")
        before = page.locator("[data-part=board]").inner_html()
        move.press("Enter")
        page.wait_for_function(
            "before => document.querySelector('[data-part=board]').innerHTML !== before",
            arg=before,
        )

    expect(over).to_be_visible()
    until(lambda: Match.objects.get().status == MatchStatus.FINISHED)
    page.get_by_role("link", name="See the replay").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("A person")


def test_person_comes_back_and_resigns_by_touch(chromium, live_server, complaints, bot):
    context = chromium.new_context(
        base_url=live_server.url, viewport={"width": 375, "height": 800}, has_touch=True
    )
    page = context.new_page()
    page.on("console", complaints.note)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(bot.get_absolute_url())
    begin(page, "red")
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("[data-part=state]")).to_have_text("Your move.")
    page.reload()

    expect(page.locator("[data-part=state]")).to_have_text("Your move.")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 375
    page.get_by_role("button", name="Resign").tap()

    expect(page.get_by_role("heading", level=1)).to_have_text("You lost.")
    context.close()
