"""Addresses of mail: nobody learns who has one, and nobody has one that is not confirmed."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from arena.models import User
from tests.factories import make_user
from tests.integration.accounts.mailbox import delivered, link_in
from tests.integration.api import rows

pytestmark = pytest.mark.django_db

PASSWORD = "table-at-night-9"
SECRET = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')
VARYING = {"X-Request-ID", "Set-Cookie", "Expires"}  # the last one is the time of the answer


@pytest.fixture(autouse=True)
def _owner():
    """One user has the address that the tests call taken, in other letters."""
    EmailAddress.objects.create(
        user=make_user("owner"), email="taken@example.org", verified=True, primary=True
    )


def seen(response):
    """Return all that a stranger sees of an answer, without what is random."""
    headers = {name: value for name, value in response.headers.items() if name not in VARYING}
    cookies = {name: sorted(dict(cookie).items()) for name, cookie in response.cookies.items()}
    for parts in cookies.values():
        parts[:] = [part for part in parts if part[0] != "expires"]
    return response.status_code, headers, cookies, SECRET.sub(b"", response.content)


def both(ask):
    """Return what a stranger sees with an address that is taken, and with one that is free.

    Only the words that the stranger sent differ, so they are made equal.
    """
    return tuple(
        [
            (status, headers, cookies, body.lower().replace(b"taken", b"freed"))
            for status, headers, cookies, body in ask(address)
        ]
        for address in ("taken@example.org", "freed@example.org")
    )


def test_password_reset_does_not_reveal_address_owner():
    def ask(address):
        browser = Client()
        asked = browser.post("/accounts/password/reset/", {"email": address})
        return [seen(asked), seen(browser.get(asked["Location"]))]

    taken, free = both(ask)

    assert taken == free
    to = [address.lower() for mail in delivered() for address in mail.to]
    assert to == ["taken@example.org", "freed@example.org"]


def test_signing_up_does_not_reveal_address_owner():
    def ask(address):
        browser = Client()
        name = f"name-{address[:5].lower()}"
        form = {"username": name, "email": address, "password1": PASSWORD, "password2": PASSWORD}
        asked = browser.post("/accounts/signup/", form)
        pages = [seen(asked), seen(browser.get("/")), seen(browser.get("/accounts/email/"))]
        return [
            (status, headers, {name[:6]: parts for name, parts in cookies.items()}, body)
            for status, headers, cookies, body in pages
        ]

    taken, free = both(ask)

    assert taken == free


def test_api_registering_does_not_reveal_address_owner(anyone):
    def ask(address):
        body = {"username": f"name-{address[:5].lower()}", "password": rows.PASSWORD}
        made = anyone.post("/users", {**body, "email": address}, format="json")
        token = anyone.post("/tokens", body, format="json").json()["token"]
        me = anyone.get("/me", headers={"Authorization": f"Bearer {token}"})
        return [seen(made), seen(me)]

    moments = re.compile(rb'"created_at":"[^"]+"')
    taken, free = (
        [
            (status, unlimited(headers), cookies, moments.sub(b"", body))
            for status, headers, cookies, body in answers
        ]
        for answers in both(ask)
    )

    assert taken == free
    assert taken[0][0] == 201


def test_an_address_belongs_to_one_account_only(anyone):
    body = {"username": "thief", "password": rows.PASSWORD, "email": "TAKEN@example.org"}
    anyone.post("/users", body, format="json")
    (mail,) = delivered()
    browser = Client()
    browser.post(link_in(mail))
    thief = User.objects.get(username="thief")

    assert mail.to == ["taken@example.org"]
    assert list(
        EmailAddress.objects.filter(verified=True).values_list("user__username", "email")
    ) == [("owner", "taken@example.org")]
    assert me(anyone, thief)["email"] == ""

    Client().post("/accounts/password/reset/", {"email": "taken@example.org"})
    assert "your username is owner" in delivered()[-1].body.lower()


def test_address_belongs_to_user_once_confirmed(anyone):
    body = {"username": "grace", "password": rows.PASSWORD, "email": "Grace@Example.org"}
    anyone.post("/users", body, format="json")
    grace = User.objects.get(username="grace")
    before = me(anyone, grace)["email"]

    Client().post(link_in(delivered()[0]))

    assert before == ""
    assert me(anyone, grace)["email"] == "grace@example.org"


def unlimited(headers):
    """Return the headers without those that count the requests of the test itself."""
    return {name: value for name, value in headers.items() if not name.startswith("RateLimit")}


def me(anyone, user):
    headers = {"Authorization": f"Bearer {rows.token(user)}"}
    return anyone.get("/me", headers=headers).json()
