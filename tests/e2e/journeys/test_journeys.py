"""A newcomer's way to a checked bot, and every page at every width in both lights."""

import re
from dataclasses import asdict

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from arena.domain.bots import bots
from arena.domain.fairplay.surprises import StoredSurprise
from arena.models import SurpriseReport, User, Version
from tests.factories import (
    RANDOM_BOT,
    make_bot,
    make_evidence,
    make_ready,
    make_upload,
    make_user,
    validate,
)
from tests.integration.web.played import (
    finished_match,
    play_random_games,
    players_of,
    waiting_match,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "table-at-night-9"
WIDTHS = (375, 768, 1440)


@pytest.fixture(autouse=True)
def _plain_processes(settings):
    """Play without containers: what is tested here is the page."""
    settings.ISOLATION = "process"
    settings.TRUST_BOTS = True


def sign_up(open_page, name="grace"):
    page = open_page("/accounts/signup/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    return page


def upload(page, source):
    page.get_by_role("link", name="Upload", exact=True).click()
    page.get_by_label("Name").fill("Red Fox")
    file = {"name": "fox.py", "mimeType": "text/x-python", "buffer": source.encode()}
    page.get_by_label("File").set_input_files(file)
    expect(page.locator("[data-chosen]")).to_contain_text("fox.py")
    page.get_by_label("General").check()
    page.get_by_role("main").get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("version 1")


@pytest.mark.smoke
def test_from_home_page_to_replay_move(open_page):
    match = finished_match()
    page = open_page("/")
    page.get_by_role("link", name="All matches").click()
    page.locator(f"main a[href='{match.get_absolute_url()}']").first.click()
    page.get_by_role("link", name="Replay game 1").click()
    expect(page.locator("drapeau-replay.is-live")).to_be_visible()

    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")

    expect(page.locator("[data-part=count]")).to_have_text(re.compile("^1 / "))


@pytest.mark.smoke
def test_from_sign_up_to_ready_bot(open_page):
    page = sign_up(open_page)
    upload(page, RANDOM_BOT)
    expect(page.locator(".check-waiting")).to_have_count(4)

    assert validate(version_pk=Version.objects.get().pk)

    expect(page.locator(".check-passed")).to_have_count(5)
    expect(page.get_by_role("status")).to_contain_text("All checks passed.")
    assert page.locator("#checklist").get_attribute("hx-trigger") is None


def test_bot_printing_garbage_is_rejected_in_words(open_page):
    page = sign_up(open_page)
    upload(page, "input()\nprint('hello arena')\n")

    assert not validate(version_pk=Version.objects.get().pk)

    expect(page.locator(".check-failed")).to_contain_text("Protocol check")
    expect(page.get_by_role("status")).to_contain_text("the line is not JSON")
    expect(page.get_by_role("main")).to_contain_text("hello arena")  # in the owner's log
    expect(page.get_by_role("link", name="Upload a corrected version")).to_be_visible()


def test_too_large_file_refused_before_sending(open_page, tmp_path):
    page = sign_up(open_page)
    page.get_by_role("link", name="Upload", exact=True).click()
    page.get_by_label("Name").fill("Whale")
    large = tmp_path / "whale.zip"
    with large.open("wb") as file:
        file.truncate(50 * 1024 * 1024)

    page.get_by_label("File").set_input_files(large)
    page.get_by_role("main").get_by_role("button", name="Upload").click()

    expect(page.get_by_role("alert")).to_have_text(
        re.compile("This file has 50.0 MiB. The maximum is")
    )
    expect(page.get_by_label("File")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("Whale")


def test_recent_instants_are_said_relative_to_now(open_page):
    finished_match()
    page = open_page("/matches/")

    expect(page.locator(".match-when")).to_have_text(re.compile("now|second|minute"))


def test_match_page_follows_until_match_is_over(open_page):
    match = waiting_match()
    page = open_page(match.get_absolute_url())
    expect(page.get_by_role("heading", name="A match of General")).to_be_visible()
    expect(page.get_by_text("The bots are shown when a runner begins.")).to_be_visible()

    play_random_games(match)

    expect(page.get_by_role("heading", name="Game 1")).to_be_visible()
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Replay game 2")).to_be_visible()
    assert page.locator("#match").get_attribute("hx-get") is None


def test_focus_stays_while_queue_follows(open_page):
    match = waiting_match()
    page = open_page("/queue/")
    link = page.locator(f"#queue a[href='{match.get_absolute_url()}']")
    link.focus()
    with page.expect_response("**/queue/"):
        pass
    make_upload()

    expect(page.locator("#queue li")).to_have_count(2)
    expect(link).to_be_focused()


def test_page_asks_no_more_after_match_over(open_page):
    match = waiting_match()
    page = open_page(match.get_absolute_url())
    play_random_games(match)
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(4500)

    assert asked == []


def test_theme_button_changes_and_is_remembered(open_page):
    page = open_page("/ladders/")
    button = page.locator("[data-theme-button]")

    button.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_keyboard_reaches_the_content_first(open_page):
    page = open_page("/ladders/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()


@pytest.fixture
def addresses():
    match = finished_match(isolation="process")
    version = players_of(match)[0]
    waiting = make_upload(version.bot)
    siege, cards = finished_match(ladder="siege-3"), finished_match(ladder="cards")
    return {
        "home": "/",
        "ladders": "/ladders/",
        "ladder": "/ladders/general/",
        "bots": "/bots/",
        "bot": version.bot.get_absolute_url(),
        "version": waiting.get_absolute_url(),
        "matches": "/matches/",
        "match": match.get_absolute_url(),
        "game": f"{match.get_absolute_url()}games/1/?ply=60&view=full",
        "user": version.bot.owner.get_absolute_url(),
        "queue": "/queue/",
        "siege": f"{siege.get_absolute_url()}games/1/?ply=60&view=white",
        "besieged": siege.get_absolute_url(),
        "cards": f"{cards.get_absolute_url()}games/1/?ply=4&view=blue",
        "login": "/accounts/login/",
        "signup": "/accounts/signup/",
    }


@pytest.fixture
def private(live_server, client, open_page):
    """Return a page that a user is signed in on, and the addresses that hold more for her."""
    bot = make_bot(make_user("ada"), "fox")
    match = finished_match(make_ready(bot))
    game = match.games.get(number=1)
    for seat in game.seats:
        make_evidence(game, seat, request=b"a line of text" * 400, received=b"\xff" * 600)
    refused = bots.submit_version(bot=bot, filename="fox.c", data=b"int main(void)")
    refused.checks.filter(step="built").update(
        state="failed", message="It was not compiled.", log=f"fox.c:1: {'expected ; ' * 30}"
    )
    found = StoredSurprise(match.ladder_id, bot.pk, make_ready().bot_id, 12, 12.0, 6.5, 3.2)
    SurpriseReport.objects.create(pk=1, made_at=timezone.now(), found=[asdict(found)])
    User.objects.filter(pk=bot.owner_id).update(is_staff=True)
    client.force_login(bot.owner)
    page = open_page("/")
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([{**cookie, "url": live_server.url}])
    return page, {
        "new": "/bots/new/",
        "tokens": "/account/tokens/",
        "logout": "/accounts/logout/",
        "forfeit": f"{match.get_absolute_url()}games/1/",
        "refused": refused.get_absolute_url(),
        "surprises": "/staff/surprises/",
    }


def test_pages_are_accessible_and_do_not_scroll_sideways(open_page, axe, wider, addresses):
    long_name = make_ready().bot
    long_name.name = "Unreasonablylongnamethatneverends" + "x" * 27
    long_name.save()
    page = open_page("/")
    found = {}
    for name, address in {**addresses, "long": long_name.get_absolute_url()}.items():
        open_page(address, page=page)
        if "games/1/" in address:
            expect(page.locator("drapeau-replay.is-live")).to_be_visible()
        found[name] = axe(page, both=True) + wider(page)

    assert {name: problems for name, problems in found.items() if problems} == {}


def test_private_pages_are_accessible_without_sideways_scroll(open_page, axe, wider, private):
    page, addresses = private
    found = {}
    for name, address in addresses.items():
        open_page(address, page=page)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        found[name] = axe(page, both=True) + wider(page)

    assert {name: problems for name, problems in found.items() if problems} == {}


def test_the_accessibility_check_can_fail(open_page, axe):
    page = open_page("/ladders/")
    page.evaluate("document.documentElement.removeAttribute('lang')")

    assert [problem.split(":")[0] for problem in axe(page)] == ["html-has-lang"]


def test_bad_colour_only_in_dark_is_seen(open_page, axe):
    page = open_page("/ladders/")
    # Through the object model: the content policy refuses styles that are written into a page.
    page.evaluate(
        """() => {
            const sheet = new CSSStyleSheet();
            const rule = "h1 { color: #444 !important; background: #333 !important; }";
            sheet.replaceSync(`@media (prefers-color-scheme: dark) { ${rule} }`);
            document.adoptedStyleSheets = [sheet];
        }"""
    )

    assert [found.split(": ")[:2] for found in axe(page, both=True)] == [["dark", "color-contrast"]]
