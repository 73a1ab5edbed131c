"""Our own drawings: a body for each side and a pictogram for each face, on 100 x 100 units.

Bodies take the piece's `color`; faces take the `fill` and `stroke` of the group they stand in, so
that one face serves light and dark pieces. Sides differ in shape as well as in colour.
"""

from collections.abc import Collection
from dataclasses import dataclass
from math import cos, pi, sin

INK = 'class="ink" stroke="none"'
LINE = 'class="ink-line" fill="none"'
OTHER = "other"  # the body of a side that has none of its own
BACK = "back"


@dataclass(frozen=True, slots=True)
class Face:
    """A pictogram with its letter below; `low` faces are for the large boards."""

    letter: str
    drawing: str
    low: bool = False


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of a side where no style sheet repaints it."""

    body: str
    ink: str = "#fff7e6"


def _star(x: float, y: float, radius: float) -> str:
    """Draw a five-pointed star around (x, y)."""
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.42
        angle = pi * (corner / 5 - 0.5)
        points.append(f"{x + reach * cos(angle):.1f},{y + reach * sin(angle):.1f}")
    return f'<polygon {INK} points="{" ".join(points)}"/>'


def _lines(*paths: str) -> str:
    return "".join(f'<path {LINE} d="{path}"/>' for path in paths)


def _fill(*paths: str) -> str:
    return "".join(f'<path {INK} d="{path}"/>' for path in paths)


def _dot(x: float, y: float, radius: float) -> str:
    return f'<circle {INK} cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def _pair_of_swords() -> str:
    return _lines("M33 19 60 46M56 50 64 42M67 19 40 46M44 50 36 42")


_DUEL = {
    "F": _lines("M38 17V51") + _fill("M40 18Q49 13 56 19T70 19V36Q63 41 55 36T40 36Z"),
    "B": _dot(48, 38, 14) + _lines("M57 28Q62 20 68 22") + _star(71, 20, 7),
    "S": _fill("M29 32H71L74 37H26ZM38 30 42 17H58L62 30Z")
    + _lines("M34 45a6 6 0 1 0 12 0")
    + _lines("M54 45a6 6 0 1 0 12 0M34 45H66"),
    "2": _lines("M34 20 50 34 34 48M52 20 68 34 52 48"),
    "3": _lines("M36 51 60 25") + _fill("M40 16Q62 15 71 38L65 41Q58 25 38 22Z"),
    "4": _lines("M34 28 50 17 66 28M34 39 50 28 66 39M34 50 50 39 66 50"),
    "5": _star(50, 28, 13) + _lines("M34 48H66"),
    "6": _star(37, 28, 12) + _star(63, 28, 12) + _lines("M34 48H66"),
    "7": _star(33, 32, 10) + _star(50, 25, 10) + _star(67, 32, 10) + _lines("M34 49H66"),
    "8": _fill("M31 44 28 21 40 31 50 16 60 31 72 21 69 44Z") + _lines("M32 51H68"),
    "9": _pair_of_swords() + _star(50, 19, 8),
    "M": _fill("M34 33 31 16 41 24 50 13 59 24 69 16 66 33Z") + _lines("M35 53 65 40M35 40 65 53"),
}

_OFFICERS_AND_MEN = {
    # Large letters and plain shapes: sixteen of them stand side by side on a telephone.
    "general": Face("G", _star(30, 30, 10) + _star(50, 22, 11) + _star(70, 30, 10), low=True),
    "colonel": Face("C", _fill("M28 36Q30 16 50 13Q70 16 72 36Q50 29 28 36Z"), low=True),
    "captain": Face("K", _lines("M34 37 63 17M37 25 46 38"), low=True),
    "lieutenant": Face(
        "L", _fill("M33 23Q50 8 67 23ZM34 27H40V37H34ZM47 27H53V37H47ZM60 27H66V37H60Z"), low=True
    ),
    "soldier": Face("S", _lines("M36 33 50 19 64 33"), low=True),
}

FACES = {code: Face(code, drawing) for code, drawing in _DUEL.items()} | _OFFICERS_AND_MEN

_BACK = f'<path {LINE} d="M50 20 76 50 50 80 24 50ZM50 37 61 50 50 63 39 50Z"/>'

_EDGE = 'class="body edge" fill="currentColor" stroke-width="4"'

BODIES = {
    # Cut corners and a hatched foot: red can be told from blue without seeing the colours.
    "red": (
        '<path class="body" stroke="none" fill="currentColor" d="M24 7H76L91 22V93H9V22Z"/>'
        '<path class="hatch" fill="none" stroke-opacity=".55" stroke-width="3"'
        ' d="M12 93 20 85M28 93 36 85M44 93 52 85M60 93 68 85M76 93 84 85"/>'
    ),
    "blue": (
        '<rect class="body" stroke="none" fill="currentColor" x="9" y="7" width="82" height="86"'
        ' rx="22"/>'
    ),
    # A shield for who is besieged; round and eight-cornered for the two armies around it.
    "garrison": f'<path {_EDGE} d="M9 8H91V50Q91 80 50 95Q9 80 9 50Z"/>',
    "white": f'<circle {_EDGE} cx="50" cy="50" r="43"/>',
    "black": f'<path {_EDGE} d="M31 6H69L94 31V69L69 94H31L6 69V31Z"/>',
    OTHER: f'<rect {_EDGE} x="10" y="10" width="80" height="80" rx="6"/>',
}

PAINTS = {
    "red": Paint("#a8322a"),
    "blue": Paint("#1f4f8f"),
    "garrison": Paint("#1d6b50"),
    "white": Paint("#f6eedb", ink="#2a2119"),
    "black": Paint("#26221f"),
    OTHER: Paint("#55595f"),
}


def body_of(side: str) -> str:
    """Name the body that a side has."""
    return side if side in BODIES else OTHER


def face_of(face: str | None) -> str:
    """Name the drawing of a face; what is hidden or unknown here shows its back."""
    return face if face in FACES else BACK


def definitions(
    bodies: Collection[str] = (*BODIES,), faces: Collection[str] = (*FACES, BACK)
) -> str:
    """Return the `<defs>` of these bodies and faces; the same name is the same everywhere."""
    shapes = [f'<g id="body-{side}">{body}</g>' for side, body in BODIES.items() if side in bodies]
    shapes += [_face(code, face) for code, face in FACES.items() if code in faces]
    if BACK in faces:
        shapes.append(f'<g id="face-{BACK}">{_BACK}</g>')
    pip = '<circle id="pip" class="pip" stroke="none" fill="#e0b13f" cx="81" cy="21" r="7"/>'
    return f"<defs>{''.join(shapes)}{pip}</defs>"


def _face(code: str, face: Face) -> str:
    y, size = (81, 46) if face.low else (86, 37)
    letter = (
        f'<text {INK} x="50" y="{y}" text-anchor="middle" font-size="{size}" font-weight="700">'
        f"{face.letter}</text>"
    )
    return f'<g id="face-{code}">{face.drawing}{letter}</g>'
