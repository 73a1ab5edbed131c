"""The pictures on a duel's rule pages, drawn from its data and by its rules."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from engine.duel.army import ATTACKER, DEFENDER, RANKS, fights
from engine.duel.board import EMPTY, make_board
from engine.duel.faces import PICTURES
from engine.duel.moves import legal_moves
from engine.duel.options import OPTIONS
from engine.duel.scenes import scene
from engine.duel.spec import PREFIX, SEATS, DuelSpec, rules_of
from engine.duel.state import State
from engine.scene import Cell, Line, Mark, Note, Piece, Scene

UNKNOWN = "?"
CASES_PER_COLUMN = 4
CASE_COLUMNS, CASE_WIDTH = 5, 6  # two squares, an arrow, two squares; and a gap to the next case
FRAME_WIDTH = 1.2
AWAY, HOME = 1, 2  # the rows of a frame, below its number

Diagrams = Mapping[str, Callable[[], Scene]]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A position to draw, in words such as `3b2 ?b7`: a rank, or `?` for a back, and a square.

    `start` is the square of a piece whose moves are marked; `window` names the two squares, bottom
    left and top right, that the picture ends at.
    """

    red: str = ""
    blue: str = ""
    start: str = ""
    window: tuple[str, str] | None = None


def sketched(spec: DuelSpec, sketch: Sketch, *, lakes: str | None = None) -> Scene:
    """Draw a sketch on a duel's board, with its lakes as the option `lakes` says."""
    pieces = _pieces("red", sketch.red.split()) + _pieces("blue", sketch.blue.split())
    drawn = _drawn(spec, pieces, lakes=lakes)
    places = {cell.name: cell for cell in drawn.cells}
    marks = _reach(spec, sketch) if sketch.start else ()
    drawn = replace(
        drawn, marks=tuple(Mark(kind, places[at].x, places[at].y) for kind, at in marks)
    )
    return drawn if sketch.window is None else _window(drawn, *(places[at] for at in sketch.window))


def set_up(spec: DuelSpec, deployment: str) -> Scene:
    """Draw the board after the deployments as red sees it: own faces, blue's backs."""
    red, blue = _homes(spec)
    return _drawn(
        spec,
        _pieces("red", [rank + at for rank, at in zip(deployment, red, strict=True)])
        + _pieces("blue", [UNKNOWN + at for at in blue]),
    )


def order(spec: DuelSpec) -> Scene:
    """Draw the home squares of both seats, numbered in the order of a deployment's letters."""
    drawn = _drawn(spec, [])
    places = {cell.name: cell for cell in drawn.cells}
    notes = (
        Note(places[at].x, places[at].y - 0.3, str(number))
        for home in _homes(spec)
        for number, at in enumerate(home, start=1)
    )
    return replace(drawn, notes=tuple(notes))


def cases(spec: DuelSpec, pairs: Collection[str]) -> Scene:
    """Draw fights, each before and after: `8B` is a red colonel that attacks a blue bomb.

    They stand four below one another; who wins is looked up in the rules of the duel.
    """
    table = fights(spec.army, spy_beats=spec.spy_beats, bomb_survives=True)
    rows = min(len(pairs), CASES_PER_COLUMN)
    columns = -(-len(pairs) // CASES_PER_COLUMN) * CASE_WIDTH - (CASE_WIDTH - CASE_COLUMNS)
    drawn = Scene(columns=columns, rows=rows, cells=(), pieces=(), pictures=PICTURES)
    for number, pair in enumerate(pairs):
        column, y = divmod(number, CASES_PER_COLUMN)
        drawn = _with_case(drawn, column * CASE_WIDTH, y, pair, table[pair])
    return drawn


def shuttle(limit: int, rank: str) -> Scene:
    """Draw a piece going to and fro, one frame a move, until the way back is walled off."""
    drawn = Scene(
        columns=ceil(limit * FRAME_WIDTH) + 1, rows=3, cells=(), pieces=(), pictures=PICTURES
    )
    for number in range(limit + 1):
        x, (here, there) = number * FRAME_WIDTH, (AWAY, HOME) if number % 2 else (HOME, AWAY)
        barred = "wall" if number == limit else "land"
        cells = Cell(x, here, name=f"{number} {here}"), Cell(x, there, barred, f"{number} {there}")
        drawn = replace(
            drawn,
            cells=(*drawn.cells, *cells),
            pieces=(*drawn.pieces, _piece(f"r{number}", x, here, rank)),
            marks=(*drawn.marks, Mark("to", x, here)) if number else (),
            notes=(*drawn.notes, Note(x, 0, str(number))) if number else (),
        )
    return drawn


def _reach(spec: DuelSpec, sketch: Sketch) -> Iterator[tuple[str, str]]:
    """Mark where a piece stands and, by the rules, each square that it may go to or attack."""
    state = State(rules_of(spec, {key: option.default for key, option in OPTIONS.items()}))
    board = state.rules.board
    for seat, words in enumerate((sketch.red, sketch.blue)):
        for number, word in enumerate(words.split()):
            piece = seat * state.rules.strength + number
            state.rank[piece] = word[0]
            state.put(piece, seat, board.index[word[1:]])
            state.muster(piece)
    yield "from", sketch.start
    mover = state.side[board.index[sketch.start]]
    for text in legal_moves(state, mover):
        start, target, _ = board.moves[text]
        if board.names[start] == sketch.start:
            yield "to" if state.side[target] == EMPTY else "fight", board.names[target]


def _with_case(drawn: Scene, left: int, y: int, pair: str, winner: str) -> Scene:
    """Add a fight: attacker and defender, an arrow, and the same two squares afterwards."""
    attacker, defender = pair[0], pair[1]
    after = _piece(f"a{left}.{y}", left + (4 if winner == ATTACKER else 3), y, attacker)
    if winner == DEFENDER:
        after = replace(after, x=left + 4, side="blue", face=defender)
    survivors = (after,) if winner in (ATTACKER, DEFENDER) else ()
    tip = left + 2.3
    return replace(
        drawn,
        cells=(*drawn.cells, *(Cell(left + at, y, name=f"{pair} {at}") for at in (0, 1, 3, 4))),
        pieces=(
            *drawn.pieces,
            _piece(f"r{left}.{y}", left, y, attacker),
            replace(_piece(f"b{left}.{y}", left + 1, y, defender), side="blue"),
            *survivors,
        ),
        marks=(*drawn.marks, Mark("fight", left + 1, y)),
        lines=(
            *drawn.lines,
            Line(left + 1.7, y, tip, y),
            Line(tip - 0.18, y - 0.18, tip, y),
            Line(tip - 0.18, y + 0.18, tip, y),
        ),
    )


def _piece(name: str, x: float, y: float, rank: str) -> Piece:
    return Piece(name, x, y, "red", rank, RANKS[rank])


def _homes(spec: DuelSpec) -> tuple[list[str], list[str]]:
    board = make_board(spec.files, spec.ranks, ())
    last = len(board.names) - 1
    return list(spec.home), [board.names[last - board.index[name]] for name in spec.home]


def _pieces(seat: str, words: Collection[str]) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{PREFIX[SEATS.index(seat)]}{number}",
            "seat": seat,
            "square": word[1:],
            "rank": None if word[0] == UNKNOWN else word[0],
            "moved": False,
            "revealed": False,
        }
        for number, word in enumerate(words, start=1)
    ]


def _drawn(spec: DuelSpec, pieces: list[dict[str, Any]], *, lakes: str | None = None) -> Scene:
    """Draw pieces as a game's own picture would show them."""
    wet = spec.lakes[lakes or next(iter(spec.lakes))]
    board = {"files": spec.files, "ranks": spec.ranks, "lakes": list(wet)}
    return scene({"board": board, "pieces": pieces, "captured": []})


def _window(drawn: Scene, first: Cell, last: Cell) -> Scene:
    """Cut a picture down to the squares between two corners; all that it holds lies inside."""
    x, y = round(first.x), round(last.y)
    columns, rows = round(last.x) - x + 1, round(first.y) - y + 1

    def shown(edge: str, at: int) -> bool:
        return 0 <= at - (y if edge == "left" else x) < (rows if edge == "left" else columns)

    return replace(
        drawn,
        columns=columns,
        rows=rows,
        cells=tuple(
            replace(cell, x=cell.x - x, y=cell.y - y)
            for cell in drawn.cells
            if 0 <= cell.x - x < columns and 0 <= cell.y - y < rows
        ),
        pieces=tuple(replace(piece, x=piece.x - x, y=piece.y - y) for piece in drawn.pieces),
        marks=tuple(replace(mark, x=mark.x - x, y=mark.y - y) for mark in drawn.marks),
        labels=tuple(
            replace(label, at=label.at - (y if label.edge == "left" else x))
            for label in drawn.labels
            if shown(label.edge, label.at)
        ),
    )
