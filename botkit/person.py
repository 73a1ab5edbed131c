"""A person in a seat at home: a page in the browser, for who plays against a bot.

The page is made from what a bot in this seat would be sent, and from nothing else. A server on the
loopback interface, behind an address that nobody can guess, gives it out and takes the answers.
"""

import contextlib
import json
import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from threading import Condition, Thread
from typing import Any, Self

from botkit import replay_page
from botkit.home import HomeBot, NoBot, find_bot, house_bots
from botkit.person_table import PersonTable
from botkit.program import LocalProgram
from botkit.seat_page import SeatPage, Turn
from engine.outcome import RESIGN
from engine.protocol import Ask, Failure, Table, encode, parse_act
from engine.record import Record
from engine.registry import find
from engine.rng import Rng

ME = HomeBot("me", ())
PAGE = Path(__file__).with_suffix(".html")
SHEETS = [
    *(part for part in replay_page.SHEETS if "replay" not in part and "moves" not in part),
    replay_page.PERSON_SHEET,
]
WAIT_S = 20.0  # for something new, until the page asks again
LOOK_S = 0.5  # how often Ctrl-C is looked for
BODY_MAX_BYTES = 4096
PRESET_WAIT_MS = 10_000.0  # for a house bot to start, and to set up


class Desk:
    """Where the person plays: the server of the page. Leaving the context closes it."""

    def __init__(self) -> None:
        self._root = f"/{secrets.token_urlsafe()}/"
        script = replay_page.part_text(replay_page.PERSON_SCRIPT)
        self._pages = {
            self._root: Template(PAGE.read_text(encoding="utf-8")).substitute(
                styles=replay_page.styles(SHEETS),
                script=script,
                digest=replay_page.digest(script),
            )
        }
        self._changed = Condition()
        self._turn, self._number = Turn("The first game begins."), 0
        self._answer: str | None = None
        self._seat: _Sitting | None = None
        handler = type("Handler", (_Handler,), {"desk": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True

    @property
    def address(self) -> str:
        """The address of the page, which nobody can guess."""
        return f"http://127.0.0.1:{self._server.server_port}{self._root}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.show(replace(self._turn, title="No more games: you can close this page.", wanted=""))
        time.sleep(2 * LOOK_S)  # for the page to learn it
        self._server.shutdown()
        self._server.server_close()

    def show(self, turn: Turn) -> None:
        """Let the page show something new."""
        with self._changed:
            self._turn, self._number, self._answer = turn, self._number + 1, None
            self._changed.notify_all()

    def ask(self, turn: Turn, seat: "_Sitting | None" = None) -> str:
        """Show something and return the person's answer to it."""
        self._seat = seat
        self.show(turn)
        with self._changed:
            while self._answer is None:
                self._changed.wait(LOOK_S)
            return self._answer

    def plays_on(self, record: Record, *, is_last: bool) -> bool:
        """Offer the replay of a game and, unless it is the last, another one.

        Return whether the person wants it.
        """
        self._pages[f"{self._root}replay"] = replay_page.page(record)
        wanted = "last" if is_last else "again"
        return self.ask(replace(self._turn, wanted=wanted)) == "again"

    def get(self, path: str) -> str | None:
        """Return the text of a page, or None."""
        return self._pages.get(path)

    def news(self, path: str, after: int) -> dict[str, Any] | None:
        """Return what is shown, as soon as it is newer; None at an unknown address."""
        if path != f"{self._root}turn":
            return None
        with self._changed:
            self._changed.wait_for(lambda: self._number > after, WAIT_S)
            return {"number": self._number, **asdict(self._turn)}

    def take(self, path: str, body: Mapping[str, Any]) -> dict[str, Any] | None:
        """Take what the person did; None at an unknown address, `problem` where it cannot be."""
        if path == f"{self._root}draft" and self._seat and self._turn.wanted == "set-up":
            like = str(body.get("like", ""))
            if like in self._turn.likes:
                return self._seat.draft_like(like)
            return self._seat.page.draft(str(body.get("codes", "")))
        if path != f"{self._root}answer":
            return None
        answer = str(body.get("answer"))
        with self._changed:
            if body.get("number") != self._number or self._answer is not None:
                return {"problem": "The game has gone on: look again."}
            problem = self._problem(answer)
            if problem:
                return {"problem": problem}
            self._answer = answer
            self._changed.notify_all()
        return {}

    def _problem(self, answer: str) -> str:
        """Return what is wrong with an answer, or nothing: a seat that errs would lose."""
        turn = self._turn
        ways = {"again": {"again", "enough"}, "last": {"enough"}, "": set()}
        known = ways.get(turn.wanted, {RESIGN} | {act["action"] for act in turn.acts})
        if answer in known:
            return ""
        if turn.wanted == "set-up" and self._seat is not None:
            return self._seat.page.problem_of_setup(answer)
        return f"{answer[:40]} cannot be played now."


class _Sitting:
    """The person's seat in one game: its page, and what the seat was asked last."""

    def __init__(self, start: Mapping[str, Any], against: str) -> None:
        variant, seat = find(start["variant"]), start["seat"]
        self._start, self._asked = start, start
        self.page = SeatPage(
            start,
            title=f"{variant.title}: you are {seat}, against {against}",
            rng=Rng(start["rng_seed"]),
        )

    def turn(self, message: Mapping[str, Any]) -> Turn:
        """Return what an `act` or `end` message shows."""
        self._asked = message
        turn = self.page.turn(message)
        if message["type"] == "end":
            points = (message["outcome"] or {}).get(self.page.variant.side_of(self.page.seat))
            result = {None: "The game is void", 1: "You won", 0: "You lost"}.get(points, "Drawn")
            turn.title = f"{result}: {message['termination'].replace('_', ' ')}."
        elif turn.wanted == "set-up":
            names = []
            for name in house_bots():
                with contextlib.suppress(NoBot):  # it cannot play here, such as without numpy
                    names += [name] if find_bot(name).plays(self.page.variant.slug) else []
            turn.likes = names
        return turn

    def draft_like(self, name: str) -> dict[str, Any]:
        """Return the set-up that a house bot chooses in this seat, or the `problem` with it."""
        start = {**self._start, "rng_seed": self.page.rng.below(2**32)}
        try:
            bot = find_bot(name)
            with LocalProgram(bot.command, folder=bot.folder, log=lambda _: None) as program:
                program.ask(Ask(encode(start), PRESET_WAIT_MS, starting=True))
                outcome = program.ask(Ask(encode(self._asked), PRESET_WAIT_MS))
        except NoBot as problem:
            return {"problem": str(problem)}
        if isinstance(outcome, Failure):
            return {"problem": f"{name} gave no set-up: {outcome.detail}"}
        self.page.drafted = parse_act(outcome.line).action
        return self.page.draft(self.page.drafted)


class DeskTable(PersonTable):
    """A table at which the person sits at a desk, without a clock."""

    def __init__(self, table: Table, *, desk: Desk, seats: Collection[str], against: str) -> None:
        """Seat the person in these seats, against bots of these names."""
        super().__init__(table, seats)
        self._desk, self._against = desk, against
        self._sittings: dict[str, _Sitting] = {}

    def act(self, seat: str, message: Mapping[str, Any]) -> str:
        """Return the person's action."""
        if seat not in self._sittings:
            self._sittings[seat] = _Sitting(self.starts[seat], self._against)
        sitting = self._sittings[seat]
        return self._desk.ask(sitting.turn(message), sitting)

    def show(self, seat: str, message: Mapping[str, Any]) -> None:
        """Show how the game ended, unless it ended before the person was asked."""
        if sitting := self._sittings.get(seat):
            self._desk.show(sitting.turn(message))


class _Handler(BaseHTTPRequestHandler):
    """Answers the page. The first part of every address is the secret."""

    desk: Desk

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?after=")
        if path.endswith("turn"):
            self._send_json(self.desk.news(path, int(query) if query.isdecimal() else 0))
            return
        self._send(self.desk.get(path), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        try:
            body = json.loads(self.rfile.read(min(length, BODY_MAX_BYTES)))
        except ValueError:
            body = None
        self._send_json(self.desk.take(self.path, body) if isinstance(body, dict) else None)

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal shows the games."""

    def _send_json(self, answer: Mapping[str, Any] | None) -> None:
        self._send(None if answer is None else json.dumps(answer), "application/json")

    def _send(self, text: str | None, kind: str) -> None:
        content = (text or "There is nothing here.").encode()
        self.send_response(HTTPStatus.OK if text is not None else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", kind if text is not None else "text/plain")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # the page was closed
            self.wfile.write(content)
