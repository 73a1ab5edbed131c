"""The pages of webhooks: only their owner sees them, and a secret is shown once."""

import pytest

from arena.domain.webhooks import webhooks
from arena.models import DeliveryStatus, Webhook, WebhookDelivery
from tests.factories import make_user

pytestmark = pytest.mark.django_db

EVENTS = ["match.finished", "bot.paused"]
URL = "https://example.org/drapeau"


@pytest.fixture
def page(client, ada):
    client.force_login(ada)
    return client


def add(page, receiver=URL, events=EVENTS):
    return page.post("/account/webhooks/", {"receiver": receiver, "events": events})


def address(hook, rest=""):
    return f"/account/webhooks/{hook.public_id}/{rest}"


def test_webhook_is_added_and_secret_shown_once(page, ada):
    shown = add(page).content.decode()

    hook = Webhook.objects.get(user=ada)
    assert (hook.receiver, hook.events, hook.is_on) == (URL, EVENTS, True)
    assert hook.site == "http://testserver"
    assert hook.secret in shown
    for later in ("/account/webhooks/", address(hook)):
        found = page.get(later).content.decode()
        assert URL in found
        assert hook.secret not in found


def test_webhook_is_changed_switched_and_deleted(page, ada):
    add(page)
    hook = Webhook.objects.get()
    new = {"receiver": f"{URL}/2", "events": ["version.checked"]}
    assert page.post(address(hook), new).status_code == 302
    hook.refresh_from_db()
    assert (hook.receiver, hook.events) == (f"{URL}/2", ["version.checked"])

    for is_on in (False, True):
        page.post(address(hook, "switch/"))
        hook.refresh_from_db()
        assert hook.is_on == is_on

    assert page.post(address(hook, "delete/")).status_code == 302
    assert not Webhook.objects.exists()


def test_new_secret_is_shown_in_one_answer_only(page):
    add(page)
    old = Webhook.objects.get().secret
    shown = page.post(address(Webhook.objects.get(), "rotate/"))

    hook = Webhook.objects.get()
    assert hook.secret != old
    assert hook.secret in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]
    assert hook.secret not in page.get(address(hook)).content.decode()


def test_log_has_last_fifty_in_few_queries(page, hooked, ada, django_assert_max_num_queries):
    hook = hooked(ada)
    for _ in range(52):
        webhooks.test(webhook=hook)
    WebhookDelivery.objects.update(status=DeliveryStatus.DELIVERED, body="{}")
    with django_assert_max_num_queries(6):
        shown = page.get(address(hook)).content.decode()

    assert shown.count("/again/") == 50


def test_a_delivery_of_another_webhook_is_not_found(page, hooked, ada):
    first, second = hooked(ada), hooked(make_user("bob"))
    row = webhooks.test(webhook=second)

    again = address(first, f"deliveries/{row.public_id}/again/")
    assert page.post(again).status_code == 404
