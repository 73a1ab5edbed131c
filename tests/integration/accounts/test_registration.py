"""Who can make an account on the pages of the site."""

import pytest

from arena.models import User

pytestmark = pytest.mark.django_db

FORM = {"username": "ada", "password1": "table-at-night-9", "password2": "table-at-night-9"}
LINK = 'href="/accounts/signup/"'


def test_visitors_are_invited_and_sign_up(client):
    assert LINK in client.get("/").content.decode()
    assert LINK in client.get("/accounts/login/").content.decode()

    client.post("/accounts/signup/", FORM)

    assert User.objects.filter(username="ada").exists()


def test_operator_made_accounts_nobody_invited_or_signs_up(client, settings):
    settings.REGISTRATION_OPEN = False

    pages = [client.get(path).content.decode() for path in ("/", "/accounts/login/")]
    told = client.get("/accounts/signup/")
    client.post("/accounts/signup/", FORM)

    assert [LINK in page for page in pages] == [False, False]
    assert "This site makes no new accounts" in told.content.decode()
    assert not User.objects.filter(username="ada").exists()
