"""Second factors: who is asked for one, and where a password alone ends."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client

from arena.models import ApiToken
from tests.factories import make_user
from tests.integration.accounts.browsers import PASSWORD, confirm_password, is_signed_in, sign_in
from tests.integration.tournaments.making import make_open

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def with_app():
    user = make_user("ada")
    TOTP.activate(user, SECRET)
    return user


def code():
    return format_hotp_value(hotp_value(SECRET, list(yield_hotp_counters_from_time())[1]))


def test_password_alone_signs_in_nobody_with_app(client):
    with_app()

    answer = sign_in(client)

    assert answer["Location"] == "/accounts/2fa/authenticate/"
    assert not is_signed_in(client)
    assert not any(name.startswith("device-") for name in client.cookies)
    wrong = client.post("/accounts/2fa/authenticate/", {"code": "abcdef"})
    assert "Incorrect code." in wrong.content.decode()
    client.post("/accounts/2fa/authenticate/", {"code": code()})
    assert is_signed_in(client)


@pytest.mark.parametrize("address", ["2fa/totp/activate/", "email/"])
def test_password_is_asked_again_once_after_sign_in(client, address):
    make_user("ada")
    sign_in(client)
    assert is_signed_in(client)

    asked = client.post(f"/accounts/{address}", {"action_add": "", "email": "a@example.org"})
    assert asked["Location"].startswith("/accounts/reauthenticate/?next=")

    confirm_password(client)
    answer = client.post(f"/accounts/{address}", {"action_add": "", "email": "a@example.org"})
    assert "reauthenticate" not in answer.get("Location", "")


def test_api_gives_no_token_for_password_with_app(anyone):
    with_app()

    right = anyone.post("/tokens", {"username": "ada", "password": PASSWORD}, format="json")
    wrong = anyone.post("/tokens", {"username": "ada", "password": "wrong"}, format="json")

    assert (right.status_code, right.json()["code"]) == (403, "second_factor_needed")
    assert "/account/tokens/" in right.json()["hint"]
    assert wrong.status_code == 401
    assert not ApiToken.objects.exists()


def test_nobody_removes_the_key_of_another(client):
    ada = make_user("ada")
    key = Authenticator.objects.create(
        user=ada, type=Authenticator.Type.WEBAUTHN, data={"name": "k"}
    )
    client.force_login(make_user("eve"))
    confirm_password(client)

    for act in ("remove", "edit"):
        address = f"/accounts/2fa/webauthn/keys/{key.pk}/{act}/"
        assert client.get(address).status_code == 404
        assert client.post(address, {"name": "mine"}).status_code == 404
    assert Authenticator.objects.filter(pk=key.pk).exists()


def make_staff():
    user = make_user("ada")
    user.is_staff = user.is_superuser = True
    user.save()
    return user


def make_organizer():
    user = make_user("ada")
    make_open(by=user)
    return user


GUARDED = {
    make_staff: ["/", "/staff/", "/admin/", "/account/tokens/"],
    make_organizer: ["/tournaments/", "/matches/", "/account/tokens/"],
}


@pytest.mark.parametrize("make", [make_staff, make_organizer])
def test_required_factor_missing_hides_staff_and_organizer_pages(client, settings, make):
    settings.STAFF_MFA = True
    user = make()
    client.force_login(user)

    for address in GUARDED[make]:
        for method in ("get", "post"):
            answer = getattr(client, method)(address)
            assert (answer.status_code, answer["Location"]) == (302, "/accounts/2fa/"), address
    page = client.get("/accounts/2fa/").content.decode()
    assert "Staff and organizers need a second factor" in page

    TOTP.activate(user, SECRET)
    assert client.get(GUARDED[make][1]).status_code in (200, 404)


@pytest.mark.parametrize("make", [make_staff, make_organizer])
def test_required_factor_missing_rests_and_gives_no_token(anyone, signed_in, settings, make):
    user = make()
    caller = signed_in(user)
    assert caller.get("/me").status_code == 200

    settings.STAFF_MFA = True
    refused = caller.get("/me")
    asked = anyone.post("/tokens", {"username": "ada", "password": PASSWORD}, format="json")
    TOTP.activate(user, SECRET)

    assert (refused.status_code, "This token rests" in refused.json()["detail"]) == (401, True)
    assert (asked.status_code, asked.json()["code"]) == (403, "no_second_factor")
    assert ApiToken.objects.count() == 1
    assert caller.get("/me").status_code == 200


def test_others_need_none(client, settings, anyone):
    settings.STAFF_MFA = True
    client.force_login(make_user("ada"))

    assert client.get("/account/tokens/").status_code == 200
    made = anyone.post("/tokens", {"username": "ada", "password": PASSWORD}, format="json")
    assert made.status_code == 201
    assert Client().get("/").status_code == 200
    assert Client().get("/healthz").status_code == 200


def test_operators_see_no_secret_and_remove_lost_factor(admin_client):
    app = Authenticator.objects.get(user=with_app())
    address = f"/admin/mfa/authenticator/{app.pk}"

    assert SECRET not in admin_client.get(f"{address}/change/").content.decode()
    admin_client.post(f"{address}/delete/", {"post": "yes"})
    assert not Authenticator.objects.exists()
