"""The picture of a game: the waters of red on the left, those of blue on the right."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from engine.faces import Face, Pictures, dot, fill, lines
from engine.outcome import RESIGN
from engine.rng import Rng
from engine.scene import Cell, Label, Mark, Piece, Scene
from engine.variant import FULL, View

from .play import apply
from .state import State, random_fleet
from .views import view
from .waters import FILES, NAMES, SEATS, SIZE, SQUARES, grid, written

GAP = 1  # columns between the two
SPLASH = "splash"
PICTURES = Pictures(
    faces={
        "cruiser": Face(
            "C", fill("M20 26H80L72 38H28ZM40 26V14H60V26Z") + lines("M50 14V6"), low=True
        ),
        "destroyer": Face("D", fill("M22 26H78L70 38H30ZM34 26V16H48V26Z"), low=True),
        "submarine": Face("S", fill("M20 30Q50 16 80 30Q50 44 20 30ZM44 22V12H56V22Z"), low=True),
        "launch": Face("L", fill("M26 28H74L64 38H34Z") + lines("M50 28V8L66 22H50"), low=True),
        SPLASH: Face("", dot(50, 50, 12) + lines("M50 20V32M50 68V80M20 50H32M68 50H80")),
    }
)


def scene(shown: View) -> Scene:
    """Put a view into a picture: a piece for each square of a ship in sight, and each miss."""
    return Scene(
        columns=2 * SIZE + GAP,
        rows=SIZE,
        cells=tuple(
            Cell(*_at(seat, square), "lake", f"{SEATS[seat]} {square}")
            for seat in (0, 1)
            for square in SQUARES
        ),
        pieces=tuple(piece for seat in (0, 1) for piece in _pieces(shown, seat)),
        marks=tuple(
            Mark("to", *_at(seat, shot["square"]))
            for seat in (0, 1)
            for shot in shown["seats"][SEATS[seat]]["shots"]
            if shot["ship"]
        ),
        labels=(
            *(Label("left", SIZE - 1 - row, str(row + 1)) for row in range(SIZE)),
            *(
                Label("bottom", column + seat * (SIZE + GAP), file)
                for seat in (0, 1)
                for column, file in enumerate(FILES)
            ),
        ),
        pictures=PICTURES,
    )


def _at(seat: int, square: str) -> tuple[int, int]:
    x, y = grid(square)
    return x + seat * (SIZE + GAP), SIZE - 1 - y


def _pieces(shown: View, seat: int) -> Iterator[Piece]:
    name = SEATS[seat]
    waters = shown["seats"][name]
    shots = {shot["square"]: shot["ship"] for shot in waters["shots"]}
    ship_at = {
        square: ship for ship, squares in waters["ships"].items() for square in squares or ()
    }
    for square in SQUARES:
        ship = ship_at.get(square) or shots.get(square)
        x, y = _at(seat, square)
        if ship:
            hit = ", hit" if square in shots else ""
            text = f"{name} {NAMES[ship]}, {square}{hit}"
            known = square in shots
            yield Piece(f"{name[0]}{square}", x, y, name, NAMES[ship], text, known_to_all=known)
        elif square in shots:
            text = f"a miss at {square}"
            yield Piece(
                f"{name[0]}{square}", x, y, SEATS[1 - seat], SPLASH, text, known_to_all=True
            )


def describe(event: Mapping[str, Any], before: View) -> tuple[str, str]:  # noqa: ARG001 - the event says all
    """Return the notation of an event, such as `d4x`, and a sentence."""
    kind = event["type"]
    if kind == "missed":
        return event["square"], f"{event['seat']} shoots at {event['square']}: a miss"
    if kind == "hit":
        done = "sinks" if event["sunk"] else "hits"
        said = f"{event['seat']} {done} the {NAMES[event['ship']]} at {event['square']}"
        return f"{event['square']}x", said
    if kind == "deployed":
        return "", f"{event['seat']} has set up"
    if kind == "resigned":
        return RESIGN, f"{event['seat']} resigns"
    return "", f"the game is over: {event['termination'].replace('_', ' ')}"


def _example(observer: str, plies: int) -> Scene:
    state, rng = State(None, hit_again=False), Rng(7, "example")
    for seat in SEATS:
        apply(state, seat, written(random_fleet(rng)))
    targets = [[square for square in SQUARES if sum(grid(square)) % 2 == at] for at in (0, 1)]
    for squares in targets:
        rng.shuffle(squares)
    for ply in range(plies):
        apply(state, SEATS[ply % 2], targets[ply % 2][ply // 2])
    return scene(view(state, observer))


DIAGRAMS: Mapping[str, Callable[[], Scene]] = MappingProxyType(
    {"set-up": lambda: _example(FULL, 0), "example": lambda: _example("red", 20)}
)
