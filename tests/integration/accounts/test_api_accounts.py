from datetime import timedelta

import pytest
from django.utils import timezone

from arena.models import ApiToken, Scope, User
from tests.integration.api import rows

NEW_USER = {"username": "ada", "password": rows.PASSWORD}


def sign_in(caller, **extra):
    return caller.post("/tokens", {**NEW_USER, **extra}, format="json")


def test_register_then_sign_in_then_me(anyone):
    registered = anyone.post("/users", {**NEW_USER, "email": "ada@example.org"}, format="json")
    signed_in = sign_in(anyone, name="laptop")
    anyone.credentials(HTTP_AUTHORIZATION=f"Bearer {signed_in.json()['token']}")
    me = anyone.get("/me")

    assert registered.status_code == 201
    assert set(registered.json()) == {"username", "url", "created_at"}
    assert signed_in.status_code == 201
    assert signed_in["Cache-Control"] == "no-store"
    assert signed_in.json()["scopes"] == list(Scope)
    assert me.json()["username"] == "ada"
    assert me.json()["email"] == ""  # until its owner confirms it


def test_a_taken_name_is_a_conflict(anyone):
    rows.user("Ada")

    answer = anyone.post("/users", NEW_USER, format="json")

    assert answer.status_code == 409
    assert answer.json()["code"] == "name_taken"


def test_site_with_operator_made_accounts_registers_nobody(anyone, settings):
    settings.REGISTRATION_OPEN = False

    refused = anyone.post("/users", {"username": "ada", "password": "table-at-night-9"})

    assert refused.status_code == 403
    assert refused.json()["code"] == "registration_closed"
    assert "Ask an operator" in refused.json()["hint"]
    assert not User.objects.filter(username="ada").exists()


def test_wrong_password_is_401_and_asks_for_token(anyone):
    rows.user("ada")

    answer = sign_in(anyone, password="not this one")

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["code"] == "wrong_credentials"


def test_token_is_kept_as_hash_and_shown_once(anyone):
    rows.user("ada")

    secret = sign_in(anyone).json()["token"]
    row = ApiToken.objects.get()
    stored = " ".join(str(value) for each in ApiToken.objects.values() for value in each.values())
    anyone.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    listed = anyone.get("/tokens")

    assert secret.startswith("drp_")
    assert secret not in stored
    assert row.digest not in listed.content.decode()
    assert secret not in listed.content.decode()
    assert set(listed.json()["results"][0]) == {
        *("id", "name", "scopes", "created_at", "expires_at", "last_used_at")
    }
    assert row.expiry is not None
    assert row.expiry > timezone.now() + timedelta(days=360)


def test_an_unknown_scope_is_named(anyone):
    rows.user("ada")

    answer = sign_in(anyone, scopes=["everything"])

    assert answer.status_code == 400
    assert answer.json()["code"] == "unknown_scope"
    assert answer.json()["errors"][0]["field"] == "scopes"


@pytest.mark.parametrize("scope", Scope)
def test_token_revokes_itself_others_only_with_scope(signed_in, scope):
    ada = rows.user()
    rows.token(ada)
    other = ada.auth_token_set.get().public_id
    caller = signed_in(ada, scope)
    own = ada.auth_token_set.exclude(public_id=other).get().public_id

    answers = [caller.delete(f"/tokens/{each}") for each in (other, own)]

    assert [each.status_code for each in answers] == [
        204 if scope == Scope.BOTS_WRITE else 403,
        204,
    ]
    assert scope == Scope.BOTS_WRITE or answers[0].json()["code"] == "missing_scope"
    assert caller.get("/me").status_code == 401


def test_token_without_read_may_not_ask_headers(signed_in):
    writer, reader = signed_in(rows.user(), Scope.BOTS_WRITE), signed_in(rows.user(), Scope.READ)

    for method in ("get", "head"):
        assert getattr(writer, method)("/me").status_code == 403
        assert getattr(reader, method)("/me").status_code == 200
    refused = reader.post("/bots", {"name": "Greedy"}, format="json").json()
    assert (refused["code"], refused["scope"]) == ("missing_scope", "bots:write")


def test_a_session_cookie_does_not_sign_in(anyone):
    anyone.force_login(rows.user())

    assert anyone.get("/me").status_code == 401
