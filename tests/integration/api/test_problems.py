import re
from pathlib import Path

import pytest

from arena import api
from arena.api.strict import StrictSerializer
from tests.factories import make_bot
from tests.integration.api import rows


@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_api_address_is_a_problem(anyone, method):
    answer = getattr(anyone, method)("/nowhere/at/all")

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Bearer a b", "Bearer drp_" + "0" * 64, "Bearer caf\u00e9" * 9]
)
def test_a_bad_token_is_401_with_a_challenge(anyone, header):
    anyone.credentials(HTTP_AUTHORIZATION=header)

    answer = anyone.get("/bots")

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["code"] == "bad_token"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/me"),
        ("head", "/me"),
        ("post", "/bots"),
    ],
)
def test_without_token_401_says_how_to_get_one(anyone, method, path):
    answer = getattr(anyone, method)(path)

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    if method != "head":
        assert answer.json()["code"] == "not_signed_in"
        assert "POST /api/v1/tokens" in answer.json()["hint"]


def test_large_json_body_refused_before_reading(anyone):
    body = b'{"username": "' + b"x" * 70_000 + b'"}'

    answer = anyone.generic("POST", "/users", body, content_type="application/json")

    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_large"


FORGED = [f"/matches?cursor={each}" for each in ("x", "cD1ub3RhZGF0ZQ==", "bz0tMQ==", "cD0lMDA=")]


@pytest.mark.parametrize(
    "path", ["/bots/%00/x", "/matches/%00", "/bots/a/b/versions/99999999999999999999", *FORGED]
)
def test_addresses_no_row_can_have_not_found(anyone, path):
    answer = anyone.get(path)

    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


def test_crash_is_logged_problem_telling_nothing(anyone, monkeypatch, caplog):
    def broken(**_):
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("arena.domain.queue.queue_places.queue", broken)
    anyone.raise_request_exception = False

    answer = anyone.get("/queue")

    assert answer.status_code == 500
    assert answer.json()["code"] == "server_error"
    assert "secret" not in answer.content.decode()
    assert "api.crash" in caplog.text


def test_a_misspelt_field_changes_nothing(signed_in):
    ada = rows.user("ada")
    bot = make_bot(ada, "fox")

    answer = signed_in(ada).patch(
        "/bots/ada/fox", {"name": "Wolf", "descripton": "Sly."}, format="json"
    )

    assert answer.status_code == 400
    assert [row["field"] for row in answer.json()["errors"]] == ["descripton"]
    bot.refresh_from_db()
    assert bot.name != "Wolf"


def test_every_body_is_read_by_strict_serializer():
    """What `validated` is given with `request.data`, by the name of its class."""
    read = set()
    for file in Path(api.__file__).parent.rglob("views*/**/*.py"):
        read |= read_from_bodies(file)
    for file in Path(api.__file__).parent.rglob("views.py"):
        read |= read_from_bodies(file)
    strict = {each.__name__ for each in descendants(StrictSerializer)}

    assert "NewChallengeSerializer" in read
    assert read - strict == set()


def read_from_bodies(file):
    text = file.read_text()
    return set(re.findall(r"validated\((\w+), (?:self\.)?request\.data", text))


def descendants(kind):
    return {kind}.union(*(descendants(each) for each in kind.__subclasses__()))


@pytest.mark.parametrize(
    "body", [b'{"name": "a", "name": "b"}', b'{"username": "a", "x": {"y": 1, "y": 2}}']
)
def test_a_key_that_stands_twice_is_refused(anyone, body):
    answer = anyone.generic("POST", "/users", body, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert "stands twice in one object" in answer.json()["detail"]
