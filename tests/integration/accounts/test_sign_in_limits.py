"""Guessing passwords: limits per address, per account and per known device."""

import time
from types import SimpleNamespace

import pytest
from allauth.core.internal import ratelimit
from django.test import Client

from arena import settings as site
from arena.api.throttling import AccountThrottle
from arena.web.accounts import devices
from tests.factories import make_user
from tests.integration.accounts.browsers import PASSWORD, is_signed_in, sign_in
from tests.integration.api import rows

pytestmark = pytest.mark.django_db

ATTACKER = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture(autouse=True)
def _limits(settings, monkeypatch):
    """Count as the site does, on clocks that stand, so that no window ends during a test."""
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    standing = SimpleNamespace(time=lambda: 1e9, monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(ratelimit, "time", standing)
    monkeypatch.setattr(AccountThrottle, "timer", staticmethod(lambda: 1e9))


def sign_out(client):
    """Sign out as a browser does; the client of Django would forget all cookies."""
    client.post("/accounts/logout/")


def lock_out(name="ada", address=ATTACKER):
    """Guess until the account refuses unknown devices. Return the answers' statuses."""
    return [sign_in(Client(), name, "wrong", **address).status_code for _ in range(6)]


@pytest.mark.parametrize("name", ["Ada", "nobody"])
def test_account_allows_five_failures_even_if_nonexistent(name):
    make_user("ada")

    assert lock_out(name) == [200] * 5 + [429]
    refused = sign_in(Client(), name.lower(), "wrong", REMOTE_ADDR="203.0.113.77")
    assert (refused.status_code, refused["Retry-After"]) == (429, "300")
    assert "There were too many wrong passwords or sign-ins" in refused.content.decode()


def test_wrong_passwords_of_others_spare_known_device(client):
    signed_in = Client()
    signed_in.force_login(make_user("ada"))
    sign_in(client)
    sign_out(client)
    lock_out()

    unknown = Client()
    sign_in(unknown)
    sign_in(client)

    assert not is_signed_in(unknown)
    assert is_signed_in(client)
    confirmed = signed_in.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert confirmed.status_code == 302


def test_known_device_not_locked_out_at_attackers_address(client):
    make_user("ada")
    sign_in(client)
    sign_out(client)
    for guess in range(40):
        sign_in(Client(), f"user{guess}", "wrong")
    assert sign_in(Client(), "somebody").status_code == 429

    sign_in(client)

    assert is_signed_in(client)


def test_known_device_has_mark_and_own_limit(client):
    make_user("ada")
    sign_in(client)
    mark = next(cookie for name, cookie in client.cookies.items() if name.startswith("device-"))
    assert (mark["path"], mark["httponly"], mark["samesite"]) == ("/accounts/", True, "Lax")
    assert mark["max-age"] == devices.KEPT.total_seconds()
    sign_out(client)

    answers = [sign_in(client, password="wrong").status_code for _ in range(11)]

    assert answers == [200] * 10 + [429]
    assert sign_in(Client()).status_code == 302  # nobody else is affected


def test_device_is_known_for_its_account_only(client):
    make_user("ada")
    make_user("eve")
    sign_in(client, "eve")
    own = next(cookie for name, cookie in client.cookies.items() if name.startswith("device-"))
    lock_out("ada")
    other = Client()
    sign_in(other, "ada")  # refused, and it marks nothing
    renamed = Client()
    renamed.cookies[devices._cookie_name("ada")] = own.value

    sign_in(renamed, "ada")

    assert not is_signed_in(renamed)
    assert not any(name.startswith("device-") for name in other.cookies)


def test_new_password_ends_known_devices_except_the_changer(client):
    make_user("ada")
    old = Client()
    for browser in (client, old):
        sign_in(browser)
    new = {
        "oldpassword": PASSWORD,
        "password1": "table-at-night-9",
        "password2": "table-at-night-9",
    }
    client.post("/accounts/password/change/", new)
    sign_out(client)
    lock_out()

    for browser in (client, old):
        sign_in(browser, password="table-at-night-9")

    assert (is_signed_in(client), is_signed_in(old)) == (True, False)


def test_api_counts_guesses_per_account_from_all_addresses(anyone, signed_in, settings):
    caller = signed_in(rows.user("ada"))
    allowed = int(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["account"].partition("/")[0])

    def ask(name, number, password="wrong"):
        body = {"username": name, "password": password}
        return anyone.post("/tokens", body, format="json", REMOTE_ADDR=f"203.0.113.{number}")

    answers = {
        name: [ask(name, number).status_code for number in range(allowed)]
        for name in ("ada", "nobody")
    }
    refused = {name: ask(name.upper(), 200, rows.PASSWORD) for name in answers}

    assert {code for codes in answers.values() for code in codes} == {401}
    for answer in refused.values():
        body = answer.json()
        assert (answer.status_code, body["code"]) == (429, "rate_limited")
        assert answer["Retry-After"] == str(body["ratelimit"]["seconds"])
        assert body["ratelimit"]["key"] == "account"
    ada, nobody = (answer.json() for answer in refused.values())
    assert {**ada, "ratelimit": 0} == {**nobody, "ratelimit": 0}
    assert caller.get("/me").status_code == 200  # a token works while others guess
