"""The pictures of the siege: large letters and plain shapes, as the board has many squares."""

from engine.faces import EDGE, Body, Face, Paint, Pictures, fill, lines, star

_FACES = {
    # Sixteen squares stand side by side on a telephone.
    "general": Face("G", star(30, 30, 10) + star(50, 22, 11) + star(70, 30, 10), low=True),
    "colonel": Face("C", fill("M28 36Q30 16 50 13Q70 16 72 36Q50 29 28 36Z"), low=True),
    "captain": Face("K", lines("M34 37 63 17M37 25 46 38"), low=True),
    "lieutenant": Face(
        "L", fill("M33 23Q50 8 67 23ZM34 27H40V37H34ZM47 27H53V37H47ZM60 27H66V37H60Z"), low=True
    ),
    "soldier": Face("S", lines("M36 33 50 19 64 33"), low=True),
}

_BODIES = {
    # A shield for who is besieged; round and eight-cornered for the two armies around it.
    "garrison": Body(f'<path {EDGE} d="M9 8H91V50Q91 80 50 95Q9 80 9 50Z"/>', Paint("#1d6b50")),
    "white": Body(f'<circle {EDGE} cx="50" cy="50" r="43"/>', Paint("#f6eedb", ink="#2a2119")),
    "black": Body(f'<path {EDGE} d="M31 6H69L94 31V69L69 94H31L6 69V31Z"/>', Paint("#26221f")),
}

PICTURES = Pictures(faces=_FACES, bodies=_BODIES)
