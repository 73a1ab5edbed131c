"""The keys of the site that sign records.

The private half is in a setting or in a file of the runners. The public half is a row, which the
first signature makes, so that every web process can publish it.
"""

import logging
import secrets
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from arena.data_dir import read_or_make_secret, replace_secret
from arena.domain.errors import Refused
from arena.models import RecordKey
from engine import signature
from engine.record import Record

logger = logging.getLogger(__name__)

OVERLAP = timedelta(minutes=5)  # a runner that has read the old key still signs with it


def private_key() -> str:
    """Return the private half. The first process makes it. Raise OSError, BadKeys."""
    key = settings.RECORD_KEY or read_or_make_secret(settings.RECORD_KEY_FILE, _new_key)
    signature.public_half(key)
    return key


def published() -> QuerySet[RecordKey]:
    """Return the public keys, in the order in which they became valid."""
    return RecordKey.objects.all()


def instant(when: datetime) -> str:
    """Return an instant as records and the published keys have it: UTC, to the second."""
    return when.astimezone(UTC).strftime(signature.INSTANT)


def sign(*, record: Record) -> Record:
    """Return the record with the signature of this site, dated by the database.

    A key that has retired does not sign: the record stays unsigned, and the log says so.
    """
    key = private_key()
    row = _publish(key)
    now = RecordKey.objects.filter(pk=row.pk).values_list(Now(), flat=True).get()
    if row.revoked_at is not None or (row.retired_at is not None and row.retired_at <= now):
        logger.error("record_unsigned", extra={"key": row.key_id, "game": record.game})
        return record
    return signature.signed(record, private_key=key, signed_at=instant(now))


@transaction.atomic
def rotate() -> RecordKey:
    """Make another key and return it. The present one retires after `OVERLAP`. Raise Refused."""
    if settings.RECORD_KEY:
        raise Refused(
            "key_in_setting",
            "The key is in DRAPEAU_RECORD_KEY. Set another one, restart every runner, and then"
            " retire the old one.",
        )
    old = _publish(private_key())
    key = _new_key()
    row = _publish(key)
    retire(key_id=old.key_id)
    replace_secret(settings.RECORD_KEY_FILE, key)
    return row


def retire(*, key_id: str) -> None:
    """Set the end of a key, in `OVERLAP`. What it signed until then holds. Raise Refused."""
    if not _named(key_id).filter(retired_at=None).update(retired_at=Now() + OVERLAP):
        raise Refused("key_retired", f"The key {key_id} has retired already.")


def revoke(*, key_id: str) -> None:
    """Revoke a key that somebody else may have: nothing that it signed holds. Raise Refused."""
    if not _named(key_id).filter(revoked_at=None).update(revoked_at=Now()):
        raise Refused("key_revoked", f"The key {key_id} is revoked already.")


def _named(key_id: str) -> QuerySet[RecordKey]:
    rows = RecordKey.objects.filter(key_id=key_id)
    if not rows:
        raise Refused("no_such_key", f"There is no key {key_id}.")
    return rows


def _new_key() -> str:
    return secrets.token_hex(signature.KEY_DIGITS // 2)


def _publish(key: str) -> RecordKey:
    """Return the row of a private key. The first call makes it."""
    public_key = signature.public_half(key)
    row, _made = RecordKey.objects.get_or_create(
        public_key=public_key, defaults={"key_id": signature.key_id(public_key)}
    )
    return row
