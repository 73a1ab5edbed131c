"""The record of a game: all that is needed to play it again, sealed by a hash chain."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NoReturn, TypeVar

from engine.chance import Chance, is_secret
from engine.clock import check_charges
from engine.errors import BadRecord, EngineError, NewerRecord, quoted
from engine.outcome import PLATFORM, Result, Termination
from engine.protocol import Fault
from engine.registry import find, recorded_options
from engine.variant import Event, Variant
from engine.version import VERSION, is_newer

S = TypeVar("S")

FORMAT = 1  # rises with every new key, because a key that a reader does not know is refused
LIMIT = 2**63  # of whole numbers, which arithmetic with floats would not survive without one

BOARD_ENDINGS = frozenset(Termination).difference(
    (Termination(fault) for fault in Fault),
    (Termination.ILLEGAL_ACTION, Termination.ILLEGAL_DEPLOYMENT, Termination.PLATFORM_FAULT),
)
"""What the rules decide. Every other ending is a fault of somebody."""


@dataclass(frozen=True, slots=True)
class PlayerId:
    """Who played: a name for people and the digest of the program."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class Played:
    """One action as it was taken; `charged_ms` is rounded to whole milliseconds."""

    seat: str
    action: str
    charged_ms: int


@dataclass(frozen=True, slots=True)
class Signature:
    """Who vouches for a record: the id of a site's key, when it signed, and the signature.

    `signed_at` is an instant in UTC, to the second. `value` is hexadecimal. `engine.signature`
    makes and checks it.
    """

    key: str
    signed_at: str
    value: str


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `chain` seals everything but the signature, which older records do not have.

    `chance` tells where the `rng_seed` comes from. A site adds it when the match is over, so
    neither the seal nor the signature covers it: everybody can check it against the `rng_seed`.

    `clock` holds the words of ClockSpec, `basis` ("cpu" or "wall": what was charged), and in
    `startup_used_ms` what every seat was charged for its start, which older records do not tell.

    An action that was refused is not among `actions`; the result's `detail` quotes it.
    """

    format: int
    engine: str
    variant: str
    options: Mapping[str, Any]
    rng_seed: int
    game: str
    players: Mapping[str, PlayerId]
    clock: Mapping[str, Any]
    isolation: str
    actions: tuple[Played, ...]
    result: Result
    chain: str = ""
    signature: Signature | None = None
    chance: Chance | None = None

    def to_json(self) -> str:
        """Write the record as JSON text, one line, the same for the same record."""
        added = {"signature": self.signature, "chance": self.chance}
        there = {name: asdict(part) for name, part in added.items() if part is not None}
        return canonical({**_head(self), **_tail(self), "chain": self.chain, **there})

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """Read what `to_json` wrote. Raise BadRecord for anything else; it does not verify.

        Types are held strictly and every number is finite, so whatever is read can be sealed. A key
        that is not known is refused, because no seal would cover it: NewerRecord if the record is
        of a newer engine.
        """
        try:
            words = json.loads(text)
            _check_format(words["format"], words["engine"])
            _check_keys(words)
            record = _read(words)
            record.to_json()  # refuses NaN and infinities, wherever they hide
        except BadRecord:
            raise
        except (TypeError, KeyError, ValueError, AttributeError, RecursionError) as problem:
            why = f"{type(problem).__name__}: {problem!s:.120}"
            raise BadRecord(f"not a record of format {FORMAT}: {why}") from problem
        return record


def _keys_of(kind: type[Any]) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


_KEYS, _PLAYER_KEYS, _ACTION_KEYS, _SIGNATURE_KEYS, _CHANCE_KEYS = map(
    _keys_of, (Record, PlayerId, Played, Signature, Chance)
)
_RESULT_KEYS = frozenset({"outcome", "termination", "fault", "detail"})  # of `result_words`


def sealed(record: Record) -> Record:
    """Return the record with its chain worked out."""
    return replace(record, chain=chain_of(record))


def chain_of(record: Record) -> str:
    """Hash the head, then each action with what came before it, then the result (SHA-256, hex)."""
    digest = b""
    actions: Iterable[Any] = (asdict(played) for played in record.actions)
    for part in (_head(record), *actions, result_words(record.result)):
        digest = hashlib.sha256(digest + canonical(part).encode()).digest()
    return digest.hex()


def verify(record: Record) -> None:
    """Check the seal, then play the record again. Raise BadRecord where it is not what it claims.

    Everybody can work out a new seal. Who vouches for a record says `engine.signature`.
    """
    check_age(record)
    check_seal(record)
    check_game(record)


def check_seal(record: Record) -> None:
    """Raise BadRecord if the record was changed after it was sealed."""
    if record.chain != chain_of(record):
        raise BadRecord("the hash chain does not fit: the record was changed after the game")


def check_game(record: Record) -> None:
    """Play a record again without any bot. Raise BadRecord where it is not what it claims."""
    variant, state = begin(record)
    if set(record.players) != set(variant.seats):
        raise BadRecord("players are not complete")
    charges = [(played.seat, played.charged_ms) for played in record.actions]
    check_charges(record.clock, tuple(record.players), charges)
    for number, played in enumerate(record.actions, start=1):
        take(variant, state, number, played)
    _check_result(variant, state, record.result, begun=bool(record.actions))


def begin(record: Record) -> tuple[Variant[Any], Any]:
    """Return the variant of a record and the state before its first action. Raise BadRecord."""
    check_age(record)
    try:
        variant = find(record.variant)
        options = recorded_options(variant, record.options)
    except EngineError as problem:
        raise BadRecord(str(problem)) from problem
    if any(options[key] != value for key, value in record.options.items()):
        raise BadRecord("an option has another value than the rules know")
    return variant, variant.begin(options, record.rng_seed)


def is_opening(variant: Variant[S], state: S) -> bool:
    """Return whether the seats still deploy before the game: such actions are no plies."""
    return variant.phase(state) == "deploy" and variant.ply(state) == 0


def take(variant: Variant[S], state: S, number: int, played: Played) -> tuple[Event, ...]:
    """Apply the action of that number to the state. Return what happened, or raise BadRecord."""
    if played.seat not in variant.asked(state):
        raise BadRecord(f"action {number} is of {played.seat!r}, who was not asked")
    try:
        return variant.apply(state, played.seat, played.action)
    except EngineError as problem:
        raise BadRecord(f"action {number} cannot be: {problem}") from problem


def check_age(record: Record) -> None:
    """Hold that this engine knows the rules of the record's. Raise NewerRecord with both versions.

    A record of an older engine may be played again: it verifies unless its game has changed.
    """
    _check_format(record.format, record.engine)
    try:
        newer = is_newer(record.engine)
    except ValueError as problem:
        raise BadRecord(str(problem)) from problem
    if newer:
        raise NewerRecord(
            f"the record was made by engine {record.engine} and this is engine {VERSION}:"
            " take a newer version of Drapeau to play it again"
        )


def _check_format(number: object, engine: object) -> None:
    if type(number) is int and number > FORMAT:
        raise NewerRecord(
            f"the record has format {number} of engine {engine!s:.40} and this is engine {VERSION},"
            f" which reads format {FORMAT}: take a newer version of Drapeau to read it"
        )
    if type(number) is not int or number != FORMAT:
        raise BadRecord(f"not a record of format {FORMAT}: its format is {number!r:.40}")


def _check_keys(words: Mapping[str, Any]) -> None:
    """Raise BadRecord for a key that is not known, and NewerRecord if a newer engine wrote it."""
    parts: tuple[tuple[str, frozenset[str], Iterable[Mapping[str, Any]]], ...] = (
        ("the record", _KEYS, [words]),
        ("a player", _PLAYER_KEYS, words["players"].values()),
        ("an action", _ACTION_KEYS, words["actions"]),
        ("the result", _RESULT_KEYS, [words["result"]]),
        ("the signature", _SIGNATURE_KEYS, [words.get("signature") or {}]),
        ("the chance", _CHANCE_KEYS, [words.get("chance") or {}]),
    )
    for name, known, parts_of_name in parts:
        for each in parts_of_name:
            if unknown := sorted(each.keys() - known):
                _refuse_key(f"{name} has the key {quoted(unknown[0])}", words["engine"])


def _refuse_key(found: str, engine: str) -> NoReturn:
    if is_newer(engine):
        raise NewerRecord(
            f"{found}, the record was made by engine {engine!s:.40} and this is engine {VERSION}:"
            " take a newer version of Drapeau to read it"
        )
    raise BadRecord(
        f"not a record of format {FORMAT}: {found}, which no record has and no seal covers."
        " Get the record from its site again"
    )


def _check_result(variant: Variant[S], state: S, claimed: Result, *, begun: bool) -> None:
    reached = variant.result(state)
    if reached is not None or claimed.termination in BOARD_ENDINGS:
        if reached is None or result_words(reached) != result_words(claimed):
            raise BadRecord("the actions do not lead to the result that is claimed")
        return
    if claimed.fault == PLATFORM or claimed.termination == Termination.PLATFORM_FAULT:
        void = Result(None, Termination.PLATFORM_FAULT, PLATFORM, claimed.detail)
        if claimed != void:
            raise BadRecord("a void game is the platform's fault and has no points")
        return
    if not _could_end_so(claimed.termination, deploying=_deploys(variant, state), begun=begun):
        raise BadRecord(f"a game cannot end in {claimed.termination} at this point")
    if not _forfeit_fits(variant, variant.asked(state), claimed):
        raise BadRecord("a forfeit falls on who was asked, and its points go to the others")


def _deploys(variant: Variant[S], state: S) -> bool:
    return variant.phase(state) == "deploy"


def _could_end_so(termination: Termination, *, deploying: bool, begun: bool) -> bool:
    """Return whether a fault fits the phase; `begun` is whether any action was taken."""
    if termination == Termination.STARTUP_TIMEOUT:
        return not begun
    if termination == Termination.ILLEGAL_DEPLOYMENT:
        return deploying
    return termination != Termination.ILLEGAL_ACTION or not deploying


def _forfeit_fits(variant: Variant[S], asked: tuple[str, ...], claimed: Result) -> bool:
    """Return whether one of those asked failed, alone or with others of whom it is the first."""
    if claimed.fault not in asked or claimed.points is None:
        return False
    may_fail = asked[asked.index(claimed.fault) :]
    failed = [seat for seat in may_fail if claimed.points.get(variant.side_of(seat)) == 0]
    return claimed.fault in failed and claimed.points == forfeit_points(variant, failed)


def forfeit_points(variant: Variant[Any], seats: Iterable[str]) -> dict[str, float]:
    """Return nothing to the sides of the seats that failed and the full point to every other."""
    failed = {variant.side_of(seat) for seat in seats}
    return {side: 0.0 if side in failed else 1.0 for side in variant.sides}


def canonical(value: object) -> str:
    """Return the one text of a JSON value that is hashed, signed and stored."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)


def _head(record: Record) -> dict[str, Any]:
    return {
        "format": record.format,
        "engine": record.engine,
        "variant": record.variant,
        "options": dict(record.options),
        "rng_seed": record.rng_seed,
        "game": record.game,
        "players": {seat: asdict(player) for seat, player in record.players.items()},
        "clock": dict(record.clock),
        "isolation": record.isolation,
    }


def _tail(record: Record) -> dict[str, Any]:
    actions = [asdict(played) for played in record.actions]
    return {"actions": actions, "result": result_words(record.result)}


def result_words(result: Result) -> dict[str, Any]:
    """Return a result as the words of records, pages and the API."""
    return {
        "outcome": None if result.points is None else dict(result.points),
        "termination": str(result.termination),
        "fault": result.fault,
        "detail": result.detail,
    }


def _read(words: dict[str, Any]) -> Record:
    signature, chance = words.get("signature"), words.get("chance")
    return Record(
        format=_whole(words["format"]),
        engine=_text(words["engine"]),
        variant=_text(words["variant"]),
        options=dict(words["options"]),
        rng_seed=_whole(words["rng_seed"]),
        game=_text(words["game"]),
        players={seat: _player(**player) for seat, player in words["players"].items()},
        clock=dict(words["clock"]),
        isolation=_text(words["isolation"]),
        actions=tuple(_played(**played) for played in words["actions"]),
        result=_result(**words["result"]),
        chain=_text(words["chain"]),
        signature=None if signature is None else _signature(**signature),
        chance=None if chance is None else _chance(**chance),
    )


def _player(*, name: object, digest: object) -> PlayerId:
    return PlayerId(_text(name), _text(digest))


def _played(*, seat: object, action: object, charged_ms: object) -> Played:
    return Played(_text(seat), _text(action), _whole(charged_ms))


def _result(
    *, outcome: Mapping[str, object] | None, termination: object, fault: object, detail: object
) -> Result:
    points = None if outcome is None else {side: _number(won) for side, won in outcome.items()}
    who = None if fault is None else _text(fault)
    return Result(points, Termination(_text(termination)), who, _text(detail))


def _signature(*, key: object, signed_at: object, value: object) -> Signature:
    return Signature(_text(key), _text(signed_at), _text(value))


def _chance(**words: object) -> Chance:
    read: dict[str, Any] = {
        name: _whole(word) if name in ("game", "take") else _text(word)
        for name, word in words.items()
    }
    told = Chance(**read)
    if not (is_secret(told.commitment) and is_secret(told.secret)):
        raise TypeError("a secret and a commitment have 64 hexadecimal digits")
    names = told.match + told.tournament + told.place
    if not (names.isascii() and names.isprintable()):
        raise TypeError("a match, its tournament and its place there are printable ASCII")
    return told


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.60} is not text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= LIMIT:
        raise TypeError(f"{value!r:.60} is not a whole number of 63 bits")
    return value


def _number(value: object) -> float:
    return value if isinstance(value, float) else float(_whole(value))
