"""Signing in with an account of another site: what it opens, and what it never does."""

import json
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib.sessions.models import Session
from django.test import Client

from arena import settings as site
from arena.domain import closing
from arena.domain.accounts import connections
from arena.models import User
from tests.factories import make_user
from tests.integration.accounts import providers
from tests.integration.accounts import test_second_factors as factors
from tests.integration.accounts.browsers import confirm_password
from tests.integration.accounts.mailbox import delivered
from tests.integration.accounts.providers import agree, leave, sign_in, state_of

pytestmark = pytest.mark.django_db

WAYS = ("github", "oidc")


@pytest.fixture
def provider(settings, monkeypatch):
    with providers.provider(settings, monkeypatch) as server:
        yield server


def connect(client, which):
    confirm_password(client)
    return sign_in(client, which, process="connect")


def text(answer):
    return " ".join(answer.content.decode().split())


def signed_in(client):
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


@pytest.fixture
def ada(provider):
    """A user with a password and a connected account of each provider."""
    user = make_user("ada")
    client = Client()
    client.force_login(user)
    for which in WAYS:
        connect(client, which)
    assert SocialAccount.objects.filter(user=user).count() == 2
    return user


@pytest.mark.parametrize("which", WAYS)
def test_newcomer_has_same_account_at_once_and_later(client, provider, which):
    answer = sign_in(client, which)

    assert answer.status_code == 200
    user = signed_in(client)
    assert (user.username, user.email) == ("ada", "ada@example.org")
    assert (user.first_name, user.last_name) == ("", "")
    assert not user.has_usable_password()
    (address,) = EmailAddress.objects.filter(user=user)
    assert (address.email, address.verified, address.primary) == ("ada@example.org", True, True)
    assert SocialAccount.objects.get(user=user).extra_data == {"username": "ada"}

    again = Client()
    provider.claims["email"] = provider.emails[1]["email"] = "new@example.org"
    sign_in(again, which, next="/account/tokens/")

    assert signed_in(again) == User.objects.get() == user
    assert EmailAddress.objects.get().email == "ada@example.org"


@pytest.mark.parametrize("which", WAYS)
@pytest.mark.parametrize("proof", [False, "true"])
def test_address_unconfirmed_by_provider_is_a_claim(client, provider, which, proof):
    provider.claims["email_verified"] = proof
    for each in provider.emails:
        each["verified"] = proof

    sign_in(client, which)

    assert [row.verified for row in EmailAddress.objects.all()] == [False]
    (mail,) = delivered()
    assert "/accounts/confirm-email/" in mail.body


@pytest.mark.parametrize("which", WAYS)
def test_an_address_alone_opens_no_account(client, provider, which):
    owner = make_user("grace")
    EmailAddress.objects.create(user=owner, email="ada@example.org", verified=True, primary=True)

    answer = sign_in(client, which)
    sign_in(Client(), which, process="elsewhere")

    assert "You have an account here already" in text(answer)
    assert signed_in(client) is None
    assert not SocialAccount.objects.exists()
    assert User.objects.count() == 1


def test_address_claimed_by_another_account_does_not_refuse(client, provider):
    EmailAddress.objects.create(user=make_user("grace"), email="ada@example.org", primary=True)

    sign_in(client, "oidc")

    assert signed_in(client).username == "ada"


@pytest.mark.parametrize("name", ["ADA", "root", "", "a" * 40])
def test_unfit_name_is_chosen_anew(client, provider, name):
    make_user("ada")
    provider.claims["preferred_username"] = name

    asked = sign_in(client, "oidc")
    assert "Choose your name" in text(asked)
    assert ("cannot be your name here" in text(asked)) == bool(name)
    assert signed_in(client) is None
    refused = client.post("/accounts/connections/signup/", {"username": "Ada"})
    assert "already" in text(refused)

    client.post("/accounts/connections/signup/", {"username": "ada-2", "email": "ada@example.org"})

    assert signed_in(client).username == "ada-2"
    assert EmailAddress.objects.get().verified


def test_another_address_in_that_form_is_a_claim(client, provider):
    provider.claims["preferred_username"] = "root"
    sign_in(client, "oidc")

    client.post("/accounts/connections/signup/", {"username": "eve", "email": "boss@example.org"})

    proven = dict(EmailAddress.objects.values_list("email", "verified"))
    assert proven["boss@example.org"] is False


@pytest.mark.parametrize("which", WAYS)
def test_only_known_users_come_in_while_registration_closed(client, provider, ada, settings, which):
    settings.REGISTRATION_OPEN = False
    sign_in(client, which)
    assert signed_in(client) == ada

    provider.claims["sub"], provider.github["id"] = "u-2", 8
    stranger = Client()
    answer = sign_in(stranger, which)

    assert "This site makes no new accounts" in text(answer)
    assert signed_in(stranger) is None
    assert User.objects.count() == 1


@pytest.mark.parametrize("which", WAYS)
def test_a_second_factor_is_asked_for(client, ada, which):
    TOTP.activate(ada, factors.SECRET)

    asked = sign_in(client, which)

    assert asked.redirect_chain[-1][0].startswith("/accounts/2fa/authenticate/")
    assert signed_in(client) is None
    client.post("/accounts/2fa/authenticate/", {"code": factors.code()})
    assert signed_in(client) == ada


def test_inactive_user_or_staff_without_factor_stopped(client, ada, settings):
    settings.STAFF_MFA = True
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    assert sign_in(Client(), "github").redirect_chain[-1][0] == "/accounts/2fa/"
    User.objects.filter(pk=ada.pk).update(is_active=False)

    sign_in(client, "oidc")

    assert signed_in(client) is None


def test_connecting_takes_the_password_again(client, provider):
    client.force_login(make_user("ada"))

    answer = sign_in(client, "github", process="connect")
    assert answer.redirect_chain[-1][0] == "/accounts/reauthenticate/"
    assert not SocialAccount.objects.exists()

    confirm_password(client)
    assert SocialAccount.objects.get().user.username == "ada"


def test_account_of_somebody_else_is_out_of_reach(client, ada):
    client.force_login(make_user("eve"))

    answer = connect(client, "oidc")

    assert "already connected to a different account" in text(answer)
    for row in SocialAccount.objects.all():
        answer = client.post(f"/accounts/connections/{row.pk}/disconnect/", follow=True)
        assert "is not connected to yours" in text(answer)
    assert SocialAccount.objects.filter(user=ada).count() == 2


def test_connected_accounts_are_listed_and_disconnected(client, ada):
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    client.force_login(ada)
    shown = text(client.get("/accounts/connections/"))
    assert "<strong>GitHub</strong> ada" in shown
    assert "<strong>Example ID</strong> ada" in shown
    row = SocialAccount.objects.get(user=ada, provider="github")
    path = f"/accounts/connections/{row.pk}/disconnect/"

    asked = client.post(path)
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    confirm_password(client)
    client.post(path)

    assert [each.provider for each in SocialAccount.objects.all()] == ["oidc"]
    assert "disconnected" in delivered()[-1].body


def test_the_last_way_to_sign_in_stays(client, provider, settings):
    sign_in(client, "github")
    user = signed_in(client)
    SocialAccount.objects.create(
        user=user, provider="oidc", uid="x", extra_data={"username": "ada"}
    )
    settings.SIGN_IN_PROVIDERS = settings.SIGN_IN_PROVIDERS[:1]  # the other one is off now
    row = SocialAccount.objects.get(provider="github")
    path = f"/accounts/connections/{row.pk}/disconnect/"

    refused = client.post(path, follow=True)
    assert "you could not sign in any more" in text(refused)
    assert "This site no longer uses it." in text(refused)
    fields = dict.fromkeys(("password1", "password2"), "table-9-night")
    client.post("/accounts/password/set/", fields)
    client.post("/accounts/reauthenticate/", {"password": "table-9-night"})
    client.post(path)

    assert not SocialAccount.objects.filter(provider="github").exists()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/account/close/"),
        ("get", "/accounts/2fa/totp/activate/"),
        ("get", "/accounts/password/set/"),
        ("post", "/accounts/password/set/"),
    ],
)
def test_change_without_password_needs_fresh_sign_in(client, provider, method, path):
    sign_in(client, "github")
    user = signed_in(client)
    assert client.get(path).status_code == 200
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] = time.time() - 600
    session.save()

    asked = getattr(client, method)(path, follow=True)
    assert asked.redirect_chain[-1][0].startswith("/accounts/connections/again/?next=")
    back = sign_in(client, "github", next=path)

    assert back.redirect_chain[-1][0] == path
    assert back.status_code == 200
    assert signed_in(client) == user


def test_another_account_there_is_no_fresh_sign_in(client, provider):
    sign_in(client, "github")
    user = signed_in(client)
    provider.github.update(id=8, login="eve")

    answer = sign_in(client, "github", next="/account/close/")

    assert "This account of GitHub is not connected to your account." in text(answer)
    assert signed_in(client) == user
    assert User.objects.count() == 1


@pytest.mark.parametrize("which", WAYS)
def test_cancelling_there_is_told_in_a_sentence(client, provider, which):
    state = state_of(leave(client, which))

    answer = client.get(
        f"/accounts/{which}/login/callback/?error=access_denied&state={state}", follow=True
    )

    assert "The other site says that you cancelled." in text(answer)
    assert signed_in(client) is None


@pytest.mark.parametrize("which", WAYS)
def test_answer_unasked_by_browser_signs_nobody_in(client, provider, which):
    back = agree(leave(Client(), which))

    for path in (back, f"/accounts/{which}/login/callback/", back.replace("state=", "state=x")):
        answer = client.get(path)
        assert answer.status_code == 401
        assert "The sign-in did not work" in text(answer)
    assert signed_in(client) is None


def test_an_answer_counts_once(client, provider):
    back = agree(leave(client, "oidc"))
    client.get(back)
    Client().get(back)
    client.logout()

    assert client.get(back).status_code == 401


def test_failing_provider_is_told_in_a_sentence(client, provider):
    for fault in (500, "no JSON", "[]"):
        provider.broken["/.well-known/openid-configuration"] = fault

        answer = client.post("/accounts/oidc/login/?process=login")

        assert answer.status_code == 401
        assert "The sign-in did not work" in text(answer)


@pytest.mark.parametrize(
    ("which", "path"),
    [
        ("github", "/token"),
        ("github", "/user"),
        ("github", "/user/emails"),
        ("oidc", "/token"),
        ("oidc", "/userinfo"),
    ],
)
def test_senseless_provider_answer_signs_nobody_in(provider, caplog, which, path):
    for fault in (500, "no JSON", "{}", "null"):
        caplog.clear()
        client = Client()
        provider.broken.clear()
        back = agree(leave(client, which))
        provider.broken[path] = fault

        answer = client.get(back, follow=True)

        if path == "/user/emails" and fault in ("{}", "null"):
            assert signed_in(client), fault  # it has no address
            User.objects.all().delete()
            continue
        assert answer.status_code == 401, fault
        assert "The sign-in did not work" in text(answer)
        assert signed_in(client) is None
        (failed,) = [each for each in caplog.records if each.message == "provider_sign_in_failed"]
        assert failed.provider == which
        assert "at-1" not in str(vars(failed))
        assert providers.SECRET not in str(vars(failed))


def test_unreachable_provider_is_told_in_a_sentence(client, provider):
    back = agree(leave(client, "oidc"))
    provider.shutdown()
    provider.socket.close()

    assert client.get(back).status_code == 401
    assert client.post("/accounts/oidc/login/").status_code == 401


@pytest.mark.parametrize(
    "claims",
    [{"sub": "u-2"}, {"iss": "https://evil.example"}, {"aud": "another"}, {"exp": 1}],
)
def test_an_id_token_for_others_signs_nobody_in(client, provider, claims):
    provider.id_token = claims

    assert sign_in(client, "oidc").status_code == 401
    assert not User.objects.exists()


def test_a_user_of_another_issuer_is_somebody_else(client, ada, settings):
    row = SocialAccount.objects.get(user=ada, provider="oidc")
    issuer = settings.SIGN_IN_PROVIDERS[1]["settings"]["server_url"]

    assert row.uid == connections.subject(issuer=issuer, sub="u-1")
    assert row.uid != connections.subject(issuer="https://id.example", sub="u-1")


def test_no_token_and_no_secret_is_kept(client, provider):
    provider.claims["preferred_username"] = "root"
    sign_in(client, "oidc")  # waits for a name
    sign_in(Client(), "github")

    assert not SocialToken.objects.exists()
    assert not SocialApp.objects.exists()
    sessions = [session.get_decoded() for session in Session.objects.all()]
    assert "socialaccount_sociallogin" in str(sessions)
    assert "at-1" not in str(sessions)
    assert providers.SECRET not in str(sessions)


def test_provider_sign_in_requests_are_limited_per_address(client, provider, settings):
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS

    answers = [client.post("/accounts/github/login/").status_code for _ in range(21)]

    assert answers == [200] * 20 + [429]


def test_without_settings_there_is_nothing_of_it(client):
    for path in ("/accounts/login/", "/accounts/signup/"):
        assert "Continue with" not in text(client.get(path))
    for which in WAYS:
        for path in (f"/accounts/{which}/login/", f"/accounts/{which}/login/callback/"):
            assert client.get(path).status_code == 404


def test_connected_accounts_are_exported_and_deleted_at_closing(client, ada):
    client.force_login(ada)

    kept = json.loads(client.get("/account/data.json").content)["connected_accounts"]
    closing.close(user=ada)

    assert [each["provider"] for each in kept] == ["github", "oidc"]
    assert kept[0]["extra_data"] == {"username": "ada"}
    assert not SocialAccount.objects.exists()
