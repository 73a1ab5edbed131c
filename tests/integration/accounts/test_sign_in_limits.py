"""Guessing passwords: limits per address, per account and per known device."""

import time
from ipaddress import ip_network
from types import SimpleNamespace

import pytest
from allauth.core.internal import ratelimit
from django.core.management import CommandError, call_command
from django.test import Client

from arena import settings as site
from arena.api.throttling import AccountThrottle
from arena.domain.accounts import accounts
from arena.domain.errors import InvalidInput
from arena.models import User
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


def sign_up(number, address=ATTACKER):
    words = {"password1": "table-at-night-9", "password2": "table-at-night-9"}
    data = {"username": f"pupil-{number}", **words}
    return Client().post("/accounts/signup/", data, **address)


def test_class_of_thirty_signs_up_and_in():
    made = {sign_up(number).status_code for number in range(30)}
    wrong = {sign_in(Client(), f"pupil-{n}", "x", **ATTACKER).status_code for n in range(10)}
    signed_in = {
        sign_in(Client(), f"pupil-{number}", "table-at-night-9", **ATTACKER).status_code
        for number in range(30)
    }

    assert (made, wrong, signed_in) == ({302}, {200}, {302})


def test_sign_ups_beyond_limit_say_which_and_when(settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/h/ip"}
    settings.SIGN_UPS_PER_HOUR = 2

    answers = [sign_up(number) for number in range(3)]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "From one address, 2 accounts can be made in an hour." in answers[2].content.decode()
    assert answers[2]["Retry-After"] == "3600"


def test_address_of_trusted_network_is_not_counted(anyone, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/h/ip"}
    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {
            **settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"],
            "token": "2/hour",
        },
    }
    settings.TRUSTED_NETWORKS = [ip_network("203.0.113.0/24")]

    def ask(address):
        return anyone.post("/tokens", {"username": "x", "password": "y"}, format="json", **address)

    made = [sign_up(number).status_code for number in range(4)]
    tokens = [ask(ATTACKER).status_code for _ in range(4)]
    others = [ask({"REMOTE_ADDR": "198.51.100.7"}).status_code for _ in range(3)]

    assert (made, tokens, others) == ([302] * 4, [401] * 4, [401, 401, 429])


@pytest.mark.parametrize("name", ["staff", "Moderator", "support"])
def test_name_that_speaks_for_site_is_refused(name):
    assert "username" in making_refused(name)


def making_refused(name):
    with pytest.raises(InvalidInput) as refused:
        accounts.create_user(username=name, password="table-at-night-9")
    return refused.value.errors


def test_a_command_makes_accounts_of_class(capsys, tmp_path):
    call_command("make_class", "--count", "30", "--prefix", "blue")

    rows_ = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert (rows_[0], len(rows_), rows_[30][0]) == (["name", "password"], 31, "blue-30")
    assert sign_in(Client(), *rows_[7]).status_code == 302
    names = tmp_path / "names.txt"
    names.write_text("anna\nblue-3\nb ad\n")
    with pytest.raises(CommandError, match=r"(?s)No account.*blue-3: This name is taken.*b ad: "):
        call_command("make_class", "--names", str(names))
    assert not User.objects.filter(username="anna").exists()
