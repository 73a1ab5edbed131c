"""A person in a seat at home: a page in the browser, for who plays against a bot.

The page is made from what a bot in this seat would be sent, and from nothing else. A server on the
loopback interface, behind an address that nobody can guess, gives it out and takes the answers.
"""

import contextlib
import json
import re
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from threading import Condition, Thread
from typing import Any, Self

from botkit import replay_page
from botkit.home import HomeBot, NoBot, find_bot, house_bots
from botkit.program import LocalProgram
from botkit.shapes import folded
from engine import replay, svg
from engine.errors import EngineError
from engine.outcome import RESIGN
from engine.protocol import Answer, Ask, Failure, Table, TableWrapper, encode, parse_act
from engine.record import Record
from engine.registry import find
from engine.rng import Rng
from engine.scene import Scene

ME = HomeBot("me", ())
PAGE = Path(__file__).with_suffix(".html")
SCRIPT = PAGE.with_suffix(".js")
SHEETS = [part for part in replay_page.SHEETS if "replay" not in part and "moves" not in part]
WAIT_S = 20.0  # for something new, until the page asks again
LOOK_S = 0.5  # how often Ctrl-C is looked for
BODY_MAX_BYTES = 4096
PRESET_WAIT_MS = 10_000.0  # for a house bot to start, and to set up
NO_CLOCK_MS = 0.0  # a person is not timed


@dataclass(slots=True)
class _Turn:
    """What the page shows.

    `wanted` is what the person is asked for: a "move", a "set-up", nothing, or after a game whether
    to play "again", unless it was the "last". `places` are those of the board, and `acts` what may
    be answered, each with its places. `draft` is the set-up to begin with, and `likes` are house
    bots that have one to offer.
    """

    title: str
    wanted: str = ""
    board: str = ""
    hint: str = ""
    places: list[dict[str, Any]] = field(default_factory=list)
    acts: list[dict[str, Any]] = field(default_factory=list)
    draft: dict[str, Any] = field(default_factory=dict)
    likes: list[str] = field(default_factory=list)
    fallen: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)


class Desk:
    """Where the person plays: the server of the page. Leaving the context closes it."""

    def __init__(self) -> None:
        self._root = f"/{secrets.token_urlsafe()}/"
        self._pages = {self._root: _page()}
        self._changed = Condition()
        self._turn, self._number = _Turn("The first game begins."), 0
        self._answer: str | None = None
        self._seat: _Seat | None = None
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

    def show(self, turn: _Turn) -> None:
        """Let the page show something new."""
        with self._changed:
            self._turn, self._number, self._answer = turn, self._number + 1, None
            self._changed.notify_all()

    def ask(self, turn: _Turn, seat: "_Seat | None" = None) -> str:
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
            return self._seat.draft(str(body.get("codes", "")))
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
            return self._seat.problem_of_setup(answer)
        return f"{answer[:40]} cannot be played now."


class _Seat:
    """The person's seat in one game: what it has seen until now."""

    def __init__(self, start: Mapping[str, Any], against: str) -> None:
        self.start: Mapping[str, Any] = start
        self.asked: Mapping[str, Any] = {}
        self.variant = find(start["variant"])
        self.options, self.seat = start["options"], start["seat"]
        self.title = f"{self.variant.title}: you are {self.seat}, against {against}"
        self.rng = Rng(start["rng_seed"])
        self.view: Mapping[str, Any] = {}
        self.drafted = ""
        seats = self.variant.seats
        self.is_turned = len(seats) == svg.FACING and self.seat == seats[-1]

    def turn(self, message: Mapping[str, Any]) -> _Turn:
        """Return what an `act` or `end` message shows."""
        events = self._told(message)
        self.asked, self.view = message, message["view"]
        scene = self.variant.scene(dict(self.view))
        last = [event for event in message["events"] if "to" in event][-1:]
        scene = replace(scene, marks=replay.marks(self.variant, scene, last))
        turn = _Turn(
            title=self.title,
            board=self._drawn(scene),
            places=[{"name": cell.name, "x": cell.x, "y": cell.y} for cell in scene.cells],
            fallen=[gone.text for gone in scene.removed],
            events=events,
        )
        if message["type"] == "end":
            turn.title = _ending(message, self.variant.side_of(self.seat))
        elif "legal" in message:
            turn.wanted, turn.acts = "move", _acts(message["legal"], scene)
        else:
            turn.wanted, turn.draft, turn.likes = "set-up", self.draft(), self._house_bots()
        phase = self.variant.schema()["$defs"].get(f"action_{message.get('phase')}", {})
        turn.hint = phase.get("description", "").removesuffix(" resign: give the game up.")
        return turn

    def draft(self, codes: str = "") -> dict[str, Any]:
        """Return a set-up: its codes, their places, and its picture.

        It is a random one, unless `codes` are those of the last one in another order. It has no
        places in a game that does not tell where its pieces would stand.
        """
        if not codes or sorted(codes) != sorted(self.drafted):
            codes = self.drafted = self.variant.draft(dict(self.view), self.rng)
        numbers = range(1, len(codes) + 1)
        heard: list[dict[str, Any]] = [
            # Where ids are dealt, the first ones go to the set-up.
            {
                "type": "deployed",
                "seat": seat,
                "cards": [f"{seat[0]}{number}" for number in numbers],
            }
            for seat in self.variant.seats
        ]
        heard[self.variant.seats.index(self.seat)]["deployment"] = codes
        view = self._after(self.view, *heard)
        if view is None:
            return {"codes": codes, "places": [], "board": ""}
        scene = self.variant.scene(view)
        before = {piece.id for piece in self.variant.scene(dict(self.view)).pieces}
        names = {(cell.x, cell.y): cell.name for cell in scene.cells}
        own = [piece for piece in scene.pieces if piece.id not in before and piece.face is not None]
        own.sort(key=lambda piece: (len(piece.id), piece.id))  # b2 goes before b10
        places = [names.get((piece.x, piece.y), "") for piece in own]
        return {"codes": codes, "places": places, "board": self._drawn(scene)}

    def draft_like(self, name: str) -> dict[str, Any]:
        """Return the set-up that a house bot chooses in this seat, or the `problem` with it."""
        start = {**self.start, "rng_seed": self.rng.below(2**32)}
        try:
            bot = find_bot(name)
            with LocalProgram(bot.command, folder=bot.folder, log=lambda _: None) as program:
                program.ask(Ask(encode(start), PRESET_WAIT_MS, starting=True))
                outcome = program.ask(Ask(encode(self.asked), PRESET_WAIT_MS))
        except NoBot as problem:
            return {"problem": str(problem)}
        if isinstance(outcome, Failure):
            return {"problem": f"{name} gave no set-up: {outcome.detail}"}
        self.drafted = parse_act(outcome.line).action
        return self.draft(self.drafted)

    def _house_bots(self) -> list[str]:
        names = []
        for name in house_bots():
            with contextlib.suppress(NoBot):  # it cannot play here, such as without numpy
                names += [name] if find_bot(name).plays(self.variant.slug) else []
        return names

    def problem_of_setup(self, codes: str) -> str:
        """Return why the rules refuse a set-up, or nothing.

        They are asked in a game of their own, if it begins alike for this seat.
        """
        state = self.variant.begin(self.options, self.start["rng_seed"])
        if self.variant.view(state, self.seat) != self.view:  # its chance is another one
            is_reordered = sorted(codes) == sorted(self.drafted)
            return "" if is_reordered else "Only the order can be changed: shuffle for others."
        try:
            self.variant.apply(state, self.seat, codes)
        except EngineError as refused:
            return str(refused)
        return ""

    def _told(self, message: Mapping[str, Any]) -> list[str]:
        """Return a sentence for each event, told from the view just before it."""
        if not self.view:
            return []
        events = message["events"]
        sentences = []
        for number, event in enumerate(events):
            before = self._after(self.view, *events[:number]) or dict(self.view)
            sentences.append(self.variant.describe(event, before)[1])
        return [sentence for sentence in sentences if sentence]

    def _after(self, view: Mapping[str, Any], *events: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the view after events; None in a game that has no fold."""
        try:
            return folded(view, {**view, "events": events}, self.options)
        except ValueError:
            return None

    def _drawn(self, scene: Scene) -> str:
        return svg.draw(scene, title=self.title, flipped=self.is_turned)


class TableWithPerson(TableWrapper):
    """A table of bots at which the person has seats as well, without a clock."""

    def __init__(self, table: Table, *, desk: Desk, seats: Collection[str], against: str) -> None:
        """Seat the person in these seats, against bots of these names."""
        super().__init__(table)
        self._desk, self._against = desk, against
        self._seats: dict[str, _Seat | None] = dict.fromkeys(seats)

    def ask(self, asks: Mapping[str, Ask]) -> dict[str, Answer | Failure]:
        """Ask the bots, and then the person."""
        bots = {seat: ask for seat, ask in asks.items() if seat not in self._seats}
        outcomes = dict(super().ask(bots)) if bots else {}
        for seat in asks.keys() - bots.keys():
            answer = self._answer(seat, json.loads(asks[seat].line))
            outcomes[seat] = Answer(encode(answer).rstrip(), NO_CLOCK_MS)
        return outcomes

    def limits(self, seat: str) -> Mapping[str, int]:
        """Return what is enforced on a bot; nothing on a person."""
        return {} if seat in self._seats else super().limits(seat)

    def tell(self, seat: str, line: bytes) -> None:
        """Tell a bot how the game ended, or show it."""
        if seat not in self._seats:
            super().tell(seat, line)
        elif sitting := self._seats[seat]:
            self._desk.show(sitting.turn(json.loads(line)))

    def note(self, seat: str, text: str) -> None:
        """Pass on what is for the owner of a bot."""
        if seat not in self._seats:
            super().note(seat, text)

    def _answer(self, seat: str, message: Mapping[str, Any]) -> dict[str, Any]:
        sitting = self._seats[seat]
        if sitting is None:
            self._seats[seat] = _Seat(message, self._against)
            return {"type": "ready"}
        return {"action": self._desk.ask(sitting.turn(message), sitting)}


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


def _page() -> str:
    script = SCRIPT.read_text(encoding="utf-8")
    return Template(PAGE.read_text(encoding="utf-8")).substitute(
        styles=replay_page.styles(SHEETS),
        script=script,
        digest=replay_page.digest(script),
    )


def _acts(legal: Sequence[str], scene: Scene) -> list[dict[str, Any]]:
    """Return legal actions with the places that they name, in their order.

    An action that names anything else, such as a slot by its number, has none.
    """
    names = sorted({cell.name for cell in scene.cells if cell.name}, key=len, reverse=True)
    place = "|".join(map(re.escape, names))
    whole, one = re.compile(f"(?:(?:{place})[-!]*)+"), re.compile(place)
    return [
        {"action": action, "places": one.findall(action) if whole.fullmatch(action) else []}
        for action in legal
    ]


def _ending(message: Mapping[str, Any], side: str) -> str:
    """Return what the page says of the end of a game."""
    points = (message["outcome"] or {}).get(side)
    result = {None: "The game is void", 1: "You won", 0: "You lost"}.get(points, "Drawn")
    return f"{result}: {message['termination'].replace('_', ' ')}."
