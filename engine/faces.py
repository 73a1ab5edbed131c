"""Our own drawings: a body for each side and a pictogram for each face, on 100 x 100 units."""

from math import cos, pi, sin

INK = 'class="ink" fill="#fff7e6"'
LINE = 'class="ink-line" fill="none" stroke="#fff7e6" stroke-width="5" stroke-linecap="round"'
LINE += ' stroke-linejoin="round"'


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


FACES = {
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

BACK = f'<g {LINE}><path d="M50 20 76 50 50 80 24 50Z"/><path d="M50 37 61 50 50 63 39 50Z"/></g>'

BODIES = {
    # Cut corners and a hatched foot: red can be told from blue without seeing the colours.
    "red": (
        '<path class="body" fill="currentColor" d="M24 7H76L91 22V93H9V22Z"/>'
        '<path class="hatch" fill="none" stroke="#fff7e6" stroke-opacity=".55" stroke-width="3"'
        ' d="M12 93 20 85M28 93 36 85M44 93 52 85M60 93 68 85M76 93 84 85"/>'
    ),
    "blue": ('<rect class="body" fill="currentColor" x="9" y="7" width="82" height="86" rx="22"/>'),
}

COLOURS = {"red": "#a8322a", "blue": "#1f4f8f"}


def definitions() -> str:
    """Give the `<defs>` that every picture starts with; they are the same in all of them."""
    bodies = (f'<g id="body-{side}">{body}</g>' for side, body in BODIES.items())
    faces = (_face(code, drawing) for code, drawing in FACES.items())
    return f'<defs>{"".join(bodies)}{"".join(faces)}<g id="face-back">{BACK}</g></defs>'


def _face(code: str, drawing: str) -> str:
    letter = (
        f'<text {INK} x="50" y="86" text-anchor="middle" font-size="37" font-weight="700"'
        f' font-family="system-ui, sans-serif">{code}</text>'
    )
    return f'<g id="face-{code}">{drawing}{letter}</g>'
