"""A bot on your own machine in a seat of a game on a site.

The site streams what the seat is asked, and gets the answers. So a bot can take part that no site
takes: a large model, a program that needs a graphics card, or one that shall stay at home.
"""

import json
import queue
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock, Thread
from typing import Any, Self, TypeVar

from botkit.home import HomeBot
from botkit.program import LocalProgram
from botkit.site import BUSY, SiteClient, SiteProblem, SiteRefusal, SiteUnreachable
from engine.outcome import RESIGN
from engine.protocol import Ask, BadMessage, Failure, Ready, encode, parse_act, parse_ready

AGAIN_S = 1.0  # before an answer is sent again that the site could not take
# Codes of refusals: the rules refuse an answer, or it may be sent again.
NOT_PLAYABLE, NOT_NOW = "not_playable", ("gone_on", "idempotency_key_at_work")
Event = tuple[str, Any]
T = TypeVar("T")


class GaveUp(Exception):
    """The bot has failed, so its seat resigns; the text says how."""


class Stopped(Exception):
    """The game ends here, because the command does."""


def started(bot: HomeBot, *, log: Callable[[bytes], object] | None = None) -> LocalProgram:
    """Start a bot without limits on its memory and its log. Raise NoBot."""
    return LocalProgram(bot.command, folder=bot.folder, log=log, is_limited=False)


def as_ended(games: Collection[Future[T]]) -> Iterator[Future[T]]:
    """Yield games as they end. Ctrl-C can come at any moment, which `as_completed` does not bear.

    Its locks are Python's, and an exception between two of their steps leaves them broken.
    """
    ended: queue.SimpleQueue[Future[T]] = queue.SimpleQueue()
    for game in games:
        game.add_done_callback(ended.put)
    for _ in games:
        yield ended.get()


class NamedLog:
    """Writes the log of one of several programs to our stderr, with a name before each line."""

    def __init__(self, name: str) -> None:
        self._name, self._rest = name, b""

    def __call__(self, chunk: bytes) -> None:
        """Write the lines that are complete."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            sys.stderr.write(f"{self._name}: {line.decode(errors='replace')}\n")

    def close(self) -> None:
        """Write what has no line feed at its end."""
        if self._rest:
            self(b"\n")


class Seat:
    """The program in one seat of one game, which is told what it said that it wants."""

    def __init__(self, program: LocalProgram, start: Mapping[str, Any], until_s: float) -> None:
        """Send the first message; the answer has to come by the monotonic clock. Raise GaveUp."""
        self.program, self._has_view = program, False
        try:
            self._ready: Ready = parse_ready(self._ask(start, until_s, starting=True))
        except BadMessage as problem:
            raise GaveUp(str(problem)) from problem

    def act(self, message: Mapping[str, Any], until_s: float) -> str:
        """Return the action. Raise GaveUp."""
        unwanted = {"legal"} if not self._ready.legal else set()
        if self._ready.view == "first" and self._has_view:
            unwanted.add("view")
        self._has_view = True
        told = {key: value for key, value in message.items() if key not in unwanted}
        try:
            return parse_act(self._ask(told, until_s)).action
        except BadMessage as problem:
            raise GaveUp(str(problem)) from problem

    def _ask(self, message: Mapping[str, Any], until_s: float, *, starting: bool = False) -> bytes:
        allowance_ms = (until_s - time.monotonic()) * 1000
        outcome = self.program.ask(Ask(encode(message), allowance_ms, starting=starting))
        if isinstance(outcome, Failure):
            raise GaveUp(outcome.detail)
        return outcome.line


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended for a seat; without an `outcome` it has no result.

    `fault` is why the bot gave up, if it did.
    """

    outcome: Mapping[str, float] | None
    termination: str
    fault: str = ""


class RemoteGame:
    """A game on a site in which a bot at home has the seats of one side.

    Leaving the context ends its programs.
    """

    def __init__(
        self,
        site: SiteClient,
        match_id: str,
        *,
        bot: HomeBot,
        note: Callable[[str], None],
        is_named: bool = False,
    ) -> None:
        """Listen to what the site asks. `note` is called with what the author should know.

        If `is_named`, the log of the bot names the match.
        """
        self._site, self._match_id, self._bot, self._note = site, match_id, bot, note
        self._is_named, self._is_stopped = is_named, False
        self._events: queue.Queue[Event | Exception] = queue.Queue()
        self._waiting: Event | None = None  # what came while an answer was sent again
        self._game = ""  # the id of the present one: it may begin anew
        self._seats: dict[str, Seat] = {}
        self._running: list[LocalProgram] = []
        self._programs = ExitStack()

    def __enter__(self) -> Self:
        Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._running = []
        self._programs.close()

    def stop(self) -> None:
        """Let `play` raise Stopped in its thread, even while the bot thinks."""
        self._is_stopped = True
        self._events.put(Stopped())
        for program in self._running:
            program.kill()

    def play(self) -> Ended:
        """Play the game to its end.

        Raise SiteProblem, NoBot if the bot cannot be started, and Stopped.

        The end counts once the site has stored it: before, the game may still begin anew.
        """
        ended, fault = Ended(None, ""), ""
        while True:
            kind, content = self._next()
            if kind == "over":
                return replace(ended, fault=fault)
            if kind != "message":
                continue
            start, message = content["start"], content["message"]
            before = content.get("ended") or {"game": None}
            if before["game"] == self._game:  # the match goes on with its next game
                self._end(before["seat"], before["message"])
            elif self._game not in ("", start["game"]):
                self._note("The site broke the game off, and it begins anew.")
            self._begin(start["game"])
            if message["type"] == "end":
                self._end(start["seat"], message)
                ended = Ended(message["outcome"], message["termination"])
                continue
            ended, fault = Ended(None, ""), ""
            if not self._events.empty():  # what is newer counts
                continue
            try:
                action = self._act(start, message, self._until_s(content["answer_by"]))
            except GaveUp as why:
                if self._is_stopped:
                    raise Stopped from why
                fault, action = str(why), RESIGN
            fault = self._send(content["number"], action) or fault

    def _begin(self, game: str) -> None:
        """End the programs of another game."""
        if self._game not in ("", game):
            self._seats, self._running = {}, []
            self._programs.close()
        self._game = game

    def _end(self, seat: str, message: Mapping[str, Any]) -> None:
        """Tell a program how its game ended, once."""
        if ended := self._seats.pop(seat, None):
            ended.program.tell(encode(message))

    def _listen(self) -> None:
        try:
            for kind, data in self._site.events("seats", self._match_id, "messages"):
                self._events.put((kind, json.loads(data)))
                if kind == "over":
                    return
        except SiteProblem as problem:
            self._events.put(problem)
        except (ValueError, RecursionError):
            self._events.put(SiteUnreachable(f"{self._site.address} streams what is no JSON"))

    def _next(self) -> Event:
        event, self._waiting = self._waiting or self._events.get(), None
        if isinstance(event, Exception):
            raise event
        return event

    def _until_s(self, answer_by: str) -> float:
        """Return a time by the clock of the site as one of the monotonic clock."""
        left_s = datetime.fromisoformat(answer_by).timestamp() - time.time()
        return time.monotonic() + left_s - (self._site.clock_ahead_s or 0.0)

    def _act(self, start: Mapping[str, Any], message: Mapping[str, Any], until_s: float) -> str:
        """Return the action of the seat that is asked, whose program starts if it must."""
        seat = self._seats.get(start["seat"])
        if seat is None:
            program = self._programs.enter_context(started(self._bot, log=self._log()))
            self._running.append(program)
            if self._is_stopped:  # `stop` may have looked before
                raise Stopped
            seat = self._seats[start["seat"]] = Seat(program, start, until_s)
        return seat.act(message, until_s)

    def _log(self) -> NamedLog | None:
        if not self._is_named:
            return None
        log = NamedLog(self._match_id)
        self._programs.callback(log.close)  # once the program has ended
        return log

    def _send(self, number: int, action: str) -> str:
        """Send an answer, again as long as the site cannot take it and asks nothing else.

        An action that the rules refuse loses, as it does in the arena. Return why it did.
        """
        body, fault = {"number": number, "action": action}, ""
        while self._waiting is None:
            try:
                self._site.post("seats", self._match_id, "answers", body=body)
            except SiteUnreachable:
                pass  # the stream knows how long to be patient
            except SiteRefusal as refusal:
                if refusal.code == NOT_PLAYABLE and body["action"] != RESIGN:
                    fault = f"{json.dumps(action)}: {refusal}"
                    body["action"] = RESIGN
                    continue
                if refusal.code not in NOT_NOW and refusal.status not in BUSY:
                    raise
            else:
                return fault
            try:
                event = self._events.get(timeout=AGAIN_S)
            except queue.Empty:
                continue
            if isinstance(event, Exception):
                raise event
            self._waiting = event
        return fault


class RemoteGames:
    """The open games of a command, each played in a thread with programs of its own."""

    def __init__(
        self, site: SiteClient, *, bot: HomeBot, note: Callable[[str], None], is_named: bool
    ) -> None:
        """Do nothing yet. See `RemoteGame` for what it takes."""
        self._site, self._bot, self._note, self._is_named = site, bot, note, is_named
        self._lock, self._open, self._is_stopped = Lock(), set[RemoteGame](), False

    def play(self, match_id: str) -> Ended:
        """Play a game to its end, and raise what `RemoteGame.play` does."""

        def note(text: str) -> None:
            self._note(f"{match_id}: {text}" if self._is_named else text)

        game = RemoteGame(self._site, match_id, bot=self._bot, note=note, is_named=self._is_named)
        with self._lock:
            if self._is_stopped:
                raise Stopped
            self._open.add(game)
        try:
            with game:
                return game.play()
        finally:
            with self._lock:
                self._open.discard(game)

    def stop(self) -> None:
        """Stop all games, and those that would begin."""
        with self._lock:
            self._is_stopped = True
            for game in self._open:
                game.stop()
