"""One scene as one SVG. Classes only, no styles, so it works under a strict content policy.

The picture can be read as it is; a style sheet may repaint it by these classes:

`.board` the svg (`data-columns`, `data-rows`, `data-flipped`) · `.labels` with `.label` · `.cells`
with one path `.cell` for all squares of a kind (`.odd`, `.lake`, `.dark`, `.light`, `.wall`), the
`.wave` of lakes, `.way` lines on their `.way-edge`, and a `.cell.circle` or `.cell.slot` each ·
`.marks` with `.mark` and `.mark-from`, `.mark-to`, `.mark-fight` · `.pieces` with `.piece` and
`.side-<side>`, `.face` or `.back`, `.known` (its rank is known to all, and it carries a `.pip`),
`.moved` · inside pieces `.body` (with an `.edge` or not), `.hatch`, `.ink`, `.ink-line` · `.notes`
with `.note`.

Cells, marks, pieces and notes live in `<g class="field">`, 100 units to a cell: a piece at column
x, row y stands at `translate(100x,100y)`, or with `flipped` at `translate(100(columns-1-x),
100(rows-1-y))`.
"""

from collections.abc import Iterator
from html import escape

from engine.faces import INK_COLOUR
from engine.scene import Cell, Label, Line, Mark, Note, Piece, Scene

UNIT = 100
FONT = 'font-family="system-ui, sans-serif"'
FACING = 2  # seats opposite each other; only then is turning the board useful
WIDE = 10  # boards with more columns get larger words: they are seen from further away
SQUARES = {
    "land": ("cell", "#ece4c8"),
    "odd": ("cell odd", "#e3d9b8"),
    "lake": ("cell lake", "#6aa5c2"),
    "light": ("cell light", "#ecdcb6"),
    "dark": ("cell dark", "#b58a5c"),
    "wall": ("cell wall", "#6b6155"),
}
ROUND = ("circle", "slot")


def draw(scene: Scene, *, title: str, flipped: bool = False, still: bool = False) -> str:
    """Draw a scene; a screen reader says `title`, and `flipped` turns the board around.

    A `still` picture defines only what it shows; others define all faces, for who moves them.
    """
    pictures = scene.pictures
    bodies = {pictures.body_of(piece.side) for piece in scene.pieces} if still else None
    faces = {pictures.face_of(piece.face) for piece in scene.pieces} if still else None
    size = 28 if scene.columns <= WIDE else 40
    margin = size * 8 // 5 if scene.labels else 12  # for the coordinates, left and below
    width, height = scene.columns * UNIT + margin, scene.rows * UNIT + margin
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}"',
            f' role="img" aria-label="{escape(title)}" data-columns="{scene.columns}"',
            f' data-rows="{scene.rows}" data-flipped="{str(flipped).lower()}">',
            pictures.definitions(bodies, faces),
            f'<g class="labels" {FONT} font-size="{size}" text-anchor="middle"',
            ' fill="currentColor">',
            *(_label(scene, label, margin, flipped=flipped) for label in scene.labels),
            f'</g><g class="field" transform="translate({margin},0)"><g class="cells">',
            *_cells(scene, flipped=flipped),
            '</g><g class="marks" fill="none" stroke="#d98a00" stroke-width="6">',
            *(_mark(scene, mark, flipped=flipped) for mark in scene.marks),
            f'</g><g class="pieces" {FONT} fill="{INK_COLOUR}" stroke="{INK_COLOUR}"',
            ' stroke-width="5" stroke-linecap="round" stroke-linejoin="round">',
            *(_piece(scene, piece, flipped=flipped) for piece in scene.pieces),
            f'</g><g class="notes" {FONT} font-size="{size + 2}" font-weight="700"',
            ' text-anchor="middle" fill="#fff7e6" stroke="#2a2119" stroke-width="8"',
            ' stroke-linejoin="round" paint-order="stroke">',
            *(_note(scene, note, flipped=flipped) for note in scene.notes),
            "</g></g></svg>",
        )
    )


def _place(scene: Scene, x: float, y: float, *, flipped: bool) -> tuple[float, float]:
    """Return the top left corner of a cell in units."""
    if flipped:
        x, y = scene.columns - 1 - x, scene.rows - 1 - y
    return x * UNIT, y * UNIT


def _cells(scene: Scene, *, flipped: bool) -> Iterator[str]:
    """Draw the squares kind by kind, the ways over them, and round places on top."""
    squares: dict[str, list[tuple[float, float]]] = {}
    for cell in scene.cells:
        if cell.kind not in ROUND:
            corner = _place(scene, cell.x, cell.y, flipped=flipped)
            kind = cell.kind
            if kind == "land" or kind not in SQUARES:  # plain squares alternate
                kind = "odd" if int(cell.x + cell.y) % 2 else "land"
            squares.setdefault(kind, []).append(corner)
    for kind, corners in squares.items():
        words, fill = SQUARES[kind]
        outline = "".join(f"M{x:g} {y:g}h{UNIT}v{UNIT}h-{UNIT}z" for x, y in corners)
        yield f'<path class="{words}" fill="{fill}" d="{outline}"/>'
    lakes = squares.get("lake", ())
    if waves := "".join(f"M{x + 14:g} {y + at:g}{_WAVE}" for x, y in lakes for at in (32, 56, 80)):
        yield f'<path class="wave" fill="none" stroke="#d7ecf5" stroke-width="5" d="{waves}"/>'
    if ways := "".join(_way(scene, line, flipped=flipped) for line in scene.lines):
        for words, colour, thick in (("way way-edge", "#2a2119", 16), ("way", "#e3cd9b", 9)):
            pen = f'fill="none" stroke="{colour}" stroke-width="{thick}"'
            yield f'<path class="{words}" {pen} d="{ways}"/>'
    yield from (_round(scene, cell, flipped=flipped) for cell in scene.cells if cell.kind in ROUND)


_WAVE = "q12 -14 24 0t24 0t24 0"


def _way(scene: Scene, line: Line, *, flipped: bool) -> str:
    x1, y1 = _place(scene, line.x1, line.y1, flipped=flipped)
    x2, y2 = _place(scene, line.x2, line.y2, flipped=flipped)
    half = UNIT // 2
    return f"M{x1 + half:g} {y1 + half:g}L{x2 + half:g} {y2 + half:g}"


def _round(scene: Scene, cell: Cell, *, flipped: bool) -> str:
    x, y = _place(scene, cell.x, cell.y, flipped=flipped)
    if cell.kind == "circle":
        return (
            '<circle class="cell circle" fill="#ecdcb6" stroke="#c9b184" stroke-width="6"'
            f' cx="{x + UNIT // 2:g}" cy="{y + UNIT // 2:g}" r="56"/>'
        )
    return (
        f'<rect class="cell slot" fill="#e3d9b8" stroke="#b8966a" stroke-width="3" x="{x + 3:g}"'
        f' y="{y + 3:g}" width="94" height="94" rx="12"/>'
    )


def _mark(scene: Scene, mark: Mark, *, flipped: bool) -> str:
    x, y = _place(scene, mark.x, mark.y, flipped=flipped)
    return (
        f'<rect class="mark mark-{escape(mark.kind)}" x="{x + 3:g}" y="{y + 3:g}"'
        f' width="{UNIT - 6}" height="{UNIT - 6}" rx="10"/>'
    )


def _label(scene: Scene, label: Label, margin: int, *, flipped: bool) -> str:
    middle = UNIT // 2
    if label.edge == "left":
        _, y = _place(scene, 0, label.at, flipped=flipped)
        x, y = margin / 2, y + middle + 10
    else:
        x, _ = _place(scene, label.at, 0, flipped=flipped)
        x, y = x + margin + middle, scene.rows * UNIT + margin - 12
    return f'<text class="label" x="{x:g}" y="{y:g}">{escape(label.text)}</text>'


def _piece(scene: Scene, piece: Piece, *, flipped: bool) -> str:
    x, y = _place(scene, piece.x, piece.y, flipped=flipped)
    pictures = scene.pictures
    body, face = pictures.body_of(piece.side), pictures.face_of(piece.face)
    classes = ["piece", f"side-{piece.side}", "back" if face == "back" else "face"]
    classes += [word for word, on in (("known", piece.known_to_all), ("moved", piece.moved)) if on]
    paint = pictures.paint_of(piece.side)
    ink = f' fill="{paint.ink}" stroke="{paint.ink}"' if paint.ink != INK_COLOUR else ""
    pip = '<use href="#pip"/>' if piece.known_to_all else ""
    return (
        f'<g class="{escape(" ".join(classes))}" data-id="{escape(piece.id)}"'
        f' transform="translate({x:g},{y:g})" color="{paint.body}"{ink}>'
        f'<use href="#body-{body}"/><use href="#face-{face}"/>{pip}</g>'
    )


def _note(scene: Scene, note: Note, *, flipped: bool) -> str:
    x, y = _place(scene, note.x, note.y, flipped=flipped)
    return f'<text class="note" x="{x + UNIT // 2:g}" y="{y + 92:g}">{escape(note.text)}</text>'
