"""A new password ends what the old one gave: sessions, and API tokens if the user wants it."""

import pytest
from django.test import Client

from arena.models import ApiToken, Notice
from tests.factories import make_user
from tests.integration.accounts.browsers import is_signed_in
from tests.integration.accounts.mailbox import delivered, link_in
from tests.integration.api import rows

pytestmark = pytest.mark.django_db

NEW = {"password1": "table-at-night-9", "password2": "table-at-night-9"}


@pytest.fixture
def ada():
    user = make_user("ada")
    user.email = "ada@example.org"
    user.save()
    rows.token(user)
    rows.token(make_user("bob"))
    return user


def browser_of(user):
    browser = Client()
    browser.force_login(user)
    return browser


def change(browser, **extra):
    return browser.post(
        "/accounts/password/change/", {"oldpassword": "correct horse", **NEW, **extra}
    )


@pytest.mark.parametrize(
    ("extra", "left", "said"),
    [
        ({"end_tokens": "on"}, {"bob"}, "all your API tokens are revoked."),
        ({}, {"ada", "bob"}, "Your API tokens still work."),
    ],
)
def test_changed_password_ends_other_sessions_and_wanted_tokens(ada, extra, left, said):
    here, elsewhere = browser_of(ada), browser_of(ada)

    answer = change(here, **extra)

    assert answer.status_code == 302
    assert (is_signed_in(here), is_signed_in(elsewhere)) == (True, False)
    assert set(ApiToken.objects.values_list("user__username", flat=True)) == left
    assert Notice.objects.get(user=ada).text.endswith(said)
    (mail,) = delivered()
    assert mail.to == ["ada@example.org"]
    assert "Your password has been changed." in mail.body


def test_a_wrong_old_password_ends_nothing(ada):
    here, elsewhere = browser_of(ada), browser_of(ada)
    form = here.get("/accounts/password/change/").content.decode()
    assert 'name="end_tokens" id="id_end_tokens" checked' in form

    change(here, oldpassword="wrong", end_tokens="on")

    assert is_signed_in(elsewhere)
    assert ApiToken.objects.filter(user=ada).exists()
    assert not Notice.objects.exists()


def test_password_reset_ends_sessions_tokens_and_signs_in(ada, client):
    elsewhere = browser_of(ada)
    client.post("/accounts/password/reset/", {"email": "Ada@example.org"})
    form = client.get(link_in(delivered()[0]), follow=True).request["PATH_INFO"]

    client.post(form, NEW)

    assert (is_signed_in(client), is_signed_in(elsewhere)) == (True, False)
    assert set(ApiToken.objects.values_list("user__username", flat=True)) == {"bob"}
    assert "revoked" in Notice.objects.get(user=ada).text
    assert client.get(link_in(delivered()[0]), follow=True).request["PATH_INFO"] != form
    ada.refresh_from_db()
    assert ada.check_password("table-at-night-9")


FORMS = (
    *("password/change", "password/reset", "email", "reauthenticate", "2fa/authenticate"),
    *("2fa/totp/activate", "2fa/totp/deactivate", "2fa/recovery-codes/generate"),
    *("2fa/webauthn/add", "2fa/webauthn/keys/1/remove", "2fa/webauthn/keys/1/edit"),
)


def test_another_site_cannot_post_for_the_user(ada):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)

    for form in FORMS:
        answer = browser.post(f"/accounts/{form}/", {"oldpassword": "correct horse", **NEW})
        assert (form, answer.status_code) == (form, 403)

    ada.refresh_from_db()
    assert ada.check_password("correct horse")


def test_operator_given_password_ends_sessions_and_tokens(ada, admin_client):
    elsewhere = browser_of(ada)

    admin_client.post(f"/admin/arena/user/{ada.pk}/password/", {**NEW, "usable_password": "true"})

    assert not is_signed_in(elsewhere)
    assert set(ApiToken.objects.values_list("user__username", flat=True)) == {"bob"}
    ada.refresh_from_db()
    assert ada.check_password("table-at-night-9")
    own = admin_client.get("/admin/password_change/")
    assert own["Location"] == "/accounts/password/change/"


def test_reset_link_leads_to_site_of_settings(ada, client, settings):
    settings.SITE_URL = "https://arena.example.org"

    client.post("/accounts/password/reset/", {"email": ada.email}, headers={"Host": "localhost:81"})

    (mail,) = delivered()
    assert "https://arena.example.org/accounts/password/reset/key/" in mail.body
    assert "localhost" not in mail.body + mail.subject
