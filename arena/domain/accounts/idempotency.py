"""Idempotency keys: a write request that is sent twice is executed once.

A caller names a request by a key. The first request with a key claims the key, does its work, and
stores its response in the same transaction. If the process dies, only the claim remains, and
another request may take it over after a minute. A first request that was only slow then finds that
its claim is gone, and rolls its work back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.models import IdempotencyKey, User

KEPT = timedelta(hours=24)
CLAIMED = timedelta(minutes=1)
AT_WORK = 0


class StillAtWork(Refused):
    """The first request with this key has no response yet."""

    def __init__(self) -> None:
        super().__init__(
            "idempotency_key_at_work",
            _("The first request with this Idempotency-Key is still being processed."),
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do the work of a key. The time of the claim identifies it."""

    pk: int
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The response to the first request with a key, with the exact bytes of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def claim(*, user: User, key: str, digest: str) -> Claim | StoredResponse:
    """Claim the key, or return the response to its first request.

    `digest` identifies the request. Raise StillAtWork, or Refused if the key was used for another.
    """
    now = timezone.now()
    rows = IdempotencyKey.objects.filter(user=user, key=key)
    rows.filter(created_at__lte=now - KEPT).delete()
    try:
        with transaction.atomic():
            new = IdempotencyKey.objects.create(user=user, key=key, digest=digest)
        return Claim(new.pk, new.created_at)
    except IntegrityError:
        pass
    row = rows.first()
    if row is None:  # released between the two statements
        raise StillAtWork
    if row.digest != digest:
        raise Refused(
            "idempotency_key_reused",
            _("This Idempotency-Key was used for another request. Use a new key for each request."),
        )
    if row.status != AT_WORK:
        return StoredResponse(row.status, row.headers, bytes(row.body))
    is_abandoned = row.created_at <= now - CLAIMED
    if not (is_abandoned and _held(Claim(row.pk, row.created_at)).update(created_at=now)):
        raise StillAtWork
    return Claim(row.pk, now)


def keep(*, claim: Claim, answer: StoredResponse) -> None:
    """Store the response in the transaction of the work. Raise StillAtWork if the claim is lost."""
    stored = _held(claim).update(
        status=answer.status, headers=dict(answer.headers), body=answer.body
    )
    if not stored:
        raise StillAtWork


def free(*, claim: Claim) -> None:
    """Release a key without a response, so that the same request can be tried again."""
    _held(claim).delete()


def purge() -> int:
    """Delete expired keys. Return how many."""
    deleted, _rows = IdempotencyKey.objects.filter(created_at__lte=timezone.now() - KEPT).delete()
    return deleted


def _held(claim: Claim) -> QuerySet[IdempotencyKey]:
    return IdempotencyKey.objects.filter(pk=claim.pk, status=AT_WORK, created_at=claim.at)
