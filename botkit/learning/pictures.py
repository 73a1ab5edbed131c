"""A game under way to look at: the scene of the site as text, or as an array of pixels."""

from importlib import import_module
from io import BytesIO

import numpy as np
import numpy.typing as npt

from botkit.learning.missing import not_installed
from engine.scene import Scene
from engine.svg import draw

Pixels = npt.NDArray[np.uint8]

GROUND = {"lake": " ~~", "wall": " ##"}
EMPTY = "  ."
CELL = len(EMPTY)
PIXELS_WIDE = 480
PAPER = "#ffffff"


def as_pixels(scene: Scene) -> Pixels:
    """Return the picture that the site draws of a scene: rows, columns, and red, green, blue.

    Raise ModuleNotFoundError without the extra `render`.
    """
    try:
        svg, images = import_module("resvg_py"), import_module("PIL.Image")
    except ModuleNotFoundError as problem:
        raise not_installed(problem, "render") from problem
    drawn = draw(scene, title="", still=True)
    png = bytes(svg.svg_to_bytes(svg_string=drawn, width=PIXELS_WIDE, background=PAPER))
    return np.array(images.open(BytesIO(png)).convert("RGB"), np.uint8)


def as_text(scene: Scene) -> str:
    """Return a scene as lines: of a piece, the first letter of its side and that of its face.

    A face that is not seen is `?`.
    """
    heights = sorted({cell.y for cell in scene.cells} | {piece.y for piece in scene.pieces})
    lines = {y: [" "] * CELL * scene.columns for y in heights}
    for cell in scene.cells:
        _put(lines[cell.y], cell.x, GROUND.get(cell.kind, EMPTY))
    for piece in scene.pieces:
        face = scene.pictures.faces.get(piece.face or "")
        _put(lines[piece.y], piece.x, f" {piece.side[0]}{face.letter if face else '?'}")
    left: dict[float, str] = {
        label.at: label.text for label in scene.labels if label.edge == "left"
    }
    bottom = [" "] * CELL * scene.columns
    for label in scene.labels:
        if label.edge == "bottom":
            _put(bottom, label.at, f"{label.text:>{CELL}}")
    margin = max(map(len, left.values()), default=0)
    drawn = [f"{left.get(y, ''):>{margin}}{''.join(lines[y])}" for y in heights]
    drawn.append(" " * margin + "".join(bottom))
    return "\n".join(line.rstrip() for line in drawn).rstrip() + "\n"


def _put(line: list[str], x: float, text: str) -> None:
    start = round(x * CELL)
    line[start : start + len(text)] = text
