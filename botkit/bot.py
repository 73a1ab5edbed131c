"""Your bot's end of the wire: subclass `Bot`, then `run(YourBot)`.

The platform sends one JSON object per line on stdin and reads one per line from stdout. `run` keeps
the real stdout for itself: from then on a `print` for debugging lands in your private log, not in
the protocol. What is printed before `run` breaks the protocol.
"""

import json
import math
import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Generic, Literal, TypedDict, TypeVar

from botkit.shapes import folded, view_of
from botkit.view import View

V = TypeVar("V", bound=View)

RESIGN = "resign"  # an action that every game takes whenever a bot is asked: it gives the game up
LINE_CAP_BYTES = 4096  # of the wire
MANIFEST = "drapeau.toml"  # as in `botkit.manifest`, which takes time to import
NOTE_CAP = 500  # characters of at most 6 bytes each
DIGITS = 3  # of a probability on the wire
Belief = Mapping[str, Mapping[str, float]]  # id of a piece -> rank -> probability


class WireError(Exception):
    """A line that is not protocol 1 came in, or the bot gave something that cannot be sent."""


class Clock(TypedDict, total=False):
    """What your seat gets, in milliseconds, and what charges it."""

    startup_ms: int
    bank_ms: int
    increment_ms: int
    action_ms: int
    used_ms: int  # by your last action; from the first action on
    basis: Literal["cpu", "wall"]


class Limits(TypedDict, total=False):
    """What the arena enforces on your program; what it does not enforce is not there."""

    line_bytes: int
    stderr_bytes: int
    threads: int  # and processes
    cpu_s: int
    file_bytes: int
    memory_bytes: int
    address_space_bytes: int  # without a container, in place of `memory_bytes`
    cores: int
    scratch_bytes: int


class Bot(Generic[V]):
    """One player of one game. Override `deploy` and `act`; the rest is there when you want it.

    `Bot[DuelView]` says which views it reads, for a type checker; a bare `Bot` works as well.
    """

    view_type: Callable[[Mapping[str, Any]], Any] = staticmethod(view_of)  # your own class, perhaps

    wants_legal = True  # set to False when you make your own moves and want shorter messages
    wants_view = "full"  # "first": much shorter messages; the SDK keeps your view up to date
    name = ""  # what your bot calls itself, and its version: both appear in your private log
    version = ""

    seat: str
    variant: str
    options: Mapping[str, Any]
    settings: Mapping[str, Any] = {}  # your defaults, then `[bot.settings]` of the manifest
    clock: Clock
    limits: Limits  # what your program may use
    ending: Mapping[str, Any]  # the last message, in `end`: `fault`, `detail`, the last `view`
    rng: random.Random  # seeded by the game and your seat: the same game gives the same choices
    note: str = ""  # what you set here during a turn is kept beside the action, for you alone
    belief: Belief = {}  # the same for what you think that hidden pieces are; it is scored

    @property
    def time_left_ms(self) -> float:
        """What the action that you are asked for may cost: `action_ms`, or the bank if it is less.

        On the clock that charges you (`clock["basis"]`), counted from when you were asked.
        """
        return min(self.clock.get("action_ms", math.inf), self.clock.get("bank_ms", math.inf))

    def deploy(self, view: V) -> str:
        """Set up, in the phase `deploy`: in a duel one rank code per square of `view.home`."""
        raise NotImplementedError(f"{type(self).__name__} needs a method deploy(self, view)")

    def act(self, view: V, legal: Sequence[str]) -> str:
        """Return one of the legal actions, in every other phase (`view.phase` names it).

        The list is empty when `wants_legal` is False. `RESIGN`, which is never in the list, gives
        the game up, here and in `deploy`.
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method act(self, view, legal)")

    def begin(self) -> None:
        """Prepare; the start-up budget of the clock pays for it."""

    def hear(self, event: Mapping[str, Any]) -> None:
        """Learn of one event since your last turn; `event["type"]` names its kind.

        The events since your last turn of all come before `end`.
        """

    def end(self, outcome: Mapping[str, Any] | None, termination: str) -> None:
        """Learn how the game ended; `self.ending` tells more."""


class Conversation:
    """One game as lines in and lines out: `run` drives it over pipes, tools drive it without."""

    def __init__(
        self, make: Callable[[], Bot[Any]], settings: Mapping[str, Any] | None = None
    ) -> None:
        self._make = make
        self._settings = settings
        self._bot: Bot[Any] | None = None
        self._view: Mapping[str, Any] = {}  # the last one
        self._warned_of: set[str] = set()
        self.over = False

    def receive(self, line: bytes) -> bytes | None:
        """Take one line; give the answer with its line feed, or None when none is due."""
        try:
            message = json.loads(line)
        except ValueError as error:
            raise WireError(f"the platform sent a line that is not JSON: {line[:80]!r}") from error
        if not isinstance(message, dict) or "type" not in message:
            raise WireError(f"the platform sent a line that is not a message: {line[:80]!r}")
        match message["type"]:
            case "start":
                bot = self._bot = self._make()
                bot.seat = message["seat"]
                bot.variant = message["variant"]
                bot.options = message["options"]
                bot.clock = message["clock"]
                bot.limits = message.get("limits", {})
                if self._settings:
                    bot.settings = {**bot.settings, **self._settings}
                bot.rng = random.Random(f"{message['rng_seed']}/{bot.seat}")  # noqa: S311 - a game
                bot.begin()
                wants = {"legal": bot.wants_legal, "view": bot.wants_view}
                names = {"name": bot.name, "version": bot.version}
                named = {key: text for key, text in names.items() if text}
                return _line({"type": "ready", **named, "wants": wants})
            case "act":
                return _line(self._act(message))
            case "end":
                self.over = True
                if self._bot is not None:
                    self._bot.ending = message
                    for event in message.get("events", ()):
                        self._bot.hear(event)
                    self._bot.end(message.get("outcome"), message.get("termination", ""))
            case _:
                pass  # a message of a later protocol that needs no answer
        return None

    def _act(self, message: Mapping[str, Any]) -> dict[str, Any]:
        bot = self._bot
        if bot is None:
            raise WireError("asked to act before the game started")
        bot.clock = {**bot.clock, **message["clock"]}
        bot.note, bot.belief = "", {}
        for event in message["events"]:
            bot.hear(event)
        self._view = message.get("view") or folded(self._view, message, bot.options)
        view = bot.view_type(self._view)
        if isinstance(view, View):
            view.legal, view.events = message.get("legal") or (), message["events"]
            view.time_left_ms = bot.time_left_ms
        deploying = message["phase"] == "deploy"
        action = bot.deploy(view) if deploying else bot.act(view, message.get("legal") or ())
        if not isinstance(action, str):
            raise WireError(f"deploy and act must give text, not {action!r}")
        return self._with_remarks(action, bot.note, bot.belief)

    def _with_remarks(self, action: str, note: object, belief: object) -> dict[str, Any]:
        """Return an answer with what the bot says beside it; what cannot be sent is dropped."""
        answer: dict[str, Any] = {"action": action}
        if not isinstance(note, str):
            self._warn("note", f"it must be text, not {note!r:.80}")
        elif note:
            answer["note"] = note[:NOTE_CAP]
        try:
            fitting = _fitting(belief, LINE_CAP_BYTES - len(_line({**answer, "belief": {}})))
        except (AttributeError, TypeError, ValueError, OverflowError):
            self._warn("belief", "it must be like {'b7': {'2': 0.6}}, with numbers from 0 to 1")
        else:
            answer |= {"belief": fitting} if fitting else {}
        return answer

    def _warn(self, what: str, why: str) -> None:
        """Write a warning to the log, once of each kind."""
        if what not in self._warned_of:
            self._warned_of.add(what)
            sys.stderr.write(f"warning: a {what} is dropped: {why}\n")


def _fitting(belief: Any, room_bytes: int) -> dict[str, dict[str, float]]:  # noqa: ANN401 - whatever a bot set
    """Round a belief, and leave out the pieces that it is least sure of until there is room.

    Raise some error for what is no belief.
    """
    rounded = {
        piece: {
            rank: round(float(min(chance, 1.0)), DIGITS)
            for rank, chance in ranks.items()
            if chance >= 10**-DIGITS
        }
        for piece, ranks in belief.items()
    }
    surest = sorted(rounded.items(), key=lambda item: -max(item[1].values(), default=0.0))
    fitting: dict[str, dict[str, float]] = {}
    for piece, ranks in surest:
        room_bytes -= len(_line({piece: ranks})) - 2  # without braces and line feed, with a comma
        if ranks and room_bytes >= 0:
            fitting[piece] = ranks
    return fitting


def run(make: Callable[[], Bot[Any]]) -> None:
    """Play one game over stdin and stdout; returns when it is over or the platform hangs up."""
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # whatever else writes to stdout, a C library included, writes to stderr
        sys.stdout = sys.stderr
        converse(Conversation(make, _settings()), sys.stdin.buffer, answers)


def _settings() -> Mapping[str, Any]:
    """Return the settings in the manifest beside the program, or else where it was started."""
    places = (Path(sys.argv[0]).parent / MANIFEST, Path(MANIFEST))
    content = next((place.read_bytes() for place in places if place.is_file()), b"")
    if b"settings" not in content:
        return {}
    from botkit.manifest import parsed  # noqa: PLC0415 - other bots start without reading TOML

    return parsed(content).settings


def converse(game: Conversation, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer line by line until the game is over or there are no more lines."""
    while not game.over and (line := lines.readline()):
        answer = game.receive(line)
        if answer is not None:
            answers.write(answer)
            answers.flush()


def _line(answer: Mapping[str, Any]) -> bytes:
    """Write a line; half a character, which the wire refuses, becomes a question mark."""
    text = json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    return text.encode(errors="replace") + b"\n"
