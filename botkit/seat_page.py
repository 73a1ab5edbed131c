"""What a page shows to a person who plays: made from what a bot in the seat would be sent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from botkit.shapes import folded
from engine import replay, svg
from engine.errors import EngineError
from engine.registry import find
from engine.rng import Rng
from engine.scene import Scene


@dataclass(slots=True)
class Turn:
    """What the page shows.

    `wanted` is what the person is asked for: a "move", a "set-up", nothing, or after a game whether
    to play "again", unless it was the "last". `places` are those of the board, and `acts` what may
    be answered, each with its places. `draft` is the set-up to begin with, and `likes` are house
    bots that have one to offer. `problem` says what went wrong.
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
    problem: str = ""


class SeatPage:
    """The page of a seat in one game, from its `start` message and the others since.

    `view` is the latest view that the seat has been sent, if it has been sent any. `rng` makes the
    set-ups that are offered, and `drafted` is the latest of them.
    """

    def __init__(
        self,
        start: Mapping[str, Any],
        *,
        title: str,
        rng: Rng,
        view: Mapping[str, Any] | None = None,
        drafted: str = "",
    ) -> None:
        self.start = start
        self.variant = find(start["variant"])
        self.options, self.seat = start["options"], start["seat"]
        self.title, self.rng = title, rng
        self.view: Mapping[str, Any] = view or {}
        self.drafted = drafted
        seats = self.variant.seats
        self.is_turned = len(seats) == svg.FACING and self.seat == seats[-1]

    def turn(self, message: Mapping[str, Any]) -> Turn:
        """Return what an `act` or `end` message shows."""
        # A sentence for each event, told from the view just before it. Those before the first
        # message are told from its view, for want of another.
        sentences = []
        for number, event in enumerate(message["events"]):
            before = dict(self.view or message["view"])
            if self.view:
                before = self._after(self.view, *message["events"][:number]) or before
            sentences.append(self.variant.describe(event, before)[1])
        events = [sentence for sentence in sentences if sentence]
        self.view = message["view"]
        scene = self.variant.scene(dict(self.view))
        last = [event for event in message["events"] if "to" in event][-1:]
        scene = replace(scene, marks=replay.marks(self.variant, scene, last))
        turn = Turn(
            title=self.title,
            board=self._drawn(scene),
            places=[{"name": cell.name, "x": cell.x, "y": cell.y} for cell in scene.cells],
            fallen=[gone.text for gone in scene.removed],
            events=events,
        )
        if message["type"] == "end":
            return turn
        if "legal" in message:
            names = sorted({cell.name for cell in scene.cells if cell.name}, key=len, reverse=True)
            place = "|".join(map(re.escape, names))
            whole, one = re.compile(f"(?:(?:{place})[-!]*)+"), re.compile(place)
            # An action that names anything else, such as a slot by its number, has no places.
            turn.wanted = "move"
            turn.acts = [
                {"action": action, "places": one.findall(action) if whole.fullmatch(action) else []}
                for action in message["legal"]
            ]
        else:
            turn.wanted, turn.draft = "set-up", self.draft(self.drafted)
        phase = self.variant.schema()["$defs"].get(f"action_{message['phase']}", {})
        turn.hint = phase.get("description", "").removesuffix(" resign: give the game up.")
        return turn

    def draft(self, codes: str = "") -> dict[str, Any]:
        """Return a set-up: its codes, their places, and its picture.

        It is a random one, unless `codes` are those of the last one in another order, or can be
        played. It has no places in a game that does not tell where its pieces would stand.
        """
        is_reordered = sorted(codes) == sorted(self.drafted)
        if not codes or not (is_reordered or not self.problem_of_setup(codes)):
            codes = self.variant.draft(dict(self.view), self.rng)
        self.drafted = codes
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

    def begun_alike(self) -> Any:  # noqa: ANN401 - the state of a game
        """Return a game that begins alike for this seat, or None where each chance deals anew."""
        state = self.variant.begin(self.options, self.start["rng_seed"])
        return state if self.variant.view(state, self.seat) == self.view else None

    def problem_of_setup(self, codes: str) -> str:
        """Return why the rules refuse a set-up, or nothing.

        They are asked in a game of their own, if it begins alike for this seat.
        """
        state = self.begun_alike()
        if state is None:
            is_reordered = sorted(codes) == sorted(self.drafted)
            return "" if is_reordered else "Only the order can be changed: shuffle for others."
        try:
            self.variant.apply(state, self.seat, codes)
        except EngineError as refused:
            return str(refused)
        return ""

    def _after(self, view: Mapping[str, Any], *events: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the view after events; None in a game that has no fold."""
        try:
            return folded(view, {**view, "events": events}, self.options)
        except ValueError:
            return None

    def _drawn(self, scene: Scene) -> str:
        return svg.draw(scene, title=self.title, flipped=self.is_turned)
