"""What can be said of a record: its seal, its signature, its chance, and the game played again."""

import enum
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from botkit.exit_statuses import FAILED, UNDECIDED
from engine import chance
from engine.chance import Chance
from engine.clock import ClockSpec
from engine.errors import BadRecord, NewerRecord, UnknownVariant
from engine.record import Record, check_game, check_seal, verify
from engine.registry import find
from engine.signature import CannotCheck, PublicKey, check_signature

SITE_GAME = "g_"  # begins the ids of games of sites that commit to secrets


class Verdict(enum.Enum):
    """What a check found."""

    HOLDS = "holds"
    FALSE = "does not hold"
    OPEN = "not checked"
    ABSENT = "not there"  # nothing that could be checked, as in records that were made at home


@dataclass(frozen=True, slots=True)
class Known:
    """What somebody knows who verifies a record; None is what they do not know.

    `keys` are those of the site, and `commitment` is what it published of the match before that
    was played. `tournament_commitment` is what it published of the tournament before that was
    played, and `tournament_secret` at its release.
    """

    keys: Sequence[PublicKey] | None = None
    commitment: str | None = None
    tournament_commitment: str | None = None
    tournament_secret: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What one of the checks found, and why or of whom."""

    check: str
    verdict: Verdict
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.check}: {self.verdict.value}{self.detail and f': {self.detail}'}"


def examine(record: Record, known: Known) -> tuple[Finding, ...]:
    """Check the seal, the signature, the game and its chance, each for itself."""
    return (
        _finding("seal", lambda: check_seal(record)),
        _signature(record, known.keys),
        _finding("replay", lambda: check_game(record)),
        _commitment(record, known.commitment),
        _rng_seed(record),
        *_tournament(record.chance, known),
    )


def not_whole(record: Record) -> str:
    """Return why a record is not that of a whole game, as it was played; "" if it is."""
    try:
        verify(record)
    except NewerRecord as problem:
        return str(problem)
    except BadRecord as problem:
        return f"not a whole record: {problem}"
    return ""


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
    finding = _finding("signature", lambda: check_signature(record, keys))
    if finding.verdict is Verdict.HOLDS:
        signed = f"{record.signature.signed_at}, by the key {record.signature.key}"
        return Finding("signature", Verdict.HOLDS, signed)
    return finding


def _commitment(record: Record, noted: str | None) -> Finding:
    """Check that the secret is the one that was committed to.

    Neither seal nor signature covers the commitment in a record. So it shows something only to
    somebody who compares it with the one that the site published before the match.

    Whoever wants to hide the secret can leave it out of a record, because it is not sealed. So it
    must be there where a site has it.
    """
    recorded = record.chance
    if recorded is None:
        expected = noted is not None or record.game.startswith(SITE_GAME)
        verdict = Verdict.OPEN if expected else Verdict.ABSENT
        return Finding("commitment", verdict, "the record does not tell where its chance is from")
    if recorded.commitment != chance.match_commitment(recorded.secret, match=recorded.match):
        return Finding(
            "commitment", Verdict.FALSE, f"it is not that of the secret of {recorded.match}"
        )
    if noted is None:
        why = f"it fits the secret; compare it with the one that you noted: {recorded.commitment}"
        return Finding("commitment", Verdict.HOLDS, why)
    if noted != recorded.commitment:
        return Finding("commitment", Verdict.FALSE, "it is not the one that you noted")
    return Finding("commitment", Verdict.HOLDS, "the one that you noted")


def _rng_seed(record: Record) -> Finding:
    """Check that the `rng_seed` of the game follows from the secret of the match."""
    recorded = record.chance
    if recorded is None:
        return Finding("rng_seed", Verdict.ABSENT, "the record has no secret that it follows from")
    which = f"game {recorded.game}, take {recorded.take}"
    if record.rng_seed != chance.game_seed(recorded.secret, game=recorded.game, take=recorded.take):
        return Finding("rng_seed", Verdict.FALSE, f"it does not follow from the secret for {which}")
    return Finding("rng_seed", Verdict.HOLDS, f"that of {which}, of {recorded.match}")


def _tournament(recorded: Chance | None, known: Known) -> Iterable[Finding]:
    """Check that the secret of the match follows from that of the tournament that it names."""
    secret, noted = known.tournament_secret, known.tournament_commitment
    if secret is None and noted is None:
        if recorded is not None and (recorded.tournament or recorded.place):
            why = "give --tournament-commitment and --tournament-secret"
            yield Finding("tournament", Verdict.OPEN, why)
        return
    if recorded is None or not recorded.place:
        yield Finding("tournament", Verdict.OPEN, "the record does not tell its place in one")
        return
    if secret is None:
        yield Finding("tournament", Verdict.OPEN, "give its secret too (--tournament-secret)")
        return
    commitment = chance.tournament_commitment(secret, tournament=recorded.tournament)
    if noted not in (None, commitment):
        why = f"the commitment that you noted is not that of its secret, for {recorded.tournament}"
        yield Finding("tournament", Verdict.FALSE, why)
    elif recorded.secret != chance.match_secret(secret, place=recorded.place):
        why = f"the secret of the match does not follow from it for {recorded.place}"
        yield Finding("tournament", Verdict.FALSE, why)
    elif noted is None:
        why = f"{recorded.place}; compare the commitment of its secret with the one that you noted"
        yield Finding("tournament", Verdict.HOLDS, f"{why}: {commitment}")
    else:
        yield Finding("tournament", Verdict.HOLDS, recorded.place)


def exit_status(findings: Sequence[Finding]) -> int:
    """Return 0 if no check is false or open, FAILED if one is false, else UNDECIDED."""
    verdicts = {finding.verdict for finding in findings}
    if Verdict.FALSE in verdicts:
        return FAILED
    return UNDECIDED if Verdict.OPEN in verdicts else 0


def canonical(record: Record) -> str:
    """Return the game alone as JSON text: the same for two records of the same game.

    It has no times, ids, names, isolation, signature and chance. It has no detail of the result
    either, because that quotes times and how a program ended.
    """
    result = record.result
    budget = ClockSpec().as_json().keys()
    game = {
        "engine": record.engine,
        "variant": record.variant,
        "options": dict(record.options),
        "rng_seed": record.rng_seed,
        "players": {seat: player.digest for seat, player in record.players.items()},
        "clock": {name: value for name, value in record.clock.items() if name in budget},
        "actions": [[played.seat, played.action] for played in record.actions],
        "outcome": None if result.points is None else dict(result.points),
        "termination": str(result.termination),
        "fault": result.fault,
    }
    return json.dumps(game, separators=(",", ":"), sort_keys=True)


def summary(record: Record) -> str:
    """Return who the record says played what, and how it ended, in printable characters."""
    seats, sides = _order(record)
    result, points = record.result, record.result.points or {}
    names = " against ".join(
        f"{record.players[seat].name} ({seat})" for seat in seats if seat in record.players
    )
    score = ", ".join(f"{side} {points[side]:g}" for side in sides if side in points) or "void"
    actions = len(record.actions)
    line = f"{record.variant}, {names}, {actions} actions, {result.termination}: {score}"
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in line
    )


def _order(record: Record) -> tuple[Iterable[str], Iterable[str]]:
    """Return the seats and the sides of the variant, or as a record of another one has them."""
    try:
        variant = find(record.variant)
    except UnknownVariant:
        return record.players, record.result.points or ()
    return variant.seats, variant.sides
