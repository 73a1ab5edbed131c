"""The wire, protocol 1: one JSON object per line, and the contract of whoever carries them.

The only module of the engine that programs which run bots may import.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn, Protocol

PROTOCOL = 1
LINE_CAP_BYTES = 4096  # the longest line that a bot may send
NAME_CAP = 60  # characters kept of the name and the version that a bot gives itself
DEPTH_CAP = 16  # how deep an answer may be nested
INT_CAP = 2**53  # the largest whole number that every JSON reader keeps
_WRITER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)


class Fault(StrEnum):
    """Every way in which a bot can fail to answer, in words of `Termination`."""

    TIMEOUT = "timeout"
    STARTUP_TIMEOUT = "startup_timeout"
    CRASH = "crash"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    PROTOCOL_ERROR = "protocol_error"


class PlatformFault(Exception):
    """The platform failed, not a bot: the game is void and will be played again."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A line for a bot that owes one line back, and what it may spend on it."""

    line: bytes  # with its line feed
    allowance_ms: float
    starting: bool = False  # the first ask: a timeout is then a `startup_timeout`


@dataclass(frozen=True, slots=True)
class Answer:
    """The line that came back, without its line feed, and what is charged for it."""

    line: bytes
    charged_ms: float


@dataclass(frozen=True, slots=True)
class Failure:
    """No usable line came back: why, in words that repeat nothing of what did come."""

    fault: Fault
    detail: str
    charged_ms: float


class Table(Protocol):
    """Where the seats of one game sit: containers, processes, or functions in tests."""

    clock_basis: str  # "cpu" or "wall": what `charged_ms` measures

    def limits(self, seat: str) -> Mapping[str, int]:
        """Return what is enforced on a seat's program, with the units in the names."""
        ...

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        """Ask seats at once; every seat asked is in the answer. Raise PlatformFault."""
        ...

    def tell(self, seat: str, line: bytes) -> None:
        """Send a line that needs no answer; a seat that is gone is no error."""
        ...

    def note(self, seat: str, text: str) -> None:
        """Put one line into the private log of a seat's owner; nobody else may see it."""
        ...

    def close(self) -> None:
        """End every player. Safe to call twice."""
        ...


class TableWrapper:
    """A table that passes everything on to another; a subclass changes what it must."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.clock_basis = table.clock_basis

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        """Return what the other table answers."""
        return self.table.ask(asks)

    def limits(self, seat: str) -> Mapping[str, int]:
        """Return what the other table enforces."""
        return self.table.limits(seat)

    def tell(self, seat: str, line: bytes) -> None:
        """Pass a line on."""
        self.table.tell(seat, line)

    def note(self, seat: str, text: str) -> None:
        """Pass a note on."""
        self.table.note(seat, text)

    def close(self) -> None:
        """Close the other table."""
        self.table.close()


class BadMessage(ValueError):
    """What a bot sent is not a message of this protocol; the text is for its owner."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A bot has started, and what it wants: the legal actions listed, and every view or the first.

    `name` and `version` are what it calls itself. `unknown` names keys that this protocol lacks.
    """

    legal: bool = True
    view: str = "full"
    name: str = ""
    version: str = ""
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """A bot's action, with what it cares to say about it; `note` and `belief` are private.

    `belief` is any JSON value: `engine.remarks` checks it, and a bad one is no fault.
    `unknown` names keys that this protocol lacks.
    """

    action: str
    note: str = ""
    belief: Any = None
    unknown: tuple[str, ...] = ()


def encode(message: Mapping[str, Any]) -> bytes:
    """Write one message as a line of ASCII JSON, line feed included. Raise ValueError for NaN."""
    return _WRITER.encode(message).encode("ascii") + b"\n"


def start_message(  # noqa: PLR0913 - everything that a bot is told at first, by keyword
    *,
    variant: str,
    options: Mapping[str, Any],
    seat: str,
    rng_seed: int,
    game: str,
    clock: Mapping[str, int | str],
    limits: Mapping[str, int],
) -> bytes:
    """Make the first line of a game; `game` is a nonce.

    `clock` is in milliseconds, with its `basis`. `limits` are those of the seat, from its table.
    `rng_seed` is for the seat's own dice: never the game's, which other seats could share.
    """
    return encode(
        {
            "type": "start",
            "protocol": PROTOCOL,
            "variant": variant,
            "options": dict(options),
            "seat": seat,
            "rng_seed": rng_seed,
            "game": game,
            "clock": dict(clock),
            "limits": dict(limits),
        }
    )


def act_message(
    *,
    view: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    legal: Sequence[str] | None,
    bank_ms: float,
    used_ms: float,
    with_view: bool = True,
) -> bytes:
    """Ask for an action. None leaves `legal` out; `used_ms` is the last action's charge.

    Everything comes from the seat's own view, events and clock, so the line can tell no more than
    they do. Without the view, the line still has its `ply` and `phase`.
    """
    message: dict[str, Any] = {"type": "act", "ply": view["ply"], "phase": view["phase"]}
    if with_view:
        message["view"] = view
    message["events"] = list(events)
    if legal is not None:
        message["legal"] = list(legal)
    message["clock"] = {"bank_ms": round(bank_ms), "used_ms": round(used_ms)}
    return encode(message)


def end_message(
    *,
    outcome: Mapping[str, float] | None,
    termination: str,
    fault: str | None,
    detail: str | None,
    events: Sequence[Mapping[str, Any]],
    view: Mapping[str, Any],
) -> bytes:
    """Make the last line of a game; it needs no answer.

    `events` and `view` are the seat's own. `detail` says what the seat itself did wrong: it can
    quote a program, so it is None for every other seat.
    """
    message = {
        "type": "end",
        "outcome": None if outcome is None else dict(outcome),
        "termination": termination,
        "fault": fault,
        "events": list(events),
        "view": view,
    }
    return encode(message if detail is None else {**message, "detail": detail})


def parse_ready(line: bytes) -> Ready:
    """Read the answer to `start`. Raise BadMessage."""
    message = decode(line)
    if message.get("type") != "ready":
        raise BadMessage('the first line must be {"type": "ready"}')
    wants = message.get("wants", {})
    if not isinstance(wants, dict):
        raise BadMessage('"wants" must be an object')
    legal, view = wants.get("legal", True), wants.get("view", "full")
    if not isinstance(legal, bool):
        raise BadMessage('"legal" must be true or false')
    if view not in ("full", "first"):
        raise BadMessage('"view" must be "full" or "first"')
    unknown = [*_unknown(message, ("type", "wants", "name", "version"))]
    unknown += (f"wants.{key}" for key in _unknown(wants, ("legal", "view")))
    name, version = (_text(message, key)[:NAME_CAP] for key in ("name", "version"))
    return Ready(legal, view, name, version, tuple(unknown))


def parse_act(line: bytes) -> Act:
    """Read the answer to `act`. Raise BadMessage."""
    message = decode(line)
    action = message.get("action")
    if not isinstance(action, str):
        raise BadMessage('the answer needs "action", a text')
    unknown = _unknown(message, ("action", "note", "belief"))
    return Act(action, _text(message, "note"), message.get("belief"), unknown)


def decode(line: bytes) -> dict[str, Any]:
    """Read one line as one JSON object, strictly. Raise BadMessage only, whatever the bytes.

    Refused: more than LINE_CAP_BYTES, bad UTF-8, anything but one object, a key twice, NaN and
    infinities, whole numbers beyond 2^53, lone surrogates, nesting deeper than DEPTH_CAP.
    """
    if len(line) > LINE_CAP_BYTES:
        raise BadMessage(f"a line of {len(line)} bytes is longer than {LINE_CAP_BYTES}")
    try:
        value = _READER.decode(line.decode("utf-8"))
    except BadMessage:
        raise
    except UnicodeDecodeError:
        raise BadMessage("the line is not UTF-8") from None
    except RecursionError:
        raise BadMessage("the line is nested too deeply") from None
    except ValueError:
        raise BadMessage("the line is not JSON") from None
    if not isinstance(value, dict):
        raise BadMessage("the line is not a JSON object")
    _check_values(value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    message = dict(pairs)
    if len(message) != len(pairs):
        raise BadMessage("a key stands twice in one object")
    return message


def _refuse_constant(word: str) -> NoReturn:
    raise BadMessage(f"{word} is not JSON")


def _bounded_int(digits: str) -> int:
    if len(digits) > len(str(INT_CAP)) + 1 or abs(int(digits)) > INT_CAP:
        raise BadMessage("a number is too large")
    return int(digits)


def _finite_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BadMessage("a number is too large")
    return number


_READER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_constant=_refuse_constant,
    parse_int=_bounded_int,
    parse_float=_finite_float,
)


def _check_values(message: dict[str, Any]) -> None:
    level: list[Any] = [message]
    for _ in range(DEPTH_CAP):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += [*value.keys(), *value.values()]
            elif isinstance(value, list):
                below += value
            elif isinstance(value, str) and not value.isprintable():
                try:
                    value.encode("utf-8")
                except UnicodeEncodeError:
                    raise BadMessage("a text holds half a character") from None
        level = below
        if not level:
            return
    raise BadMessage("the line is nested too deeply")


def _text(message: dict[str, Any], key: str) -> str:
    text = message.get(key, "")
    if not isinstance(text, str):
        raise BadMessage(f'"{key}" must be a text')
    return text


def _unknown(message: dict[str, Any], known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys that this protocol does not have: they may be of a later one."""
    return tuple(key for key in message if key not in known)
