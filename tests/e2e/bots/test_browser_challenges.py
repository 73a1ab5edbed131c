"""A challenge, from the opponent's page to the match and back, at every width in both lights."""

import pytest
from playwright.sync_api import expect

from arena.models import Match, User
from tests.e2e.journeys.test_journeys import sign_up
from tests.factories import make_bot, make_ready

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_challenge_is_asked_for_followed_and_cancelled(open_page):
    page = sign_up(open_page)
    make_ready(make_bot(User.objects.get(username="grace"), "fox"))
    opponent = make_ready(make_bot(slug="owl")).bot

    open_page(opponent.get_absolute_url(), page=page)
    page.get_by_label("Rules and clock of").select_option("general")
    page.get_by_role("button", name="Challenge").click()

    main = page.get_by_role("main")
    expect(page.get_by_role("heading", level=1)).to_have_text("fox \N{EN DASH} owl")
    expect(main).to_contain_text("challenge, unrated")
    page.get_by_role("link", name="grace", exact=True).first.click()
    page.get_by_role("link", name="Challenges").click()
    expect(main).to_contain_text("1 of 50 asked for in the last 24 hours.")
    page.get_by_role("button", name="Cancel").click()
    expect(main).to_contain_text("The challenge is cancelled.")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    assert Match.objects.get().status == "cancelled"


def test_pages_of_challenges_fit_and_are_accessible(open_page, axe, wider):
    page = sign_up(open_page)
    make_ready(make_bot(User.objects.get(username="grace"), "fox"), ["siege"])
    opponent = make_ready(make_bot(slug="owl"), ["siege"]).bot
    asking = f"{opponent.get_absolute_url()}challenge/"
    open_page(asking, page=page)
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_url("**/matches/**")
    match = Match.objects.get()

    for address in (asking, "/challenges/", match.get_absolute_url()):
        open_page(address, page=page)
        assert axe(page, both=True) + wider(page) == [], address
