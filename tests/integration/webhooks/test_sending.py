"""Deliveries are signed, tried again for a day, and never slow down those of others."""

import base64
import hashlib
import hmac
import json
import logging
from datetime import timedelta
from types import SimpleNamespace

import pytest

from arena.api.webhooks import payloads
from arena.domain.errors import Refused
from arena.domain.webhooks import outbox, receivers, sending, webhooks
from arena.models import DeliveryStatus, Notice, Webhook, WebhookDelivery
from arena.tasks import prune
from tests.factories import make_bot, make_ready, make_user
from tests.integration.webhooks.receiver import receiver

pytestmark = pytest.mark.django_db

DAY_S = 24 * 3600


def expected_signature(secret, request):
    """Return the signature as a receiver computes it, by the words of the specification."""
    content = ".".join(
        [request.headers["webhook-id"], request.headers["webhook-timestamp"], request.body]
    )
    key = base64.b64decode(secret.split("_", 1)[1])
    digest = hmac.digest(key, content.encode(), hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode()


def delivery():
    return WebhookDelivery.objects.get()


def test_a_test_arrives_with_its_headers_and_signature(clock, ada, listener):
    hook, secret = webhooks.create(
        user=ada, receiver=listener.url, events=["match.finished"], site="https://arena.example"
    )
    row = webhooks.test(webhook=hook)

    assert sending.deliver() == 1

    (request,) = listener.requests
    assert request.path == "/hook?a=1"
    said = json.loads(request.body)
    assert said == {
        "version": 1,
        "id": row.public_id,
        "event": "ping",
        "created_at": "2026-03-01T12:00:00Z",
        "url": f"https://arena.example/account/webhooks/{hook.public_id}/",
        "api_url": f"https://arena.example/api/v1/webhooks/{hook.public_id}",
        "data": {
            "id": hook.public_id,
            "receiver": listener.url,
            "events": ["match.finished"],
            "is_on": True,
            "created_at": "2026-03-01T12:00:00Z",
            "failing_since": None,
            "url": f"https://arena.example/account/webhooks/{hook.public_id}/",
        },
    }
    assert secret not in request.body
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-drapeau-event"] == "ping"
    assert request.headers["x-drapeau-delivery"] == row.public_id
    assert request.headers["webhook-id"] == row.public_id
    assert request.headers["webhook-timestamp"] == str(int(clock.now.timestamp()))
    assert secret.startswith("whsec_")
    assert request.headers["webhook-signature"] == expected_signature(secret, request)
    row.refresh_from_db()
    assert (row.status, row.attempt, row.http_status) == (DeliveryStatus.DELIVERED, 1, 200)
    assert (row.answer, row.problem, row.body) == ("well", "", request.body)
    assert row.duration_ms is not None


def test_both_secrets_sign_for_day_after_rotation(clock, ada, hooked, listener):
    hook = hooked(ada)
    old = hook.secret
    new = webhooks.rotate(webhook=hook)
    assert new != old
    for wait_s in (0, DAY_S + 1):
        clock.move(wait_s)
        webhooks.test(webhook=hook)
        sending.deliver()

    first, second = listener.requests
    both = f"{expected_signature(new, first)} {expected_signature(old, first)}"
    assert first.headers["webhook-signature"] == both
    assert second.headers["webhook-signature"] == expected_signature(new, second)


def test_delivery_retried_for_a_day_with_same_body(clock, ada, hooked, listener):
    listener.status = 503
    webhooks.test(webhook=hooked(ada))
    began, times = clock.now, []
    while delivery().status == DeliveryStatus.WAITING:
        sending.deliver()
        assert sending.deliver() == 0
        times.append((clock.now - began) / timedelta(minutes=1))
        clock.now = max(clock.now, delivery().not_before)

    assert times == [0, 1, 6, 21, 81, 261, 621, 1341]
    assert delivery().status == DeliveryStatus.FAILED
    assert (delivery().attempt, delivery().http_status) == (8, 503)
    assert len({request.body for request in listener.requests}) == 1
    assert len({request.headers["webhook-id"] for request in listener.requests}) == 1
    assert len({request.headers["webhook-timestamp"] for request in listener.requests}) == 8
    clock.move(DAY_S)
    assert sending.deliver() == 0


def test_delivery_older_than_day_gets_no_second_attempt(clock, ada, hooked, listener):
    listener.status = 500
    webhooks.test(webhook=hooked(ada))
    clock.move(DAY_S)

    sending.deliver()

    assert (delivery().status, delivery().attempt) == (DeliveryStatus.FAILED, 1)


def test_webhook_failing_three_days_is_switched_off(clock, ada, hooked, listener):
    listener.status = 500
    hook = hooked(ada)
    for wait_s in (0, DAY_S, DAY_S, DAY_S - 1):
        clock.move(wait_s)
        webhooks.test(webhook=hook)
        sending.deliver()
    Notice.objects.get(user=ada).delete()  # says that the webhook is new
    webhooks.test(webhook=hook)
    clock.move(2)
    sending.deliver()

    hook.refresh_from_db()
    assert not hook.is_on
    notice = Notice.objects.get(user=ada)
    assert hook.public_id in notice.text
    assert "1 Mar 2026, 12:00 UTC" in notice.text
    assert notice.url == hook.get_absolute_url()
    assert not WebhookDelivery.objects.filter(status=DeliveryStatus.WAITING).exists()
    with pytest.raises(Refused, match="off"):
        webhooks.test(webhook=hook)

    listener.status = 200
    webhooks.switch_on(webhook=hook)
    webhooks.test(webhook=hook)
    assert sending.deliver() == 1


def test_one_success_ends_the_days_of_failing(clock, ada, hooked, listener):
    hook = hooked(ada)
    for status in (500, 200, 500):
        listener.status = status
        webhooks.test(webhook=hook)
        sending.deliver()
        clock.move(2 * DAY_S)

    hook.refresh_from_db()
    assert hook.is_on
    assert hook.failing_since == clock.after(-2 * DAY_S)


@pytest.mark.parametrize(
    ("options", "problem", "status"),
    [
        ({"reply": b"220 mail.example ESMTP\r\n"}, "answer", None),
        ({"reply": b"HTTP/1.1 204 No Content\r\n\r\n"}, "", 204),
        ({"status": 301, "headers": {"Location": "/elsewhere"}}, "", 301),
        ({"status": 404}, "", 404),
    ],
)
def test_what_comes_of_an_attempt_is_kept(settings, ada, hooked, options, problem, status):
    with receiver(settings, **options) as server:
        webhooks.test(webhook=hooked(ada, url=server.url))
        sending.deliver()

    assert (delivery().problem, delivery().http_status) == (problem, status)
    assert (delivery().status == DeliveryStatus.DELIVERED) == (status == 204)
    assert len(server.requests) == 1, "a redirect was followed"


@pytest.mark.slow
@pytest.mark.usefixtures("impatience")
@pytest.mark.parametrize("hangs", ["silent", "dribbles"])
def test_endless_receiver_is_given_up(settings, ada, hooked, hangs):
    with receiver(settings, hangs=hangs) as server:
        webhooks.test(webhook=hooked(ada, url=server.url))
        sending.deliver()

    assert (delivery().problem, delivery().http_status) == ("timeout", None)
    assert delivery().status != DeliveryStatus.DELIVERED
    assert len(server.requests) == 1


def test_of_an_answer_the_beginning_is_kept(settings, ada, hooked):
    with receiver(settings, answer=b"\0\xff" + b"x" * 100_000) as server:
        webhooks.test(webhook=hooked(ada, url=server.url))
        sending.deliver()

    assert len(delivery().answer) == receivers.ANSWER_MAX_BYTES
    assert delivery().answer.startswith("\N{REPLACEMENT CHARACTER}" * 2 + "xxx")


@pytest.mark.slow
@pytest.mark.usefixtures("impatience")
def test_a_slow_receiver_delays_its_own_deliveries_only(
    settings, ada, hooked, listener, monkeypatch
):
    monkeypatch.setattr(sending, "RUN_S", 600.0)  # until nothing is due
    with receiver(settings, hangs="silent") as slow:
        slow_hook = hooked(ada, url=slow.url)
        for _ in range(6):
            webhooks.test(webhook=slow_hook)
        quick = hooked(make_user("bob"))
        for _ in range(9):
            webhooks.test(webhook=quick)
        sending.deliver()

    assert len(listener.requests) == 9
    assert slow.most_at_once == 1
    assert listener.most_at_once == 1
    assert slow_hook.deliveries.filter(attempt__gt=0).count() == len(slow.requests)


def test_rest_waits_a_minute_after_failed_connection(clock, ada, hooked, listener):
    version = make_ready(make_bot(ada))
    hook = hooked(ada, url=listener.url.replace(str(listener.server_port), "9"))
    for key in ("a", "b", "c"):
        WebhookDelivery.objects.create(
            webhook=hook,
            event="bot.paused",
            subject=str(version.pk),
            key=key,
            not_before=clock.now,
        )
    ping = webhooks.test(webhook=hook)
    assert sending.deliver() == 1

    rows = WebhookDelivery.objects.order_by("pk")
    assert [row.not_before for row in rows] == [clock.after(60)] * 4
    assert [row.attempt for row in rows] == [0, 0, 0, 1]
    assert rows.last() == ping, "its owner looks on"
    clock.move(5)
    webhooks.test(webhook=hook)
    assert sending.deliver() == 1, "a new test does not wait"


def test_run_out_of_time_prepares_nothing_more(ada, hooked, listener, monkeypatch):
    for user in (ada, make_user("bob")):
        hook = hooked(user)
        for _ in range(2):
            webhooks.test(webhook=hook)
    prepared, whole, now_s = [], payloads.payload, 0.0
    monkeypatch.setattr(sending, "time", SimpleNamespace(monotonic=lambda: now_s))

    def slow(**given):
        nonlocal now_s
        prepared.append(given["delivery"])
        now_s += sending.RUN_S
        return whole(**given)

    monkeypatch.setattr(payloads, "payload", slow)

    assert [sending.deliver() for _ in range(5)] == [1, 1, 1, 1, 0]
    assert len(prepared) == len(listener.requests) == 4


def test_worker_holding_webhook_keeps_others_off(ada, hooked, listener, clock):
    hook = hooked(ada)
    webhooks.test(webhook=hook)
    Webhook.objects.update(held_until=clock.after(60))
    assert sending.deliver() == 0

    clock.move(61)  # that worker has died
    assert sending.deliver() == 1


def test_defect_in_one_payload_delays_no_other(
    ada, hooked, listener, settings, caplog, monkeypatch
):
    broken = webhooks.test(webhook=hooked(ada))
    monkeypatch.setattr(
        sending, "_body", lambda row, _found: 1 / 0 if row.pk == broken.pk else "{}"
    )
    webhooks.test(webhook=hooked(make_user("bob")))

    with caplog.at_level(logging.ERROR):
        sending.deliver()

    assert len(listener.requests) == 1
    broken.refresh_from_db()
    assert broken.status == DeliveryStatus.FAILED
    assert [record.message for record in caplog.records] == ["webhook_payload_failed"]


def test_logs_have_no_address_and_no_answer(ada, hooked, listener, caplog):
    listener.status, listener.answer = 500, b"a private word"
    webhooks.test(webhook=hooked(ada))
    with caplog.at_level(logging.DEBUG):
        sending.deliver()

    (record,) = [each for each in caplog.records if each.message == "webhook_not_delivered"]
    assert (record.delivery, record.attempt) == (delivery().public_id, 1)
    assert (record.http_status, record.why) == (500, "")
    said = " ".join(str(vars(each)) for each in caplog.records)
    assert "private" not in said
    assert listener.url not in said


def test_large_body_leaves_data_to_api(ada, hooked, listener, monkeypatch):
    monkeypatch.setattr(sending, "BODY_MAX_BYTES", 300)
    webhooks.test(webhook=hooked(ada))
    sending.deliver()

    said = json.loads(listener.requests[0].body)
    assert said["data"] is None
    assert said["api_url"].startswith("https://arena.example/api/v1/webhooks/")


def test_delivery_sent_again_with_same_id_and_body(clock, ada, hooked, listener):
    row = webhooks.test(webhook=hooked(ada))
    sending.deliver()
    clock.move(5)
    webhooks.send_again(delivery=delivery())
    sending.deliver()

    first, second = listener.requests
    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == row.public_id
    assert first.headers["webhook-signature"] != second.headers["webhook-signature"]


def test_old_deliveries_are_deleted_in_bounded_numbers(clock, ada, hooked, monkeypatch):
    hook = hooked(ada)
    for _ in range(3):
        webhooks.test(webhook=hook)
    sending.deliver()
    clock.move(outbox.KEPT.total_seconds() - 1)
    waiting = webhooks.test(webhook=hook)
    assert outbox.prune() == 0

    clock.move(2)
    monkeypatch.setattr(outbox, "BATCH", 2)
    assert (outbox.prune(), outbox.prune(), outbox.prune()) == (2, 1, 0)
    assert delivery() == waiting
    prune()
