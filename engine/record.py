"""The record of a game: all that is needed to play it again, sealed by a hash chain."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, TypeVar

from engine.chance import Chance, is_secret
from engine.clock import check_charges
from engine.errors import BadRecord, EngineError, NewerRecord, quoted
from engine.outcome import FAULTS, PLATFORM, Result, Termination
from engine.registry import find, recorded_options, terminations
from engine.strict_json import BadJson, read_json
from engine.variant import Event, Variant
from engine.version import VERSION, is_newer

S = TypeVar("S")

FORMAT = 1  # rises with every new key, because a key that a reader does not know is refused
LIMIT = 2**63  # of whole numbers, which arithmetic with floats would not survive without one


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
        present = {name: asdict(part) for name, part in added.items() if part is not None}
        actions = [  # `asdict` would copy each field deeply
            {"seat": played.seat, "action": played.action, "charged_ms": played.charged_ms}
            for played in self.actions
        ]
        words = {"actions": actions, "result": result_words(self.result), "chain": self.chain}
        return canonical({**_head(self), **words, **present})

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """Read what `to_json` wrote. Raise BadRecord for anything else; it does not verify.

        Types are held strictly and every number is finite, so whatever is read can be sealed. A key
        that is not known is refused, because no seal would cover it: NewerRecord if the record is
        of a newer engine.
        """
        try:
            words = read_json(text)
        except BadJson as problem:
            raise _no_record(str(problem)) from problem
        _check_parts(words)
        signature, chance = words.get("signature"), words.get("chance")
        record = Record(
            format=_whole("format", words["format"]),
            engine=_text("engine", words["engine"]),
            variant=_text("variant", words["variant"]),
            options=dict(words["options"]),
            rng_seed=_whole("rng_seed", words["rng_seed"]),
            game=_text("game", words["game"]),
            players={seat: _player(**player) for seat, player in words["players"].items()},
            clock=dict(words["clock"]),
            isolation=_text("isolation", words["isolation"]),
            actions=tuple(_played(**played) for played in words["actions"]),
            result=_result(**words["result"]),
            chain=_text("chain", words["chain"]),
            signature=None if signature is None else _signature(**signature),
            chance=None if chance is None else _chance(**chance),
        )
        try:
            record.to_json()  # refuses NaN and infinities, wherever they hide
        except (ValueError, RecursionError) as problem:
            why = "a number is not finite, or values are nested too deeply"
            raise _no_record(why) from problem
        return record


def _keys_of(kind: type[Any]) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


_KEYS, _PLAYER_KEYS, _ACTION_KEYS, _SIGNATURE_KEYS, _CHANCE_KEYS = map(
    _keys_of, (Record, PlayerId, Played, Signature, Chance)
)
_RESULT_KEYS = frozenset({"outcome", "termination", "fault", "detail"})  # of `result_words`
_OPTIONAL_KEYS = frozenset({"signature", "chance", "tournament", "place"})


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
    if _is_newer(record.engine):
        raise NewerRecord(
            f"the record was made by engine {record.engine} and this is engine {VERSION}:"
            " take a newer version of Drapeau to play it again"
        )


def _is_newer(engine: str) -> bool:
    try:
        return is_newer(engine)
    except ValueError as problem:
        raise BadRecord(str(problem)) from problem


def _check_format(number: object, engine: str) -> None:
    if type(number) is int and number > FORMAT:
        raise NewerRecord(
            f"the record has format {number} of engine {engine:.40} and this is engine {VERSION},"
            f" which reads format {FORMAT}: take a newer version of Drapeau to read it"
        )
    if type(number) is not int or number != FORMAT:
        raise _no_record(f"its format is {_shown(number)}")


def _no_record(why: str) -> BadRecord:
    return BadRecord(f"not a record of format {FORMAT}: {why}")


def _check_parts(words: object) -> None:
    """Raise BadRecord for a part that has another form or other keys.

    Raise NewerRecord for a newer format, and for a key that a newer engine wrote.
    """
    record = _object("the record", words)
    _check_there("the record", record, frozenset({"format", "engine"}))
    engine = _text("engine", record["engine"])
    _check_format(record["format"], engine)
    _check_keys("the record", _KEYS, record, engine)
    for name in ("options", "clock"):
        _object(name, record[name])
    if not isinstance(record["actions"], list):
        raise _no_record("actions is not a list")
    for player in _object("players", record["players"]).values():
        _check_keys("a player", _PLAYER_KEYS, player, engine)
    for played in record["actions"]:
        _check_keys("an action", _ACTION_KEYS, played, engine)
    _check_keys("the result", _RESULT_KEYS, record["result"], engine)
    for name, known in (("signature", _SIGNATURE_KEYS), ("chance", _CHANCE_KEYS)):
        if record.get(name) is not None:
            _check_keys(f"the {name}", known, record[name], engine)


def _check_keys(name: str, known: frozenset[str], part: object, engine: str) -> None:
    words = _object(name, part)
    if unknown := sorted(words.keys() - known):
        why = f"{name} has the key {quoted(unknown[0])}"
        if _is_newer(engine):
            raise NewerRecord(
                f"{why}, the record was made by engine {engine:.40} and this is engine {VERSION}:"
                " take a newer version of Drapeau to read it"
            )
        raise _no_record(
            f"{why}, which no record has and no seal covers. Get the record from its site again"
        )
    _check_there(name, words, known - _OPTIONAL_KEYS)


def _check_there(name: str, part: Mapping[str, Any], needed: frozenset[str]) -> None:
    if missing := sorted(needed - part.keys()):
        raise _no_record(f"{name} does not have the key {missing[0]!r}")


_NOT_AT_START = {Termination.TIMEOUT, Termination.ILLEGAL_ACTION, Termination.ILLEGAL_DEPLOYMENT}


def _check_result(variant: Variant[S], state: S, claimed: Result, *, begun: bool) -> None:
    reached = variant.result(state)
    if reached is not None or claimed.termination not in FAULTS:
        if reached is None:
            raise BadRecord(
                "the game does not end with the last action: some are missing, or the result is"
                " not its own"
            )
        if result_words(reached) != result_words(claimed):
            raise BadRecord("the actions do not lead to the result that is claimed")
        return
    if claimed.fault == PLATFORM or claimed.termination == Termination.PLATFORM_FAULT:
        void = Result(None, Termination.PLATFORM_FAULT, PLATFORM, claimed.detail)
        if claimed != void:
            raise BadRecord("a void game is the platform's fault and has no points")
        return
    deploying = variant.phase(state) == "deploy"
    if not _could_end_so(claimed.termination, deploying=deploying, begun=begun):
        raise BadRecord(f"a game cannot end in {claimed.termination} at this point")
    # Every seat is asked to start, and may be the one that failed there.
    asked = () if claimed.termination == Termination.STARTUP_TIMEOUT else variant.asked(state)
    starting = () if begun or claimed.termination in _NOT_AT_START else variant.seats
    if not any(_forfeit_fits(variant, seats, claimed) for seats in (asked, starting)):
        raise BadRecord("a forfeit falls on who was asked, and its points go to the others")


def _could_end_so(termination: str, *, deploying: bool, begun: bool) -> bool:
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


def result_words(result: Result) -> dict[str, Any]:
    """Return a result as the words of records, pages and the API."""
    return {
        "outcome": None if result.points is None else dict(result.points),
        "termination": str(result.termination),
        "fault": result.fault,
        "detail": result.detail,
    }


def _player(*, name: object, digest: object) -> PlayerId:
    return PlayerId(_text("name", name), _text("digest", digest))


def _played(*, seat: object, action: object, charged_ms: object) -> Played:
    return Played(_text("seat", seat), _text("action", action), _whole("charged_ms", charged_ms))


def _result(*, outcome: object, termination: object, fault: object, detail: object) -> Result:
    points = None
    if outcome is not None:
        points = {
            side: won if isinstance(won, float) else float(_whole("outcome", won))
            for side, won in _object("outcome", outcome).items()
        }
    ending = _text("termination", termination)
    if ending not in terminations():
        raise _no_record(f"no game ends in {quoted(ending)}")
    who = None if fault is None else _text("fault", fault)
    return Result(points, ending, who, _text("detail", detail))


def _signature(*, key: object, signed_at: object, value: object) -> Signature:
    return Signature(_text("key", key), _text("signed_at", signed_at), _text("value", value))


def _chance(**words: object) -> Chance:
    read: dict[str, Any] = {
        name: _whole(name, word) if name in ("game", "take") else _text(name, word)
        for name, word in words.items()
    }
    chance = Chance(**read)
    if not (is_secret(chance.commitment) and is_secret(chance.secret)):
        raise _no_record("a secret and a commitment have 64 hexadecimal digits")
    names = chance.match + chance.tournament + chance.place
    if not (names.isascii() and names.isprintable()):
        raise _no_record("a match, its tournament and its place there are printable ASCII")
    return chance


def _object(name: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _no_record(f"{name} is {_shown(value)} and not a JSON object")
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _no_record(f"{name} is {_shown(value)} and not text")
    return value


def _whole(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= LIMIT:
        raise _no_record(f"{name} is {_shown(value)} and not a whole number of 63 bits")
    return value


def _shown(value: object) -> str:
    """Return a JSON value as a refusal shows it, cut to what fits a line."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return f"{json.dumps(value):.60}"
