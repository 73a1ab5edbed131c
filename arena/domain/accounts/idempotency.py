"""Requests to write that are done once, however often they are sent.

A caller names a request by a key. The first request with a key claims it, does its work, and stores
its answer in the transaction of that work, so that there is never the one without the other. A
process that dies leaves a claim behind and nothing else; the claim may be taken over after a
minute. If the first turns out to be only slow, it finds its claim gone and takes its work back.
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


class KeyReused(Refused):
    """The key has named another request."""

    def __init__(self) -> None:
        super().__init__(
            "idempotency_key_reused",
            _(
                "This Idempotency-Key was used for another request. Every request needs its own"
                " key."
            ),
        )


class StillAtWork(Refused):
    """The first request with this key has no answer yet."""

    def __init__(self) -> None:
        super().__init__(
            "idempotency_key_at_work",
            _("The first request with this Idempotency-Key is still in progress."),
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do the work of a key; known by the instant at which it was claimed."""

    pk: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """What the first request with a key was answered; `body` is as it was sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def claim(*, user: User, key: str, digest: str) -> Claim | Answer:
    """Take the key, or give the answer that its first request got.

    `digest` tells requests apart. Raise KeyReused and StillAtWork.
    """
    now = timezone.now()
    rows = IdempotencyKey.objects.filter(user=user, key=key)
    rows.filter(created_at__lte=now - KEPT).delete()
    try:
        with transaction.atomic():
            made = IdempotencyKey.objects.create(user=user, key=key, digest=digest)
        return Claim(made.pk, made.created_at)
    except IntegrityError:
        pass
    row = rows.first()
    if row is None:  # given free between the two statements
        raise StillAtWork
    if row.digest != digest:
        raise KeyReused
    if row.status != AT_WORK:
        return Answer(row.status, row.headers, bytes(row.body))
    return _take_over(row, now)


def keep(*, claim: Claim, answer: Answer) -> None:
    """Store the answer, in the transaction of the work. Raise StillAtWork without the claim."""
    stored = _held(claim).update(
        status=answer.status, headers=dict(answer.headers), body=answer.body
    )
    if not stored:
        raise StillAtWork


def free(*, claim: Claim) -> None:
    """Forget the key: nothing was done under it, so the same request may be tried again."""
    _held(claim).delete()


def sweep() -> int:
    """Forget the keys that are too old to be asked for; return how many."""
    deleted, _rows = IdempotencyKey.objects.filter(created_at__lte=timezone.now() - KEPT).delete()
    return deleted


def _held(claim: Claim) -> QuerySet[IdempotencyKey]:
    return IdempotencyKey.objects.filter(pk=claim.pk, status=AT_WORK, created_at=claim.at)


def _take_over(row: IdempotencyKey, now: datetime) -> Claim:
    """Claim the key of a request that died at work. Raise StillAtWork while it may be alive."""
    if row.created_at > now - CLAIMED or not _held(Claim(row.pk, row.created_at)).update(
        created_at=now
    ):
        raise StillAtWork
    return Claim(row.pk, now)
