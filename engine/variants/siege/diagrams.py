"""The pictures of the rule page, drawn from positions and by the rules."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from engine.scene import Line, Mark, Scene
from engine.variant import PUBLIC
from engine.variants.siege.army import GARRISON, SEATS, WHITE
from engine.variants.siege.board import NAMES
from engine.variants.siege.moves import captures
from engine.variants.siege.options import OPTIONS
from engine.variants.siege.play import play
from engine.variants.siege.positions import position
from engine.variants.siege.readings import rules_of
from engine.variants.siege.scenes import PLACE, scene
from engine.variants.siege.state import State
from engine.variants.siege.views import view

GAP = 1  # columns between two pictures side by side
Window = tuple[str, str]  # the squares bottom left and top right


def _opening(**options: object) -> Scene:
    """Draw the board as the garrison is about to move."""
    state = State(rules_of({key: option.default for key, option in OPTIONS.items()} | options))
    play(state, GARRISON, "SSCSSSGS")
    return _drawn(state)


def _moves(window: Window, start: str, turn: str = "garrison", **pieces: str) -> Scene:
    """Draw where the piece on a place may go, and what it may capture."""
    state = position(*(pieces.get(seat, "") for seat in SEATS), turn=turn)
    own = [text for text in state.moves if text.startswith(f"{start}-")]
    taking = captures(state, own)
    marks = [Mark("from", *PLACE[start])]
    for text in own:
        target = NAMES[state.rules.ends[text][1]]
        marks.append(Mark("fight" if text in taking else "to", *PLACE[target]))
    return _window(replace(_drawn(state), marks=tuple(marks)), *window)


def _position(window: Window, *marked: str, turn: str = "garrison", **pieces: str) -> Scene:
    """Draw a position with marks on some places."""
    drawn = _drawn(position(*(pieces.get(seat, "") for seat in SEATS), turn=turn))
    marks = tuple(Mark("to", *PLACE[place]) for place in marked)
    return _window(replace(drawn, marks=marks), *window)


def _example() -> Scene:
    """Draw the position of the example message, which was put together to be short."""
    state = position("SN CNE SE SSE GS Sd7 Sm5 Sh10", "Sb5 Sb9 Ld10", "Sn8 Gp6", turn="white")
    play(state, WHITE, "b5-c6!")
    return _drawn(state)


def _drawn(state: State) -> Scene:
    return scene(view(state, PUBLIC))


def _window(drawn: Scene, low: str, high: str) -> Scene:
    """Cut a picture down to the part between two squares, without coordinates."""
    (left, bottom), (right, top) = PLACE[low], PLACE[high]

    def inside(x: float, y: float) -> bool:
        return left <= x <= right and top <= y <= bottom

    kept = replace(
        drawn,
        columns=int(right - left) + 1,
        rows=int(bottom - top) + 1,
        cells=tuple(cell for cell in drawn.cells if inside(cell.x, cell.y)),
        pieces=tuple(piece for piece in drawn.pieces if inside(piece.x, piece.y)),
        marks=tuple(mark for mark in drawn.marks if inside(mark.x, mark.y)),
        labels=(),
        removed=(),
        lines=tuple(
            line for line in drawn.lines if inside(line.x1, line.y1) and inside(line.x2, line.y2)
        ),
    )
    return _shifted(kept, -left, -top)


def _shifted(drawn: Scene, x: float, y: float) -> Scene:
    return replace(
        drawn,
        cells=tuple(replace(cell, x=cell.x + x, y=cell.y + y) for cell in drawn.cells),
        pieces=tuple(replace(piece, x=piece.x + x, y=piece.y + y) for piece in drawn.pieces),
        marks=tuple(Mark(mark.kind, mark.x + x, mark.y + y) for mark in drawn.marks),
        lines=tuple(
            Line(line.x1 + x, line.y1 + y, line.x2 + x, line.y2 + y) for line in drawn.lines
        ),
    )


def _beside(*parts: Callable[[], Scene]) -> Scene:
    """Put pictures of the same height side by side."""
    drawn, *others = (part() for part in parts)
    for number, other in enumerate(others, 1):
        right = _shifted(other, drawn.columns + GAP, 0)
        drawn = replace(
            drawn,
            columns=right.columns + GAP + drawn.columns,
            cells=(*drawn.cells, *right.cells),
            pieces=(
                *drawn.pieces,
                *(replace(piece, id=f"{piece.id}.{number}") for piece in right.pieces),
            ),
            marks=(*drawn.marks, *right.marks),
            lines=(*drawn.lines, *right.lines),
        )
    return drawn


AROUND_C6, AROUND_C3 = ("a4", "e8"), ("a1", "e5")
WEST = ("c3", "k10")  # the west gate and the whole fort

DIAGRAMS: Mapping[str, Callable[[], Scene]] = MappingProxyType(
    {
        "set-up": _opening,
        "gates-north-south": partial(_opening, gates="NS"),
        "own-colour": partial(_opening, setup="own_colour"),
        "besiegers": partial(
            _beside,
            *(
                partial(_moves, AROUND_C6, "c6", turn="white", garrison="GN", white=f"{rank}c6")
                for rank in "GCKLS"
            ),
        ),
        "garrison": partial(
            _beside, *(partial(_moves, AROUND_C6, "c6", garrison=f"{rank}c6") for rank in "GCS")
        ),
        "gate": partial(_moves, WEST, "W", garrison="SW GN", white="Le7 Sd4"),
        "figure-b": partial(_moves, AROUND_C3, "c3", garrison="Sc3", white="Se5", black="Sd4"),
        "figure-c": partial(_moves, AROUND_C3, "c3", garrison="Gc3", white="Sd4", black="Sc4"),
        "opened": partial(_moves, ("a2", "e6"), "c4", garrison="Cc4", white="Sc3", black="Cc5"),
        "immobilised": partial(
            _position,
            ("a1", "p12"),
            *("e6", "e7", "l6", "l7"),
            garrison="GW CE SN SNE SSE SS SSW Sa1",
            white="Sb2 Sc3",
        ),
        "example": _example,
        "entered": partial(
            _position, WEST, "W", turn="white", garrison="Cd9", white="SN Se6", black="LNE"
        ),
    }
)
