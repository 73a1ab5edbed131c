"""Send the deliveries that are due.

One worker at a time has a webhook, and sends to it one after the other. It sends to many webhooks
at the same time, in threads without a database. So a slow receiver delays its own deliveries only.
If a worker ends in between, its deliveries are sent again, with the same id.
"""

import base64
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Min, Q
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_noop

from arena import release
from arena.domain.accounts import notices
from arena.domain.errors import DATABASE_IS_DOWN
from arena.domain.webhooks import receivers, webhooks
from arena.domain.webhooks.receivers import Attempt
from arena.models import (
    DeliveryProblem,
    DeliveryStatus,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)
from arena.texts.times import in_utc

logger = logging.getLogger(__name__)

FORMAT_VERSION = 1  # of the body
BODY_MAX_BYTES = 64 * 1024
# After each attempt that failed, until the next one: 22 hours and 21 minutes in all.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
RETRIED_FOR = timedelta(hours=24)
OFF_AFTER = timedelta(days=3)  # without a delivery that succeeded
AT_ONCE = 16  # webhooks
PER_TURN = 10  # deliveries of a webhook, before others have their turn
RUN_S = 5.0  # later in a run, nothing more is claimed or prepared
# Longer than a run, with the body that is made when its time ends, the last answers (TIMEOUT_S),
# and what is stored.
HELD = timedelta(minutes=1)
# What a run has made of a tournament, by its key and the number of rounds that are seen.
Documents = dict[tuple[int, int], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Message:
    """A delivery that is ready to be sent."""

    row: WebhookDelivery
    body: str


@dataclass(slots=True)
class Batch:
    """What is sent to a webhook in one turn. A thread adds to `attempts`, in the same order."""

    webhook: Webhook
    messages: list[Message]
    claimed_at: datetime
    attempts: list[Attempt] = field(default_factory=list)


def deliver() -> int:
    """Send the deliveries that are due, for a few seconds. Return how many attempts there were."""
    stop_at_s = time.monotonic() + RUN_S
    attempts, documents = 0, Documents()
    while time.monotonic() < stop_at_s and (batches := _claimed(stop_at_s, documents)):
        # All batches are sent at the same time. A thread that still waits for the name of a
        # receiver when the time of a run is over is left behind.
        pool = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="webhook")
        sent = [pool.submit(_send_one_by_one, batch, stop_at_s) for batch in batches]
        left_s = max(0.0, stop_at_s - time.monotonic()) + receivers.TIMEOUT_S + 1
        _done, late = wait(sent, timeout=left_s)
        pool.shutdown(wait=False, cancel_futures=True)
        for batch, future in zip(batches, sent, strict=True):
            batch.attempts = list(batch.attempts)  # what the thread adds later does not count
            if future in late:
                problem = str(DeliveryProblem.TIMEOUT)
                batch.attempts.append(Attempt(None, round(left_s * 1000), problem))
        for batch in batches:
            _store(batch)
            attempts += len(batch.attempts)
    return attempts


def signed(
    *, secrets: Sequence[str], delivery_id: str, body: str, timestamp_s: int
) -> dict[str, str]:
    """Return the headers that sign a delivery, by the rules of Standard Webhooks 1.0.

    https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    """
    content = f"{delivery_id}.{timestamp_s}.{body}".encode()
    signatures = [
        base64.b64encode(
            hmac.new(
                base64.b64decode(secret.removeprefix(webhooks.SECRET_PREFIX)),
                content,
                hashlib.sha256,
            ).digest()
        ).decode()
        for secret in secrets
    ]
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": str(timestamp_s),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }


def _claimed(stop_at_s: float, documents: Documents) -> list[Batch]:
    """Claim webhooks with deliveries that are due, the longest due first, and prepare those.

    When the time is over, what is claimed already is all. That is one delivery at least.
    """
    now = timezone.now()
    due = WebhookDelivery.objects.filter(status=DeliveryStatus.WAITING, not_before__lte=now)
    free = Webhook.objects.on().filter(held_until__lte=now)
    waiting = due.filter(webhook__in=free).order_by().values("webhook")
    longest = waiting.annotate(first=Min("not_before")).order_by("first", "webhook")
    batches: list[Batch] = []
    for pk in list(longest.values_list("webhook", flat=True)[:AT_ONCE]):
        if batches and time.monotonic() >= stop_at_s:
            break
        if not free.filter(pk=pk).update(held_until=now + HELD):
            continue  # another worker has just claimed it
        hook = Webhook.objects.select_related("user").filter(pk=pk).first()
        if hook is None:
            continue  # its owner has just deleted it
        rows = due.filter(webhook=hook).annotate(is_ping=Q(event=WebhookEvent.PING))
        first = rows.order_by("-is_ping", "not_before", "pk")[:PER_TURN]  # its owner looks on
        messages = _prepared(hook, list(first), stop_at_s, documents)
        batches.append(Batch(hook, messages, claimed_at=now))
    return batches


def _prepared(
    hook: Webhook, rows: Sequence[WebhookDelivery], stop_at_s: float, documents: Documents
) -> list[Message]:
    """Return the deliveries that may be sent, with their bodies, until the time is over.

    A delivery whose subject is not shown to its user at this moment is withheld for good.
    """
    payload: Callable[..., Mapping[str, Any] | None] = import_string(settings.WEBHOOK_PAYLOAD)
    messages = []
    for row in rows:
        if row != rows[0] and time.monotonic() >= stop_at_s:
            break
        row.webhook = hook
        try:
            document = payload(delivery=row, documents=documents)
            body = row.body or (_body(row, document) if document else "")
        except DATABASE_IS_DOWN:
            raise
        except Exception:  # one defect must not keep all others waiting
            logger.exception("webhook_payload_failed", extra={"delivery": row.public_id})
            WebhookDelivery.objects.filter(pk=row.pk).update(status=DeliveryStatus.FAILED)
            continue
        if document is None:
            WebhookDelivery.objects.filter(pk=row.pk).update(status=DeliveryStatus.WITHHELD)
        else:
            messages.append(Message(row, body))
    return messages


def _body(row: WebhookDelivery, document: Mapping[str, Any]) -> str:
    """Return the body of a delivery. Data that would be too much is left to the API."""
    envelope = {
        "version": FORMAT_VERSION,
        "id": row.public_id,
        "event": row.event,
        "created_at": row.created_at.isoformat().replace("+00:00", "Z"),
    }
    body = json.dumps({**envelope, **document})
    if len(body) > BODY_MAX_BYTES:
        body = json.dumps({**envelope, **document, "data": None})
    return body


def _send_one_by_one(batch: Batch, stop_at_s: float) -> None:
    """Send a batch until a connection fails, because then the next one would fail too."""
    hook = batch.webhook
    attempts = batch.attempts
    secrets = [hook.secret]
    if hook.old_secret_until and hook.old_secret_until > timezone.now():
        secrets.append(hook.old_secret)
    for message in batch.messages:
        row = message.row
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Drapeau/{release.version()}",
            "X-Drapeau-Event": row.event,
            "X-Drapeau-Delivery": row.public_id,
            **signed(
                secrets=secrets,
                delivery_id=row.public_id,
                body=message.body,
                timestamp_s=int(timezone.now().timestamp()),
            ),
        }
        attempts.append(
            receivers.post(url=hook.receiver, body=message.body.encode(), headers=headers)
        )
        if attempts[-1].problem or time.monotonic() >= stop_at_s:
            return


@transaction.atomic
def _store(batch: Batch) -> None:
    """Store what came of the attempts, and let the webhook go."""
    now = timezone.now()
    hook = Webhook.objects.select_for_update(no_key=True).filter(pk=batch.webhook.pk).first()
    if hook is None:
        return  # its owner has deleted it meanwhile
    for message, attempt in zip(batch.messages, batch.attempts, strict=False):
        _store_attempt(message, attempt)
        if attempt.succeeded:
            hook.failing_since = None
        elif hook.failing_since is None:
            hook.failing_since = now
    if batch.attempts and batch.attempts[-1].problem:
        waiting = hook.deliveries.filter(status=DeliveryStatus.WAITING)
        waiting.filter(not_before__lte=batch.claimed_at).update(not_before=now + PAUSES[0])
    hook.held_until = now
    hook.save(update_fields=["failing_since", "held_until"])
    if hook.is_on and hook.failing_since and hook.failing_since <= now - OFF_AFTER:
        since = hook.failing_since
        webhooks.switch_off(webhook=hook)
        text = gettext_noop(
            "Your webhook %(id)s is off now, because no delivery to %(receiver)s has succeeded"
            " since %(since)s. Its page shows what the receiver answered. Switch it on again there."
        )
        names = {
            "id": hook.public_id,
            "receiver": hook.receiver,
            "since": in_utc(since),
        }
        notices.tell(user=hook.user, text=text % names, url=hook.get_absolute_url())
        logger.warning("webhook_switched_off", extra={"webhook": hook.public_id})


def _store_attempt(message: Message, attempt: Attempt) -> None:
    row, now = message.row, timezone.now()
    count = row.attempt + 1
    is_last = count > len(PAUSES) or now >= row.created_at + RETRIED_FOR
    status = DeliveryStatus.WAITING
    if attempt.succeeded:
        status = DeliveryStatus.DELIVERED
    elif is_last:
        status = DeliveryStatus.FAILED
    WebhookDelivery.objects.filter(pk=row.pk, status=DeliveryStatus.WAITING).update(
        status=status,
        attempt=count,
        not_before=now if is_last else now + PAUSES[row.attempt],
        body=message.body,
        sent_at=now,
        duration_ms=attempt.duration_ms,
        http_status=attempt.http_status,
        problem=attempt.problem,
        answer=attempt.answer,
    )
    if not attempt.succeeded:
        logger.info(
            "webhook_not_delivered",
            extra={
                "delivery": row.public_id,
                "attempt": count,
                "http_status": attempt.http_status,
                "why": attempt.problem,
            },
        )
