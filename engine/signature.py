"""Signatures of records: Ed25519 (RFC 8032), by a key that a site publishes.

A seal shows that a record was not damaged; anybody can make one. A signature shows which site
played the game. It covers everything that the seal covers, the id of the key and the instant.

Making and checking one needs the package `cryptography`. Nothing else of the engine does.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import BadRecord, EngineError
from engine.record import Record, Signature, canonical, chain_of
from engine.strict_json import BadJson, read_json

ALGORITHM = "Ed25519"
ID_DIGITS = 16
KEY_DIGITS = 64  # of both halves
SIGNATURE_DIGITS = 128
INSTANT = "%Y-%m-%dT%H:%M:%SZ"  # of an instant in UTC
EXAMPLE = "2026-11-24T12:00:00Z"

_INSTANT = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ", re.ASCII)


class BadKeys(EngineError):
    """A key that is none, or a text that is no list of keys as a site publishes it."""


class CannotCheck(EngineError):
    """What a check of signatures needs is not installed; the text says what."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key as its site publishes it: hexadecimal, and instants in UTC to the second.

    What it signed from `valid_from` to `retired_at` holds for ever. Nothing that it signed holds
    from `revoked_at` on, because somebody else may have the private half and choose the date.
    """

    id: str
    public_key: str
    valid_from: str
    retired_at: str | None = None
    revoked_at: str | None = None


def public_half(private_key: str) -> str:
    """Return the public key of a private one, hexadecimal like it. Raise BadKeys."""
    return str(_private(private_key).public_key().public_bytes_raw().hex())


def key_id(public_key: str) -> str:
    """Return the id of a public key: the first digits of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public_key)).hexdigest()[:ID_DIGITS]


def signed(record: Record, *, private_key: str, signed_at: str) -> Record:
    """Return the record with a signature in place of the one that it had. Raise BadKeys."""
    signature = Signature(key_id(public_half(private_key)), signed_at, "")
    value = _private(private_key).sign(_message(record, signature)).hex()
    return replace(record, signature=replace(signature, value=value))


def check_signature(record: Record, keys: Iterable[PublicKey]) -> PublicKey:
    """Return the key that signed the record. Raise BadRecord if none of the keys vouches for it.

    The signature is checked against what the record says, and not against its seal. Raise
    CannotCheck without the package `cryptography`.
    """
    signature = record.signature
    if signature is None:
        raise BadRecord("the record is not signed")
    key = next((listed for listed in keys if listed.id == signature.key), None)
    if key is None:
        raise BadRecord(
            f"it names the key {signature.key!r:.40}, which is not in the list of keys:"
            " another site signed it, or the list is older than the key"
        )
    if not _INSTANT.fullmatch(signature.signed_at) or not _is_hex(
        signature.value, SIGNATURE_DIGITS
    ):
        raise BadRecord("it is not written as a signature is")
    ed25519, invalid = _library()
    public_key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public_key))
    try:
        public_key.verify(bytes.fromhex(signature.value), _message(record, signature))
    except invalid as problem:
        raise BadRecord(f"the key {key.id} did not sign this record as it is now") from problem
    if key.revoked_at is not None:
        raise BadRecord(
            f"the site revoked the key {key.id} at {key.revoked_at}: somebody else may have signed"
        )
    if signature.signed_at < key.valid_from:
        raise BadRecord(
            f"it is dated {signature.signed_at}, before the key {key.id} began: {key.valid_from}"
        )
    if key.retired_at is not None and signature.signed_at > key.retired_at:
        raise BadRecord(
            f"it is dated {signature.signed_at}, after the key {key.id} retired: {key.retired_at}"
        )
    return key


def read_keys(text: str | bytes) -> tuple[PublicKey, ...]:
    """Read the list of keys that a site publishes. Raise BadKeys.

    A key that stands there twice is refused: only one of the two may say that it was revoked.
    """
    try:
        words = read_json(text)
    except BadJson as problem:
        raise _no_list(str(problem)) from problem
    rows = words.get("results") if isinstance(words, dict) else None
    if not isinstance(rows, list):
        raise _no_list("it has no list 'results'")
    keys = tuple(_key(number, row) for number, row in enumerate(rows, start=1))
    for number, key in enumerate(keys, start=1):
        if any(key.id == earlier.id for earlier in keys[: number - 1]):
            raise _no_list(f"key {number} is {key.id}, which stands there before")
    return keys


def _no_list(why: str) -> BadKeys:
    return BadKeys(f"not a list of keys as a site publishes it: {why}. Get it from the site again")


def _message(record: Record, signature: Signature) -> bytes:
    """Return what is signed. Its first words keep it apart from all else that a key may sign."""
    words = {"chain": chain_of(record), "key": signature.key, "signed_at": signature.signed_at}
    return f"drapeau record\n{canonical(words)}".encode()


def _key(number: int, row: object) -> PublicKey:
    if not isinstance(row, dict):
        raise _no_list(f"key {number} is not a JSON object")
    digits, name = row.get("public_key"), row.get("id")
    if not isinstance(digits, str) or not _is_hex(digits, KEY_DIGITS) or name != key_id(digits):
        raise _no_list(f"key {number} is no public key with its id")
    for part in ("valid_from", "retired_at", "revoked_at"):
        instant = row.get(part)
        is_open = instant is None and part != "valid_from"
        if not is_open and not (isinstance(instant, str) and _INSTANT.fullmatch(instant)):
            raise _no_list(f"{part} of key {number} is no instant in UTC, such as {EXAMPLE}")
    ends = row.get("retired_at"), row.get("revoked_at")
    return PublicKey(key_id(digits), digits, row["valid_from"], *ends)


def _is_hex(text: str, digits: int) -> bool:
    return re.fullmatch(rf"[0-9a-f]{{{digits}}}", text) is not None


def _private(key: str) -> Any:  # noqa: ANN401 - of a package that may be missing
    """Return the private key. Raise BadKeys, which does not repeat it."""
    if not _is_hex(key, KEY_DIGITS):
        raise BadKeys(f"a private key is {KEY_DIGITS} hexadecimal digits in lower case")
    return _library()[0].Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key))


def _library() -> tuple[Any, type[Exception]]:
    """Return the module of Ed25519 and what it raises. Raise CannotCheck."""
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - likewise
    except ImportError as missing:
        raise CannotCheck("the package `cryptography` is not installed") from missing
    return ed25519, InvalidSignature
