"""What can be said of a record: its seal, its signature, and the game played again."""

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.errors import BadRecord, NewerRecord, UnknownVariant
from engine.record import Record, check_game, check_seal
from engine.registry import find
from engine.signature import CannotCheck, PublicKey, check_signature

FALSE, UNCHECKED = 1, 3  # exit statuses


class Verdict(enum.Enum):
    """What a check found."""

    HOLDS = "holds"
    FALSE = "does not hold"
    OPEN = "not checked"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one of the three checks found, and why or of whom."""

    check: str
    verdict: Verdict
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.check}: {self.verdict.value}{self.detail and f': {self.detail}'}"


def examine(record: Record, keys: Sequence[PublicKey] | None) -> tuple[Finding, Finding, Finding]:
    """Check the seal, the signature and the game, each for itself; `keys` are those of the site."""
    return (
        _finding("seal", lambda: check_seal(record)),
        _signature(record, keys),
        _finding("replay", lambda: check_game(record)),
    )


def _finding(name: str, check: Callable[[], object]) -> Finding:
    try:
        check()
    except (NewerRecord, CannotCheck) as problem:
        return Finding(name, Verdict.OPEN, str(problem))
    except BadRecord as problem:
        return Finding(name, Verdict.FALSE, str(problem))
    return Finding(name, Verdict.HOLDS)


def _signature(record: Record, keys: Sequence[PublicKey] | None) -> Finding:
    if record.signature is None:
        return Finding("signature", Verdict.OPEN, "the record has none, so nobody vouches for it")
    if keys is None:
        return Finding("signature", Verdict.OPEN, "give the keys of the site (--site or --keys)")
    found = _finding("signature", lambda: check_signature(record, keys))
    if found.verdict is Verdict.HOLDS:
        signed = f"{record.signature.signed_at}, by the key {record.signature.key}"
        return Finding("signature", Verdict.HOLDS, signed)
    return found


def exit_status(findings: Sequence[Finding]) -> int:
    """Return 0 if all checks hold, FALSE if one does not, else UNCHECKED."""
    verdicts = {finding.verdict for finding in findings}
    if Verdict.FALSE in verdicts:
        return FALSE
    return UNCHECKED if Verdict.OPEN in verdicts else 0


def summary(record: Record) -> str:
    """Return who the record says played what, and how it ended, in printable characters."""
    seats, sides = _order(record)
    result, points = record.result, record.result.points or {}
    names = " against ".join(
        f"{record.players[seat].name} ({seat})" for seat in seats if seat in record.players
    )
    score = ", ".join(f"{side} {points[side]:g}" for side in sides if side in points) or "void"
    actions = len(record.actions)
    told = f"{record.variant}, {names}, {actions} actions, {result.termination}: {score}"
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in told
    )


def _order(record: Record) -> tuple[Iterable[str], Iterable[str]]:
    """Return the seats and the sides of the variant, or as a record of another one has them."""
    try:
        variant = find(record.variant)
    except UnknownVariant:
        return record.players, record.result.points or ()
    return variant.seats, variant.sides
