"""Signing in with another site in a real browser, which applies the policy of the site."""

import pytest
from playwright.sync_api import expect

from arena.models import User
from tests.integration.accounts import providers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def provider(settings, monkeypatch):
    with providers.provider(settings, monkeypatch) as server:
        yield server


@pytest.mark.parametrize("name", ["GitHub", "Example ID"])
def test_a_button_leads_there_and_back(open_page, provider, axe, wider, name):
    page = open_page("/accounts/login/")
    assert axe(page, both=True) == []

    page.get_by_role("button", name=f"Continue with {name}").click()

    expect(page.get_by_role("link", name="ada", exact=True).first).to_be_visible()
    assert User.objects.get().username == "ada"
    page.goto("/accounts/connections/")
    expect(page.get_by_role("button", name="Disconnect")).to_be_visible()
    assert axe(page, both=True) == []
    assert wider(page) == []


def test_who_has_to_choose_a_name_sees_why(open_page, provider, axe):
    provider.claims["preferred_username"] = "root"
    page = open_page("/accounts/signup/")

    page.get_by_role("button", name="Continue with Example ID").click()

    expect(page.get_by_text("“root” cannot be your name here.")).to_be_visible()
    assert axe(page, both=True) == []
    page.get_by_label("Username").fill("grace")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name="grace", exact=True).first).to_be_visible()
