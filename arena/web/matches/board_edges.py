"""What stands at the edges of a board: who plays a seat, what it lost, and what its clock shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.matches import replays
from arena.domain.matches.replays import Clocks
from arena.models import Game, Version
from arena.web.matches import labels
from arena.web.matches.replay_frames import ReplayFrame, Tray
from arena.web.matches.seatings import SeatedVersion
from engine import registry


@dataclass(frozen=True, slots=True)
class EdgeClock:
    """A clock: `left_ms` before the first ply, what a ply adds, and what it shows now."""

    left_ms: int
    increment_ms: int
    shown: str


@dataclass(frozen=True, slots=True)
class BoardEdge:
    """A seat beside the board; the last seat is above it, and the others below."""

    seat: str
    label: str
    is_above: bool
    version: Version
    clock: EdgeClock | None
    tray: Tray | None


def of_game(
    game: Game, places: Sequence[SeatedVersion], document: Mapping[str, Any], frame: ReplayFrame
) -> list[BoardEdge]:
    """Return the edges of a disclosed game at the ply of a frame. Raise Refused."""
    versions = {seat: place.version for place in places for seat in place.seats}
    clocks = replays.clocks(game=game, plies=len(document["steps"]))
    trays = {tray.side: tray for tray in frame.trays}
    seats = registry.find(document["variant"]).seats
    return [
        BoardEdge(
            seat,
            labels.seat_name(seat),
            seat == seats[-1],
            versions[seat],
            _clock(seat, clocks, document["steps"][: frame.ply]) if clocks else None,
            trays.get(seat),
        )
        for seat in seats
    ]


def _clock(seat: str, clocks: Clocks, steps: Sequence[Mapping[str, Any]]) -> EdgeClock:
    left_ms = clocks.left_ms[seat]
    own = [step["charged_ms"] for step in steps if step["seat"] == seat]
    now_ms = left_ms + len(own) * clocks.increment_ms - sum(own)
    # As arena/static/js/replay/clocks.js has it.
    minutes, tenths = divmod(max(0, now_ms) // 100, 600)
    shown = f"{minutes}:{tenths // 10:02}.{tenths % 10}"
    return EdgeClock(left_ms, clocks.increment_ms, shown)
