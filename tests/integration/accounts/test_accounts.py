import pytest

from arena.domain.accounts import accounts
from arena.domain.errors import InvalidInput, Refused
from arena.models import User
from tests import factories

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


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


FORM = {"username": "ada", "password1": "table-at-night-9", "password2": "table-at-night-9"}
LINK = 'href="/accounts/signup/"'


def test_operator_made_accounts_nobody_invited_or_signs_up(client, settings):
    settings.REGISTRATION_OPEN = False

    pages = [client.get(path).content.decode() for path in ("/", "/accounts/login/")]
    told = client.get("/accounts/signup/")
    client.post("/accounts/signup/", FORM)

    assert [LINK in page for page in pages] == [False, False]
    assert "This site makes no new accounts" in told.content.decode()
    assert not User.objects.filter(username="ada").exists()
