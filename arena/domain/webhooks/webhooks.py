"""The webhooks of a user: add, change, switch on and off, test, and send a delivery again."""

import base64
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena import jobs
from arena.domain.accounts import notices
from arena.domain.errors import InvalidInput, Refused
from arena.domain.webhooks import outbox, receivers
from arena.models import (
    DeliveryProblem,
    DeliveryStatus,
    User,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)
from arena.texts import lists

MAX_PER_USER = 5
SECRET_PREFIX = "whsec_"  # noqa: S105 - what every secret begins with
SECRET_BYTES = 32
OLD_SECRET_FOR = timedelta(hours=24)
EVENTS = [event for event in WebhookEvent if event != WebhookEvent.PING]


def of(*, user: User) -> QuerySet[Webhook]:
    """Return a user's webhooks, in the order in which they were added."""
    return Webhook.objects.filter(user=user).order_by("pk")


def create(*, user: User, receiver: str, events: Iterable[str], site: str) -> tuple[Webhook, str]:
    """Add a webhook that is on, and tell its owner. Return it and its secret, shown only this time.

    `site` is the address of the site without a slash at the end, for links in deliveries. Raise
    Refused, or InvalidInput with the errors of each field.
    """
    values = {
        "receiver": receivers.require_url(receiver),
        "events": _require_events(events),
    }
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if of(user=user).count() >= MAX_PER_USER:
            text = _("You may have %(most)d webhooks. Delete one first.") % {"most": MAX_PER_USER}
            raise Refused("too_many_webhooks", text)
        secret, now = _new_secret(), timezone.now()
        hook = Webhook.objects.create(
            user=user,
            **values,
            secret=secret,
            site=site,
            enabled_at=now,
            followed_to=now,
            held_until=now,
        )
        text = gettext_noop(
            "Your account has a new webhook, %(id)s. It sends news about your bots and tournaments"
            " to %(receiver)s. Delete it on its page if you have not added it."
        )
        _tell(hook, text)
    return hook, secret


@transaction.atomic
def change(
    *, webhook: Webhook, receiver: str | None = None, events: Iterable[str] | None = None
) -> Webhook:
    """Change the URL or the events of a webhook; None leaves them. Raise InvalidInput.

    Its owner is told of a new URL.
    """
    old_receiver, old_events, changed = webhook.receiver, webhook.events, ["receiver", "events"]
    if receiver is not None:
        webhook.receiver = receivers.require_url(receiver)
    if events is not None:
        webhook.events = _require_events(events)
    if outbox.OF_RUNNERS & ({*webhook.events} - {*old_events}):
        webhook.followed_to = timezone.now()  # without such events it was not kept
        changed.append("followed_to")
    webhook.save(update_fields=changed)
    if webhook.receiver != old_receiver:
        text = gettext_noop(
            "Your webhook %(id)s has a new URL and sends to %(receiver)s from now on. Delete it on"
            " its page if you have not changed it."
        )
        _tell(webhook, text)
    return webhook


def switch_on(*, webhook: Webhook) -> Webhook:
    """Send the events from now on. One that is on stays as it is."""
    if not webhook.is_on:
        now = timezone.now()
        webhook.enabled_at, webhook.followed_to, webhook.failing_since = now, now, None
        webhook.save(update_fields=["enabled_at", "followed_to", "failing_since"])
    return webhook


@transaction.atomic
def switch_off(*, webhook: Webhook) -> Webhook:
    """Send nothing more, neither what waits nor what happens until it is switched on."""
    webhook.enabled_at = None
    webhook.save(update_fields=["enabled_at"])
    webhook.deliveries.filter(status=DeliveryStatus.WAITING).update(
        status=DeliveryStatus.FAILED, problem=DeliveryProblem.SWITCHED_OFF
    )
    return webhook


def rotate(*, webhook: Webhook) -> str:
    """Rotate the secret of a webhook. Return the new one. The old one signs too for a day."""
    webhook.old_secret, webhook.old_secret_until = webhook.secret, timezone.now() + OLD_SECRET_FOR
    webhook.secret = _new_secret()
    webhook.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return webhook.secret


def test(*, webhook: Webhook) -> WebhookDelivery:
    """Send a ping to a webhook, and return its delivery. Raise Refused if it is off."""
    _require_on(webhook)
    with transaction.atomic():
        now = timezone.now()
        row = WebhookDelivery(webhook=webhook, event=WebhookEvent.PING, not_before=now)
        row.key = f"{row.event}:{row.public_id}"
        row.save()
        jobs.enqueue(jobs.SEND_WEBHOOKS, row.pk)
    return row


def send_again(*, delivery: WebhookDelivery) -> WebhookDelivery:
    """Send a delivery now, with the same id and body. Raise Refused if the webhook is off.

    One that waits is sent at once.
    """
    _require_on(delivery.webhook)
    with transaction.atomic():
        delivery.status, delivery.attempt = DeliveryStatus.WAITING, 0
        delivery.not_before = timezone.now()
        delivery.save(update_fields=["status", "attempt", "not_before"])
        jobs.enqueue(jobs.SEND_WEBHOOKS, delivery.pk)
    return delivery


def _tell(webhook: Webhook, text: str) -> None:
    names = {"id": webhook.public_id, "receiver": webhook.receiver}
    notices.tell(user=webhook.user, text=text % names, url=webhook.get_absolute_url())


def _require_on(webhook: Webhook) -> None:
    if not webhook.is_on:
        raise Refused("webhook_off", _("This webhook is off. Switch it on first."))


def _require_events(events: Iterable[str]) -> list[str]:
    """Return events in their order, each once. Raise InvalidInput for none and for unknown ones."""
    given = set(events)
    known = [str(event) for event in EVENTS]
    if unknown := sorted(given - set(known)):
        text = _("There is no event “%(event)s”. The events are: %(known)s.")
        names = {"event": unknown[0], "known": lists.all_of(known)}
        raise InvalidInput({"events": [text % names]})
    if not given:
        raise InvalidInput({"events": [_("Choose at least one event.")]})
    return [event for event in known if event in given]


def _new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
