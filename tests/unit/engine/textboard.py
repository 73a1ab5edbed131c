"""A scene as text, for golden games: they are read by people and by other implementations."""

from collections.abc import Iterator, Sequence

from engine.scene import Piece, Scene

GROUND = {"lake": "~~", "dark": " :", "circle": "()", "wall": "##", "slot": "[]"}
LAND = " ."
SHORT = 2  # letters of a rank
EDGE = 3  # the width of the coordinates on the left


def boards(scenes: Sequence[Scene]) -> list[str]:
    """Draw pictures of one position side by side, those that look the same only once."""
    different = list(dict.fromkeys(scenes))
    width = max(len(_token(piece)) for scene in scenes for piece in scene.pieces)
    columns = [list(_rows(scene, width)) for scene in different]
    return [("     " + "     ".join(row)).rstrip() for row in zip(*columns, strict=True)]


def _rows(scene: Scene, width: int) -> Iterator[str]:
    """Yield a row of text for each height at which there is a cell, then the coordinates."""
    tokens = {(cell.x, cell.y): GROUND.get(cell.kind, LAND) for cell in scene.cells}
    tokens |= {(note.x, note.y): note.text for note in scene.notes}
    tokens |= {(piece.x, piece.y): _token(piece) for piece in scene.pieces}
    left = {label.at: label.text for label in scene.labels if label.edge == "left"}
    for row in sorted({y for _, y in tokens}):
        beside = f"{left.get(int(row), ''):>2}" if row == int(row) else ""
        yield _line(
            scene, width, beside, [(x, text) for (x, y), text in tokens.items() if y == row]
        )
    below = [label for label in scene.labels if label.edge == "bottom"]
    yield _line(scene, width, "", [(label.at, label.text) for label in below])


def _line(scene: Scene, width: int, beside: str, tokens: list[tuple[float, str]]) -> str:
    """Put tokens at their columns, right-aligned; one between two columns stands between them."""
    line = list(beside.ljust(EDGE + (width + 1) * scene.columns - 1))
    for x, text in tokens:
        at = EDGE + round(x * (width + 1))
        line[at : at + width] = text.rjust(width)[:width]
    return "".join(line)


def _token(piece: Piece) -> str:
    """Write a piece as the first letter of its side and its rank, in two letters at most."""
    face = "?" if piece.face is None else piece.face
    return piece.side[0] + (face if len(face) <= SHORT else face[:SHORT].capitalize())
