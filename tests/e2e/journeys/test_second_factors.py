"""Second factors in a real browser: an authenticator app, a security key, and their pages."""

import base64
import hmac
import struct
import time

import pytest
from playwright.sync_api import expect

from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "correct horse"


def code_of(secret):
    """Return what an authenticator app shows now: RFC 6238, written without allauth."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.new(base64.b32decode(secret), counter, "sha1").digest()
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


@pytest.fixture
def page(open_page):
    make_user("ada")
    return sign_in(open_page("/accounts/login/"))


def sign_in(page):
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    return page


def sign_out(page):
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.goto("/accounts/login/")


def confirm_access(page):
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def add_app(page):
    page.goto("/accounts/2fa/totp/activate/")
    confirm_access(page)
    secret = page.get_by_label("Authenticator secret").input_value()
    page.get_by_label("Authenticator code").fill(code_of(secret))
    page.get_by_role("button", name="Activate").click()
    expect(page.get_by_label("Unused codes")).to_be_visible()
    return page.get_by_label("Unused codes").input_value().split()


def add_key(page):
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "usb",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    page.goto("/accounts/2fa/webauthn/add/")
    confirm_access(page)
    expect(page.get_by_role("heading", name="Add a security key")).to_be_visible()
    page.wait_for_load_state()  # The script of the page gives the button its work.
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_label("Unused codes")).to_be_visible()


def expect_signed_in(page):
    expect(page.get_by_role("link", name="ada", exact=True)).to_be_visible()


def test_recovery_code_signs_in_once_without_app(page):
    codes = add_app(page)
    for attempt in (1, 2):
        sign_out(page)
        sign_in(page)
        expect(page.get_by_role("heading", name="Two-Factor Authentication")).to_be_visible()
        page.locator("#id_code").fill(codes[0])
        page.locator("main").get_by_role("button", name="Sign In").click()
        if attempt == 1:
            expect_signed_in(page)
    expect(page.get_by_text("Incorrect code.")).to_be_visible()


def test_security_key_signs_in_under_content_policy(page):
    add_key(page)
    sign_out(page)
    sign_in(page)
    expect(page.get_by_role("heading", name="Two-Factor Authentication")).to_be_visible()
    page.wait_for_load_state()

    page.get_by_role("button", name="Use a security key").click()

    expect_signed_in(page)


def test_second_factor_pages_accessible_without_sideways_scroll(page, open_page, axe, wider):
    found = {}

    def look(name):
        found[name] = axe(page, both=True) + wider(page)

    for name in ("email", "password/change", "password/reset", "2fa", "2fa/totp/activate"):
        open_page(f"/accounts/{name}/", page=page)
        look(name)
    add_key(page)
    look("codes")
    page.goto("/accounts/2fa/totp/activate/")
    look("app")
    for name in ("2fa", "2fa/webauthn", "2fa/webauthn/add", "2fa/recovery-codes/generate"):
        open_page(f"/accounts/{name}/", page=page)
        look(f"{name} with a key")
    sign_out(page)
    sign_in(page)
    look("code")

    assert {name: problems for name, problems in found.items() if problems} == {}
