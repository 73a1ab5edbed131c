"""A running match in the browser: its board moves without a reload."""

import re

import pytest
from playwright.sync_api import expect

from arena.domain.matches import live_log
from arena.server import streams
from tests.factories import get_ladder, make_match
from tests.integration.server.served import RunningGame, served
from tests.integration.web.played import players_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(settings, monkeypatch):
    settings.CELERY_BROKER_URL = "filesystem://localhost"
    settings.VISITOR_PAGES_KEPT_S = 0
    monkeypatch.setattr(streams, "CHECK_S", 0.1)
    live_log.live_log.cache_clear()
    game = RunningGame(make_match(ladder=get_ladder("general")))
    game.play(3)
    yield game
    live_log.live_log.cache_clear()


@pytest.fixture
def site():
    with served() as url:
        yield url


@pytest.fixture
def page(open_page, site, game):
    """Open the page of the match as a visitor, and mark it: a reload would lose the mark."""
    page = open_page(f"{site}{game.match.get_absolute_url()}")
    page.evaluate("window.isTheFirst = true")
    game.publish_once_watched()
    expect(page.locator("#live")).to_be_visible()
    expect(count(page)).to_have_text("3 / 3")
    return page


def count(page):
    return page.locator("[data-part=count]")


def pieces(page):
    """Return where each piece is, and what can be seen of it."""
    return page.evaluate(
        "[...document.querySelectorAll('#live .pieces > g')]"
        ".map((one) => [one.dataset.id, one.getAttribute('transform'), one.dataset.look]).sort()"
    )


def test_the_board_moves_without_a_reload(page, game):
    before = pieces(page)
    assert len(before) == 48
    assert all("face-back" in look for _, _, look in before)

    game.play(1)

    expect(count(page)).to_have_text("4 / 4")
    moved = [new for old, new in zip(before, pieces(page), strict=True) if old != new]
    assert len(moved) == 1
    expect(page.locator(".moves [aria-current=step]")).to_have_text(re.compile(r"^4"))
    game.play(2)
    expect(count(page)).to_have_text("6 / 6")
    assert page.evaluate("window.isTheFirst")


def test_looking_back_stays_and_goes_on_at_end(page, game):
    page.keyboard.press("ArrowLeft")
    expect(count(page)).to_have_text("2 / 3")

    game.play(2)
    expect(count(page)).to_have_text("2 / 5")

    page.keyboard.press("End")
    game.play(1)
    expect(count(page)).to_have_text("6 / 6")


def test_results_replace_board_when_match_is_over(page, game):
    game.finish()

    expect(page.locator("#live [data-part=over]")).to_be_visible()
    # The last move can be seen for a while before.
    expect(page.locator("#live")).to_have_count(0)
    expect(page.locator(".scoreboard")).to_contain_text("2")
    assert page.evaluate("window.isTheFirst")


def test_owner_may_watch_seat_of_bot(open_page, site, game, client):
    version = players_of(game.match)[0]
    client.force_login(version.bot.owner)
    page = open_page(f"{site}{game.match.get_absolute_url()}")
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}]
    )
    page.reload()
    game.publish_once_watched()
    expect(count(page)).to_have_text("3 / 3")

    page.get_by_role("link", name=f"What {version.bot.name} sees").click()
    game.publish_once_watched("bot-0")

    expect(page.locator("#live [data-view=bot-0]")).to_have_attribute("aria-current", "true")
    seat = next(seat for seat, position in game.game.seats.items() if position == 0)
    known = [one for one, _, look in pieces(page) if "face-back" not in look]
    assert len(known) == 24
    assert all(one.startswith(seat[0]) for one in known)


def test_live_page_fits_telephone_and_is_accessible(page, axe, wider):
    assert wider(page) == []
    assert axe(page, both=True) == []


def test_page_without_script_is_unchanged(chromium, site, game):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site}{game.match.get_absolute_url()}")

        expect(page.locator("#live")).to_be_hidden()
        expect(page.get_by_role("heading", name="Games")).to_be_visible()
        expect(page.get_by_text("Being played: ply 3.")).to_be_visible()


def test_finished_match_page_opens_no_stream(open_page, site, game):
    game.finish()
    asked = []
    page = open_page(f"{site}/matches/")
    page.on("request", lambda request: asked.append(request.url))

    open_page(f"{site}{game.match.get_absolute_url()}", page=page)

    assert not [url for url in asked if "/live/" in url]
    expect(page.locator("#live")).to_have_count(0)
