"""Drawings of pieces: a body for each side and a pictogram for each face, on 100 x 100 units.

Bodies take the piece's `color`; faces take the `fill` and `stroke` of the group they stand in, so
that one face serves light and dark pieces. Sides differ in shape as well as in colour. A variant
has its own faces, and may have its own bodies.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import cos, pi, sin

INK = 'class="ink" stroke="none"'
LINE = 'class="ink-line" fill="none"'
INK_COLOUR = "#fff7e6"
EDGE = 'class="body edge" fill="currentColor" stroke-width="4"'
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
    ink: str = INK_COLOUR


@dataclass(frozen=True, slots=True)
class Body:
    """The shape of a side's pieces, and its colours."""

    shape: str
    paint: Paint


def star(x: float, y: float, radius: float) -> str:
    """Draw a five-pointed star around (x, y)."""
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.42
        angle = pi * (corner / 5 - 0.5)
        points.append(f"{x + reach * cos(angle):.1f},{y + reach * sin(angle):.1f}")
    return f'<polygon {INK} points="{" ".join(points)}"/>'


def lines(*paths: str) -> str:
    """Draw paths as lines; a path is written as the `d` of SVG."""
    return "".join(f'<path {LINE} d="{path}"/>' for path in paths)


def fill(*paths: str) -> str:
    """Draw paths filled."""
    return "".join(f'<path {INK} d="{path}"/>' for path in paths)


def dot(x: float, y: float, radius: float) -> str:
    """Draw a filled circle around (x, y)."""
    return f'<circle {INK} cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


_OTHER_BODY = Body(f'<rect {EDGE} x="10" y="10" width="80" height="80" rx="6"/>', Paint("#55595f"))
_BACK = lines("M50 20 76 50 50 80 24 50ZM50 37 61 50 50 63 39 50Z")

RED_AND_BLUE: Mapping[str, Body] = {
    # Cut corners and a hatched foot: red can be told from blue without seeing the colours.
    "red": Body(
        '<path class="body" stroke="none" fill="currentColor" d="M24 7H76L91 22V93H9V22Z"/>'
        '<path class="hatch" fill="none" stroke-opacity=".55" stroke-width="3"'
        ' d="M12 93 20 85M28 93 36 85M44 93 52 85M60 93 68 85M76 93 84 85"/>',
        Paint("#a8322a"),
    ),
    "blue": Body(
        '<rect class="body" stroke="none" fill="currentColor" x="9" y="7" width="82" height="86"'
        ' rx="22"/>',
        Paint("#1f4f8f"),
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """How a variant draws its pieces: faces and bodies of sides by their names in its scenes.

    Several boards can stand on one page, so a name has the same drawing in every variant. It is a
    word of letters, digits and hyphens.
    """

    faces: Mapping[str, Face] = field(default_factory=dict)
    bodies: Mapping[str, Body] = field(default_factory=lambda: RED_AND_BLUE)

    def body_of(self, side: str) -> str:
        """Return the name of the body that a side has."""
        return side if side in self.bodies else OTHER

    def face_of(self, face: str | None) -> str:
        """Return the name of the drawing of a face, or BACK for what is hidden or unknown."""
        return face if face is not None and face in self.faces else BACK

    def paint_of(self, side: str) -> Paint:
        return self.bodies.get(side, _OTHER_BODY).paint

    def definitions(
        self, bodies: Collection[str] | None = None, faces: Collection[str] | None = None
    ) -> str:
        """Return the `<defs>` of these bodies and faces, or of all."""
        shapes = [
            f'<g id="body-{side}">{body.shape}</g>'
            for side, body in {**self.bodies, OTHER: _OTHER_BODY}.items()
            if bodies is None or side in bodies
        ]
        for code, face in self.faces.items():
            if faces is None or code in faces:
                y, size = (81, 46) if face.low else (86, 37)
                shapes.append(
                    f'<g id="face-{code}">{face.drawing}<text {INK} x="50" y="{y}"'
                    f' text-anchor="middle" font-size="{size}" font-weight="700">'
                    f"{face.letter}</text></g>"
                )
        if faces is None or BACK in faces:
            shapes.append(f'<g id="face-{BACK}">{_BACK}</g>')
        pip = '<circle id="pip" class="pip" stroke="none" fill="#e0b13f" cx="81" cy="21" r="7"/>'
        return f"<defs>{''.join(shapes)}{pip}</defs>"


PLAIN = Pictures()  # backs and bodies only
