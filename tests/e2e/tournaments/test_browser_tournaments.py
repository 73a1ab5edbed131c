"""Tournaments in a browser: made, entered and followed; at every width, in both lights, by axe."""

from datetime import UTC, datetime
from time import monotonic

import pytest
from django.test import Client
from playwright.sync_api import expect

from arena.models import Tournament, User
from tests.e2e.journeys.test_journeys import sign_up
from tests.factories import make_bot, make_ready, make_user
from tests.integration.tournaments import making, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SWISS = {"format": "swiss", "format_options": {"rounds": 2}, "min_entrants": 5}
PAGES = ("", "standings/", "rounds/", "rounds/1/", "crosstable/", "entrants/", "log/", "print/")


def look_at(page, open_page, axe, wider, addresses):
    """Open every address at every width, and let axe look at each in one of the lights."""
    found = {}
    for number, address in enumerate(addresses):
        page.emulate_media(color_scheme=("light", "dark")[number % 2])
        open_page(address, page=page)
        found[address] = wider(page) + axe(page)
    return {where: problems for where, problems in found.items() if problems}


def test_pages_of_tournaments_fit_and_are_accessible(open_page, axe, wider):
    swiss = playing.play_round(playing.begin(5, **SWISS), 1.0, 0.5)
    cup = playing.play_round(playing.begin(5, format="single_elimination"))
    owner = making.organizer(swiss)
    address = swiss.get_absolute_url()
    page = open_page("/tournaments/")

    addresses = [
        "/tournaments/",
        *(f"{address}{each}" for each in PAGES),
        f"{address}embed/",
        f"{cup.get_absolute_url()}bracket/",
        f"{cup.get_absolute_url()}embed/?show=bracket",
    ]
    assert look_at(page, open_page, axe, wider, addresses) == {}
    assert owner.organized_tournaments.get() == swiss


def test_owner_and_organizer_pages_fit_and_are_accessible(open_page, axe, wider):
    page = sign_up(open_page)
    grace = User.objects.get(username="grace")
    make_ready(make_bot(grace, "fox"))
    row = making.make_open(grace)
    entrant = making.enter(row)
    address = row.get_absolute_url()

    addresses = [
        address,
        f"{address}enter/",
        f"{address}entrants/",
        f"{address}version/?entrant={entrant.pk}",
        f"{address}leave/?entrant={entrant.pk}",
        f"{address}edit/",
        "/tournaments/new/",
        "/tournaments/new/?template=groups",
    ]
    assert look_at(page, open_page, axe, wider, addresses) == {}


@pytest.mark.smoke
def test_tournament_is_made_by_wizard_and_entered(open_page):
    page = sign_up(open_page)
    make_ready(make_bot(User.objects.get(username="grace"), "fox"))

    open_page("/tournaments/", page=page)
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name="Round robin, 6/3/1/0").click()
    preview = page.locator("#preview")
    expect(preview.locator("dd").nth(0)).to_have_text("15")
    page.get_by_label("Most entrants", exact=True).fill("4")
    page.get_by_label("Most entrants", exact=True).blur()
    expect(preview.locator("dd").nth(0)).to_have_text("15")  # so many are still asked for
    page.get_by_label("With so many entrants").fill("4")
    page.get_by_label("With so many entrants").blur()
    expect(preview.locator("dd").nth(0)).to_have_text("3")
    page.get_by_label("Name", exact=True).fill("Winter Cup")
    page.get_by_label("Game and clock of").select_option("classic")
    page.get_by_role("button", name="Make the draft").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Winter Cup")
    row = Tournament.objects.get(slug="winter-cup")
    page.get_by_role("button", name="Open registration").click()
    open_page(row.get_absolute_url(), page=page)
    page.get_by_role("button", name="Enter this bot").click()
    expect(page.get_by_role("main")).to_contain_text("fox is entered.")
    expect(page.locator("[aria-current=step]")).to_contain_text("registration")
    assert [str(each.bot) for each in row.entrants.all()] == ["grace/fox"]


def test_a_draft_runs_after_eight_clicks(open_page, capsys):
    page = sign_up(open_page)
    for rating in (1500, 1600, 1700, 1800):
        making.rated(rating)
    open_page("/tournaments/new/", page=page)
    began, clicks = monotonic(), 0

    def click(where):
        nonlocal clicks
        where.click()
        clicks += 1

    click(page.get_by_role("link", name="Round robin, 6/3/1/0"))
    page.get_by_label("Name", exact=True).fill("Winter Cup")
    page.get_by_label("Game and clock of").select_option("classic")
    click(page.get_by_role("button", name="Make the draft"))
    click(page.get_by_role("button", name="Open registration"))
    click(page.get_by_role("link", name="Enter bots").first)
    page.get_by_label("The best of the ladder").fill("4")
    click(page.get_by_role("button", name="Enter the best"))
    click(page.get_by_role("link", name="Manage", exact=True))
    click(page.locator("summary", has_text="Freeze versions"))
    click(page.get_by_role("button", name="Freeze and start"))
    expect(page.get_by_role("status")).to_contain_text("The tournament has started.")

    with capsys.disabled():
        print(f"\nfrom draft to running: {clicks} clicks, {monotonic() - began:.1f} s")  # noqa: T201 - a figure
    assert Tournament.objects.get().status == "running"
    assert clicks <= 8


def test_times_are_entered_in_zone_of_reader(chromium, live_server):
    """On 28 March 2027, clocks in Paris go from 2:00 to 3:00."""
    user = make_user("olga")
    row = making.make_draft(user, starts_at=datetime(2027, 3, 28, 1, 30, tzinfo=UTC))
    context = chromium.new_context(base_url=live_server.url, timezone_id="Europe/Paris")
    context.add_cookies([{**session_of(user), "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{row.get_absolute_url()}edit/")
    starts = page.get_by_label("Starts (Europe/Paris)")
    expect(starts).to_have_value("2027-03-28T03:30")

    page.get_by_label("Versions are frozen (Europe/Paris)").fill("2027-03-27T23:30")
    starts.fill("2027-03-28T20:00")
    expect(page.get_by_text("= 2027-03-28 18:00 UTC")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Changed")

    row.refresh_from_db()
    assert row.freezes_at == datetime(2027, 3, 27, 22, 30, tzinfo=UTC)
    assert row.starts_at == datetime(2027, 3, 28, 18, 0, tzinfo=UTC)
    context.close()


def session_of(user):
    client = Client()
    client.force_login(user)
    return {"name": "sessionid", "value": client.cookies["sessionid"].value}


def test_a_round_is_followed_without_reloading(open_page):
    row = playing.begin(4)
    page = open_page(row.get_absolute_url())
    first = page.locator(".pairing").first
    expect(first).to_contain_text("waiting for a runner")
    page.evaluate("window.isTheSame = true")

    playing.finish(playing.matches_of(row)[0], 1.0, 0.5)

    expect(first.locator(".pairing-points").first).to_have_text("1½")
    assert page.evaluate("window.isTheSame")


def test_pages_say_all_without_script(chromium, live_server):
    row = playing.play_round(playing.begin(4))
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(row.get_absolute_url())

    expect(page.locator(".pairing")).to_have_count(2)
    page.get_by_role("link", name="All rounds").click()
    expect(page.locator(".pairing")).to_have_count(4)
    page.get_by_role("link", name="Cross table").click()
    page.locator(".cross-won a").first.click()
    expect(page.locator(".pairing:target")).to_have_count(1)
    context.close()


def test_tournament_is_framed_by_another_site(chromium, live_server, elsewhere):
    row = playing.play_round(playing.begin(4))
    served, another_site = elsewhere
    address = f"{live_server.url}{row.get_absolute_url()}"
    frames = f'<iframe src="{address}embed/"></iframe><iframe src="{address}"></iframe>'
    served.body = frames.encode()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(another_site)

    shown = page.frame_locator("iframe").first
    expect(shown.get_by_role("heading", level=1)).to_have_text(row.name)
    expect(page.frame_locator("iframe").nth(1).get_by_role("heading", level=1)).to_have_count(0)
    context.close()
