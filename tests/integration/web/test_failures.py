"""Pages for what goes wrong say why, that nothing was changed, and what to do next."""

import pytest

from tests import factories

pytestmark = pytest.mark.django_db

PROBLEM = "application/problem+json"


def test_forbidden_user_is_told_signed_in_name(client):
    client.force_login(factories.make_user("ada"))
    bot = factories.make_bot()

    response = client.post(f"{bot.get_absolute_url()}pause/")

    assert response.status_code == 403
    assert "You are signed in as ada" in response.content.decode()


@pytest.mark.parametrize(
    ("method", "address", "allowed", "words"),
    [
        ("get", "/notices/read/", "POST", "takes a form from another page"),
        ("post", "/ladders/", "GET, HEAD", "takes no form"),
    ],
)
def test_a_wrong_method_is_explained(client, method, address, allowed, words):
    client.force_login(factories.make_user())

    response = getattr(client, method)(address)

    assert (response.status_code, response["Allow"]) == (405, allowed)
    assert words in response.content.decode()


def test_an_old_form_says_what_to_do(client):
    client.handler.enforce_csrf_checks = True

    response = client.post("/accounts/login/", {"login": "x"})

    assert response.status_code == 403
    assert "reload the page" in response.content.decode()


def test_foreign_host_gets_page_without_session(client):
    response = client.get("/", headers={"host": "elsewhere.example"})

    assert response.status_code == 400
    assert "This request cannot be read" in response.content.decode()


def test_a_failure_names_its_place_in_the_log(client, monkeypatch):
    def broken(**_):
        raise RuntimeError("the secret detail")

    monkeypatch.setattr("arena.domain.queue.queue_places.queue", broken)
    client.raise_request_exception = False

    response = client.get("/queue/")

    page = response.content.decode()
    assert response.status_code == 500
    assert response["X-Request-ID"] in page
    assert "secret detail" not in page
    assert "/status/" in page


def test_api_answers_with_problem_where_no_view_reached(client, monkeypatch):
    client.raise_request_exception = False
    refused = client.get("/api/v1/bots", headers={"host": "elsewhere.example"})
    monkeypatch.setattr(
        "arena.web.accounts.second_factors.SecondFactorMiddleware.__call__", lambda *_: 1 / 0
    )

    failed = client.get("/api/v1/bots")

    assert (refused.status_code, refused["Content-Type"]) == (400, PROBLEM)
    assert refused.json()["code"] == "malformed"
    assert (failed.status_code, failed["Content-Type"]) == (500, PROBLEM)
    assert failed.json()["code"] == "server_error"
