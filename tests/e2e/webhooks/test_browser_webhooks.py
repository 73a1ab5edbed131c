"""The pages of webhooks in a real browser: a test is sent, and its result appears by itself."""

import pytest
from django.db import connection
from playwright.sync_api import expect

from arena.domain.webhooks import sending
from tests.factories import make_user
from tests.integration.webhooks.receiver import receiver

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(open_page):
    make_user("ada")
    page = open_page("/accounts/login/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.locator("main").get_by_role("button", name="Sign in").click()
    return page


def test_a_user_adds_a_webhook_and_tests_it(page, settings, axe, wider):
    with receiver(settings, answer=b'{"taken": true}') as server:
        page.goto("/account/webhooks/")
        page.get_by_label("URL").fill("https://10.0.0.1/")
        page.get_by_label("a match of one of your bots has a result").check()
        page.get_by_role("button", name="Add").click()
        expect(page.get_by_text("This address is not a public one.")).to_be_visible()
        page.get_by_label("URL").fill(long := f"{server.url}&b={'a' * 150}")
        page.get_by_role("button", name="Add").click()
        expect(page.locator("#new-secret")).to_contain_text("whsec_")
        assert axe(page, both=True) == []
        assert wider(page) == []

        page.get_by_role("link", name=long).click()
        page.get_by_role("button", name="Send a test").click()
        expect(page.locator("#deliveries")).to_contain_text("waiting")
        sending.deliver()
        connection.close()
        expect(page.locator("#deliveries")).to_contain_text("HTTP 200")
        page.get_by_text("What was sent and answered").click()
        expect(page.get_by_text('{"taken": true}')).to_be_visible()
        assert axe(page, both=True) == []
        assert wider(page) == []
