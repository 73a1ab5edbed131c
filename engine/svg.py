"""One scene as one SVG. Classes only, no styles, so it works under a strict content policy.

The picture can be read as it is; a style sheet may repaint it by these classes:

`.board` the svg (`data-columns`, `data-rows`, `data-flipped`) · `.cells` with `.cell` and `.odd`,
`.lake`, `.wave` · `.labels` with `.label` · `.marks` with `.mark` and `.mark-from`, `.mark-to`,
`.mark-fight` · `.pieces` with `.piece` and `.side-<side>`, `.face` or `.back`, `.known` (its rank
is known to all), `.moved` · inside pieces `.body`, `.hatch`, `.ink`, `.ink-line`, `.pip` (a dot,
drawn by the style sheet for `.known`).

Cells, marks and pieces live in `<g class="field">`, 100 units to a cell: a piece at column x, row y
stands at `translate(100x, 100y)`, or with `flipped` at `translate(100(columns-1-x),
100(rows-1-y))`.
"""

from collections.abc import Iterator
from html import escape

from engine.faces import COLOURS, FACES, definitions
from engine.scene import Cell, Label, Mark, Piece, Scene

UNIT = 100
MARGIN = 44  # for the coordinates, left and below


def draw(scene: Scene, *, title: str, flipped: bool = False) -> str:
    """Draw a scene; a screen reader says `title`, and `flipped` turns the board around."""
    width, height = scene.columns * UNIT + MARGIN, scene.rows * UNIT + MARGIN
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}"',
            f' role="img" aria-label="{escape(title)}" data-columns="{scene.columns}"',
            f' data-rows="{scene.rows}" data-flipped="{str(flipped).lower()}">',
            definitions(),
            '<g class="labels">',
            *(_label(scene, label, flipped=flipped) for label in scene.labels),
            f'</g><g class="field" transform="translate({MARGIN},0)"><g class="cells">',
            *_cells(scene, flipped=flipped),
            '</g><g class="marks">',
            *(_mark(scene, mark, flipped=flipped) for mark in scene.marks),
            '</g><g class="pieces">',
            *(_piece(scene, piece, flipped=flipped) for piece in scene.pieces),
            "</g></g></svg>",
        )
    )


def _place(scene: Scene, x: int, y: int, *, flipped: bool) -> tuple[int, int]:
    """Give the top left corner of a cell in units."""
    if flipped:
        x, y = scene.columns - 1 - x, scene.rows - 1 - y
    return x * UNIT, y * UNIT


def _cells(scene: Scene, *, flipped: bool) -> Iterator[str]:
    for cell in scene.cells:
        x, y = _place(scene, cell.x, cell.y, flipped=flipped)
        kind, fill = _ground(cell)
        yield (
            f'<rect class="{kind}" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}" fill="{fill}"/>'
        )
        if cell.kind == "lake":
            waves = "".join(f"M{x + 14} {y + at}q12 -14 24 0t24 0t24 0" for at in (32, 56, 80))
            yield f'<path class="wave" fill="none" stroke="#d7ecf5" stroke-width="5" d="{waves}"/>'


def _ground(cell: Cell) -> tuple[str, str]:
    if cell.kind == "lake":
        return "cell lake", "#6aa5c2"
    return ("cell odd", "#e3d9b8") if (cell.x + cell.y) % 2 else ("cell", "#ece4c8")


def _mark(scene: Scene, mark: Mark, *, flipped: bool) -> str:
    x, y = _place(scene, mark.x, mark.y, flipped=flipped)
    return (
        f'<rect class="mark mark-{escape(mark.kind)}" x="{x + 3}" y="{y + 3}" width="{UNIT - 6}"'
        f' height="{UNIT - 6}" rx="10" fill="none" stroke="#d98a00" stroke-width="6"/>'
    )


def _label(scene: Scene, label: Label, *, flipped: bool) -> str:
    middle = UNIT // 2
    if label.edge == "left":
        _, y = _place(scene, 0, label.at, flipped=flipped)
        x, y = MARGIN // 2, y + middle + 10
    else:
        x, _ = _place(scene, label.at, 0, flipped=flipped)
        x, y = x + MARGIN + middle, scene.rows * UNIT + MARGIN - 12
    return (
        f'<text class="label" x="{x}" y="{y}" text-anchor="middle" font-size="28"'
        f' font-family="system-ui, sans-serif" fill="currentColor">{escape(label.text)}</text>'
    )


def _piece(scene: Scene, piece: Piece, *, flipped: bool) -> str:
    x, y = _place(scene, piece.x, piece.y, flipped=flipped)
    face = piece.face if piece.face in FACES else "back"
    classes = ["piece", f"side-{piece.side}", "back" if face == "back" else "face"]
    classes += [word for word, on in (("known", piece.known_to_all), ("moved", piece.moved)) if on]
    return (
        f'<g class="{escape(" ".join(classes))}" data-id="{escape(piece.id)}"'
        f' transform="translate({x},{y})"'
        f' color="{COLOURS.get(piece.side, "#444")}"><use href="#body-{escape(piece.side)}"/>'
        f'<use href="#face-{face}"/><circle class="pip" cx="81" cy="21" r="6" opacity="0"/></g>'
    )
