"""The board as text, for readers who cannot see the picture.

Squares become a table with the coordinates as headings. Places outside a grid, such as circles
and slots, become a list with their names.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from engine.scene import Cell, Note, Piece, Scene

NO_SQUARES = ("circle", "slot", "wall")


@dataclass(frozen=True, slots=True)
class PlaceWords:
    """A place, its contents, and the key by which a script finds it; the key may be empty."""

    name: str
    key: str
    text: str
    is_lake: bool = False


@dataclass(frozen=True, slots=True)
class Rank:
    """A row of the table: its name and its squares; gaps in the board are empty squares."""

    name: str
    squares: Sequence[PlaceWords]


@dataclass(frozen=True, slots=True)
class BoardWords:
    """The table and the list; either may be empty."""

    files: Sequence[str]
    ranks: Sequence[Rank]
    places: Sequence[PlaceWords]


NOTHING = PlaceWords("", "", "")


def of(scene: Scene) -> BoardWords:
    """Return a scene as text."""
    # The words for every place that has pieces or notes on it, with identical ones counted.
    texts_at: dict[str, Counter[str]] = {}
    placed: tuple[Piece | Note, ...] = (*scene.pieces, *scene.notes)
    for item in placed:
        texts_at.setdefault(_key(item.x, item.y), Counter())[item.text] += 1
    standing = {
        key: "; ".join(
            f"{text} \N{MULTIPLICATION SIGN}{n}" if n > 1 else text for text, n in texts.items()
        )
        for key, texts in texts_at.items()
    }
    squares = {
        (cell.x, cell.y): cell
        for cell in scene.cells
        if scene.labels
        and float(cell.x).is_integer()
        and float(cell.y).is_integer()
        and cell.kind not in NO_SQUARES
    }
    others = [cell for cell in scene.cells if cell.name and (cell.x, cell.y) not in squares]
    names = {label.at: label.text for label in scene.labels if label.edge == "left"}
    ranks = [
        Rank(
            names.get(y, ""),
            [_words(squares.get((x, y)), standing) for x in range(scene.columns)],
        )
        for y in range(scene.rows)
    ]
    return BoardWords(
        files=[label.text for label in scene.labels if label.edge == "bottom"],
        ranks=ranks if squares else [],
        places=[_words(cell, standing) for cell in others if cell.kind != "wall"],
    )


def _words(cell: Cell | None, standing: Mapping[str, str]) -> PlaceWords:
    if cell is None:
        return NOTHING
    key = _key(cell.x, cell.y)
    is_lake = cell.kind == "lake"
    empty = gettext("lake") if is_lake else ""
    return PlaceWords(cell.name, key, standing.get(key, empty), is_lake)


def _key(x: float, y: float) -> str:
    """Return the key of a place as JavaScript writes it: 3,4.5."""
    return ",".join(str(int(at)) if float(at).is_integer() else repr(at) for at in (x, y))
