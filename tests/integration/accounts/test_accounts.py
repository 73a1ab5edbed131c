from datetime import timedelta

import pytest
from django.utils import timezone
from knox.crypto import hash_token

from arena.domain.accounts import accounts
from arena.domain.errors import InvalidInput, Refused
from arena.models import ApiToken, Scope, User
from tests import factories

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


def test_a_user_can_sign_in_after_registering():
    user = accounts.create_user(username="ada", password=PASSWORD, email="ada@Example.org")

    assert accounts.sign_in(username="ada", password=PASSWORD) == user
    assert accounts.sign_in(username="ada", password="something else") is None
    assert user.email == "ada@example.org"
    assert user.get_absolute_url() == "/@ada/"


@pytest.mark.parametrize(
    ("username", "password", "field"),
    [
        ("", PASSWORD, "username"),
        ("a b", PASSWORD, "username"),
        ("../etc", PASSWORD, "username"),
        ("-ada", PASSWORD, "username"),
        ("a" * 33, PASSWORD, "username"),
        ("new", PASSWORD, "username"),
        ("Grace", PASSWORD, "username"),
        ("ada", "short", "password"),
        ("ada", "1234567890", "password"),
        ("adalovelace", "adalovelace", "password"),
    ],
)
def test_a_bad_registration_names_the_field(username, password, field):
    factories.make_user("grace")

    with pytest.raises(InvalidInput) as refused:
        accounts.create_user(username=username, password=password)

    assert list(refused.value.errors) == [field]
    assert User.objects.count() == 1


def test_a_token_is_kept_as_a_hash_only():
    user = factories.make_user()

    row, token = accounts.issue_token(user=user, name=" laptop ")

    assert (row.name, row.scopes) == ("laptop", list(Scope))
    assert row.digest == hash_token(token)
    stored = {str(value) for value in ApiToken.objects.values().get().values()}
    assert token not in stored
    assert token.startswith("drp_")
    assert row.expiry is not None
    assert row.expiry > timezone.now() + timedelta(days=360)


def test_revoked_token_is_gone_only_owner_can_revoke():
    row, _token = accounts.issue_token(user=factories.make_user(), name="ci")

    assert accounts.revoke_token(user=factories.make_user(), public_id=row.public_id) is False
    assert accounts.revoke_token(user=row.user, public_id=row.public_id) is True
    assert not ApiToken.objects.exists()


def test_the_number_of_tokens_is_bounded(monkeypatch):
    monkeypatch.setattr(accounts, "MAX_TOKENS_PER_USER", 1)
    user = factories.make_user()
    accounts.issue_token(user=user, name="one")

    with pytest.raises(Refused, match="too many"):
        accounts.issue_token(user=user, name="two")


def test_token_use_is_noted_once_a_minute():
    row, _token = accounts.issue_token(user=factories.make_user(), name="ci")

    accounts.record_token_use(token=row)
    row.refresh_from_db()
    first = row.last_used
    accounts.record_token_use(token=row)
    row.refresh_from_db()

    assert first is not None
    assert row.last_used == first
