"""Webhooks by the API: the same rules, and a token that may read sees no secret."""

import pytest

from arena.domain.webhooks import sending, webhooks
from arena.models import Notice, Webhook

pytestmark = pytest.mark.django_db

NEW = {"receiver": "https://example.org/drapeau", "events": ["bot.paused", "match.finished"]}


@pytest.fixture
def api(signed_in, ada):
    return signed_in(ada)


def add(api):
    return api.post("/webhooks", NEW, format="json")


def test_webhook_secret_is_only_in_answer_adding_it(api):
    answer = add(api)

    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    said = answer.json()
    hook = Webhook.objects.get()
    assert answer["Location"] == f"http://testserver/api/v1/webhooks/{hook.public_id}"
    assert said["secret"] == hook.secret
    assert said["events"] == ["match.finished", "bot.paused"]
    assert hook.site == "http://testserver"
    for later in ("/webhooks", f"/webhooks/{hook.public_id}"):
        assert hook.secret not in api.get(later).content.decode()


def test_a_wrong_request_says_what_is_wrong(api):
    for wrong, field, said in (
        ({"receiver": "https://192.168.0.1/"}, "receiver", "not a public one"),
        ({"events": ["match.begun"]}, "events", "There is no event “match.begun”"),
        ({"events": []}, "events", "at least one"),
    ):
        answer = api.post("/webhooks", {**NEW, **wrong}, format="json")

        assert answer.status_code == 400
        (error,) = answer.json()["errors"]
        assert error["field"] == field
        assert said in error["message"]
    assert not Webhook.objects.exists()


def test_one_too_many_is_a_conflict(api):
    for _ in range(webhooks.MAX_PER_USER):
        assert add(api).status_code == 201
    answer = add(api)

    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_webhooks")


def test_a_webhook_is_changed_and_deleted(api):
    hook = f"/webhooks/{add(api).json()['id']}"

    said = api.patch(hook, {"is_on": False, "events": ["bot.paused"]}, format="json").json()
    assert (said["is_on"], said["events"], said["receiver"]) == (
        False,
        ["bot.paused"],
        NEW["receiver"],
    )
    assert api.post(f"{hook}/test").json()["code"] == "webhook_off"
    assert api.patch(hook, {"is_on": True}, format="json").json()["is_on"]
    assert api.patch(hook, {"receiver": "http://example.org/"}, format="json").status_code == 400
    assert api.get(hook).json()["receiver"] == NEW["receiver"]
    assert api.delete(hook).status_code == 204
    assert api.get(hook).status_code == 404


def test_a_test_is_sent_and_sent_again(api, ada, hooked, listener):
    hook = f"/webhooks/{hooked(ada).public_id}"
    sent = api.post(f"{hook}/test")
    assert (sent.status_code, sent.json()["status"]) == (202, "waiting")
    assert sent.json()["next_attempt_at"]
    sending.deliver()

    (row,) = api.get(f"{hook}/deliveries").json()["results"]
    assert (row["event"], row["status"], row["http_status"]) == ("ping", "delivered", 200)
    assert (row["answer"], row["body"]) == ("well", listener.requests[0].body)
    assert row["next_attempt_at"] is None
    one = f"{hook}/deliveries/{row['id']}"
    assert api.get(one).json() == row
    assert api.post(f"{one}/again").status_code == 202
    sending.deliver()
    assert len(listener.requests) == 2


def test_owner_is_told_of_new_webhook_and_url(api, ada):
    hook = f"/webhooks/{add(api).json()['id']}"
    api.patch(hook, {"receiver": NEW["receiver"], "events": ["bot.paused"]}, format="json")
    assert Notice.objects.count() == 1
    api.patch(hook, {"receiver": "https://example.com/"}, format="json")

    first, second = Notice.objects.filter(user=ada).order_by("pk")
    assert "has a new webhook" in first.text
    assert "to https://example.org/drapeau. " in first.text
    assert "has a new URL and sends to https://example.com/" in second.text
    assert first.url == second.url == Webhook.objects.get().get_absolute_url()
