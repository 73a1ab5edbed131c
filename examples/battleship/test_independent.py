"""Battleship once more, as dumb as possible, for the comparison in tests/independent."""

from typing import Any

from tests.independent.naive import Naive

OTHER = {"red": "blue", "blue": "red"}
LENGTHS = [4, 3, 3, 2]  # BS2
LETTERS = "CDSL"


class Battleship:
    """One game under way: `ships` maps a seat to four lists of (file, rank)."""

    def __init__(self, options):
        self.options = options
        self.ships: dict[str, Any] = {}
        self.words: dict[str, str] = {}
        self.shot_at: dict[str, list[tuple[str, str]]] = {"red": [], "blue": []}
        self.turn = "red"  # BS4
        self.over = None

    def asked(self):
        if self.over:
            return set()
        return {"red", "blue"} - set(self.ships) if len(self.ships) < 2 else {self.turn}

    def legal(self, seat):
        if len(self.ships) < 2:
            return None
        done = [square for square, _ in self.shot_at[OTHER[seat]]]  # BS5
        return {f + r for f in "abcdefgh" for r in "12345678" if f + r not in done}

    def allows(self, seat, action):
        """BS3: inside the waters, and no two on one square."""
        try:
            squares = [square for ship in read(action) for square in ship]
        except (ValueError, IndexError):
            return False
        inside = all(f in range(8) and r in range(8) for f, r in squares)
        return inside and len(squares) == len(set(squares)) == sum(LENGTHS)

    def play(self, seat, action, dealt):
        if len(self.ships) < 2:
            self.ships[seat] = [[name(square) for square in ship] for ship in read(action)]
            return
        hit = "-"
        for letter, ship in zip(LETTERS, self.ships[OTHER[seat]], strict=True):
            if action in ship:
                hit = letter
        self.shot_at[OTHER[seat]].append((action, hit))
        if hit == "-" or not self.options["hit_again"]:  # BS10
            self.turn = OTHER[seat]
        if sum(hit != "-" for _, hit in self.shot_at[OTHER[seat]]) == sum(LENGTHS):
            self.over = "fleet_sunk", {seat: 1.0, OTHER[seat]: 0.0}  # BS7
        elif sum(map(len, self.shot_at.values())) == self.options["max_plies"]:
            self.over = "ply_cap", {"red": 0.5, "blue": 0.5}  # BS8

    def board(self):
        return {seat: (self.ships.get(seat), self.shot_at[seat]) for seat in OTHER}

    def ending(self):
        return self.over


def read(action):
    words = action.split(",")
    if len(words) != 4 or any(len(word) != 3 or word[2] not in "ru" for word in words):
        raise ValueError(action)
    ships = []
    for word, length in zip(words, LENGTHS, strict=True):
        f, r = "abcdefgh".index(word[0]), "12345678".index(word[1])
        ships.append([(f + n, r) if word[2] == "r" else (f, r + n) for n in range(length)])
    return ships


def name(square):
    return "abcdefgh"[square[0]] + "12345678"[square[1]]


def seen(view):
    """Put the engine's full view into the words of `Battleship.board`."""
    return {
        seat: (
            [*waters["ships"].values()] if waters["ships"]["C"] else None,
            [(shot["square"], shot["ship"] or "-") for shot in waters["shots"]],
        )
        for seat, waters in view["seats"].items()
    }


def hunt(game, legal, rng):
    """Shoot at a ship of the other seat: games end early, by sinking."""
    fleet = game.ships[OTHER[game.turn]]
    targets = [square for ship in fleet for square in ship if square in legal]
    return rng.choice(targets or legal)


NAIVE = Naive(
    begin=lambda options, view: Battleship(options),
    seen=seen,
    plans=(hunt,),
    cap="max_plies",
    endings=frozenset(("fleet_sunk", "ply_cap")),
)
