"""The siege once more, as dumb as possible: from the sentences of sheet D and its reconstruction.

It shares no code with the engine; every question is answered by trying everything.
"""

from fractions import Fraction
from itertools import permutations

from tests.independent.siege_board import (
    BESIEGER_MOVES,
    CIRCLES,
    EXITS,
    GARRISON_MOVES,
    INNER,
    RING,
    check_own_colour,
    colour,
    is_square,
    name,
    place_of,
    two_files,
    written,
)

CYCLE = ("garrison", "white", "garrison", "black")  # D26 to D30
GARRISON_WINS = {"garrison": 1.0, "besiegers": 0.0}
BESIEGERS_WIN = {"garrison": 0.0, "besiegers": 1.0}
DRAW = {"garrison": 0.5, "besiegers": 0.5}
OTHER = {"white": "black", "black": "white"}


class Siege:
    """One game under way: `at` maps a place to a piece, a dict."""

    def __init__(self, options, start):
        self.options = options
        self.lines = RING + INNER
        self.exits = [(circle, place_of(square)) for circle, square in EXITS[options["gates"]]]
        self.at = {}
        for piece in start["pieces"] if options["setup"] == "own_colour" else two_files():
            place = place_of(piece["square"])
            self.at[place] = {"seat": piece["seat"], "rank": piece["rank"], "bound": None}
            self.at[place]["shade"] = colour(place)  # D2: for life, where all moves are diagonal
        if options["setup"] == "own_colour":
            check_own_colour(self.at)
        self.ply = self.turn = self.quiet = 0
        self.deployed = False
        self.captured = []
        self.demand = None
        self.over = None

    def asked(self):
        return set() if self.over else {self.mover()}

    def mover(self):
        """D26 to D30; with an option the other besieger moves for one who cannot."""
        seat = CYCLE[self.turn]
        if seat == "garrison" or self.options["besieger_pass"] or self.besieger_moves(seat):
            return seat
        return OTHER[seat] if self.besieger_moves(OTHER[seat]) else seat

    def legal(self, seat):
        if not self.deployed:
            return {"".join(order) for order in permutations("GCSSSSSS")}  # D17, D18
        if seat == "garrison":
            return {written(move) for move in self.garrison_moves()}
        moves = self.besieger_moves(seat)
        if not moves:
            return {"pass"}
        return {written(move) + asked for move in moves for asked in ("", *self.demands(move))}

    def allows(self, seat, text):
        return text in self.legal(seat)

    def demands(self, move):
        """D22: a capture may be asked for; with an option that of one piece that can be taken."""
        if self.options["demand"] == "any":
            return ["!"]
        before, demand = self.at, self.demand
        self.at, self.demand = dict(before), None
        self.at[move[1]] = self.at.pop(move[0])
        taken = {name(to) for _, to in self.garrison_moves() if to in self.at}
        self.at, self.demand = before, demand
        return [f"!{place}" for place in taken]

    # Where pieces can go

    def neighbours(self, place):
        """D17: inside only along the lines, circle to circle; and over the exits."""
        if place in CIRCLES:
            return [b if a == place else a for a, b in self.lines if place in (a, b)]
        return []

    def out_of(self, circle):
        return [square for gate, square in self.exits if gate == circle]

    def into(self, square):
        return [gate for gate, out in self.exits if out == square]

    def steps(self, place, ways, at):
        """Yield the squares reached over free squares; the last may be occupied. No leaping."""
        directions, most = ways
        for dx, dy in directions:
            for far in range(1, most + 1):
                there = (place[0] + dx * far, place[1] + dy * far)
                if not is_square(there):
                    break
                yield there
                if there in at:
                    break

    def besieger_reach(self, place, at):
        """Return all places that a besieger could go to, whatever stands there."""
        piece = at[place]
        if place in CIRCLES:
            out = self.out_of(place) if self.options["besiegers_may_leave"] else []
            if piece["rank"] in "LS":
                out = [square for square in out if colour(square) == piece["shade"]]
            return self.neighbours(place) + out
        ways = BESIEGER_MOVES[self.options["moves"]][piece["rank"]]
        return list(self.steps(place, ways, at)) + self.into(place)

    def besieger_moves(self, seat):
        """D19, D31: besiegers capture nothing, so they go to free places only."""
        return [
            (place, to)
            for place, piece in self.at.items()
            if piece["seat"] == seat
            for to in self.besieger_reach(place, self.at)
            if to not in self.at
        ]

    def nobody_besieges(self):
        """The option besieger_pass: without a pass the turn goes by where no ally can move."""
        stuck = not self.besieger_moves("white") and not self.besieger_moves("black")
        return stuck and not self.options["besieger_pass"]

    def garrison_reach(self, place):
        piece = self.at[place]
        if place in CIRCLES:
            return self.neighbours(place) + [
                square for square in self.out_of(place) if self.may_leave(piece, square)
            ]
        ways = GARRISON_MOVES[piece["rank"]]
        return list(self.steps(place, ways, self.at)) + self.into(place)

    def may_leave(self, piece, square):
        """D14, D15: a soldier keeps the colour of its first square; three of a colour at most."""
        if piece["rank"] != "S":
            return True
        if piece["bound"]:
            return piece["bound"] == colour(square)
        bound = [other for other in self.at.values() if other["bound"] == colour(square)]
        return len(bound) < 3

    def garrison_moves(self):
        """Rule 18 first (D37), then what was demanded (D22)."""
        moves = self.rule_18(self.free_moves())
        return [move for move in moves if self.answers(move)] or moves

    def free_moves(self):
        return [
            (place, to)
            for place, piece in self.at.items()
            if piece["seat"] == "garrison"
            for to in self.garrison_reach(place)
            if to not in self.at or self.may_take(place, to)
        ]

    def may_take(self, place, to):
        """D4, D8, D10, D13, D32: an enemy that no other besieger could reach after the capture."""
        enemy = self.at[to]
        if enemy["seat"] == "garrison" or (enemy["rank"] == "S" and to in CIRCLES):
            return False
        after = {where: piece for where, piece in self.at.items() if where != place}
        after[to] = self.at[place]
        return not any(
            to in self.besieger_reach(where, after)
            for where, piece in after.items()
            if piece["seat"] != "garrison"
        )

    def rule_18(self, moves):
        """D36, D37: with immobilised soldiers on the board somebody has to come out."""
        outside = [place for place, piece in self.at.items() if self.stands_outside(place, piece)]
        soldiers = [place for place in outside if self.at[place]["rank"] == "S"]
        if not soldiers or any(place in outside for place, _ in moves):
            return moves
        officers = [move for move in moves if self.at[move[0]]["rank"] != "S"]
        who = officers if self.options["rule18_who"] == "officers" else moves
        leaving = [(place, to) for place, to in who if to not in CIRCLES]
        return leaving or officers

    def stands_outside(self, place, piece):
        return piece["seat"] == "garrison" and place not in CIRCLES

    def answers(self, move):
        """Return whether a move does what the besieger has demanded."""
        if self.demand is None or move[1] not in self.at:
            return False
        return self.demand["asks"] in ("any", name(move[1]))

    # What actions do

    def play(self, seat, action, dealt):
        if not self.deployed:
            for circle, rank in zip(CIRCLES, action, strict=True):
                self.at[circle] = {"seat": seat, "rank": rank, "bound": None}
            self.deployed = True
            return
        self.ply, self.quiet = self.ply + 1, self.quiet + 1
        self.demand = None
        if action != "pass":
            start, _, rest = action.partition("-")
            end, mark, asks = rest.partition("!")
            self.move(seat, place_of(start), place_of(end))
            if mark:
                self.demand = {"seat": seat, "asks": asks or "any"}
        self.over = self.over or self.judge_move(seat)
        self.turn = (self.turn + 1) % 4
        if CYCLE[self.turn] != "garrison" and self.nobody_besieges():
            self.turn = (self.turn + 1) % 4
        self.over = self.over or self.judge_turn()

    def move(self, seat, start, end):
        piece = self.at.pop(start)
        if end in self.at:
            enemy = self.at.pop(end)
            self.captured.append((enemy["seat"], enemy["rank"]))
            self.quiet = 0
        if seat != "garrison" and start not in CIRCLES and end in CIRCLES:
            self.quiet = self.quiet if "entered" in piece else 0
            piece["entered"] = True
            if piece["rank"] == "S" and self.options["fort_entry"] == "immediate":
                self.over = ("soldier_in_fort", DRAW)
        if seat == "garrison" and piece["rank"] == "S" and start in CIRCLES and end not in CIRCLES:
            piece["bound"] = colour(end)
        self.at[end] = piece

    def inside(self):
        """Count the besiegers inside, soldiers and officers."""
        ranks = [
            self.at[circle]["rank"]
            for circle in CIRCLES
            if circle in self.at and self.at[circle]["seat"] != "garrison"
        ]
        return ranks.count("S"), len(ranks) - ranks.count("S")

    def taken(self):
        ranks = [rank for _, rank in self.captured]
        return ranks.count("S"), len(ranks) - ranks.count("S")

    def judge_move(self, seat):
        """D5 after a besieger's move; D23 and D24 after the garrison's."""
        (soldiers, officers), (gone, fallen) = self.inside(), self.taken()
        need = 3 if self.options["need_inside"] == "3+1" else 2
        if seat != "garrison" and soldiers >= need and officers >= 1:
            return "fort_entered", BESIEGERS_WIN
        if gone == 24 and fallen >= 6:
            return "besiegers_destroyed", GARRISON_WINS
        looked_for = self.options["rule10_when"] == "action" or self.captured_now(seat)
        if looked_for and fallen >= 6 and soldiers and gone + soldiers == 24:
            draws = self.options["rule10"] == "draw"
            return "soldier_in_fort", DRAW if draws else self.by_progress()
        return None

    def captured_now(self, seat):
        return seat == "garrison" and self.quiet == 0

    def judge_turn(self):
        """D6, D21; then the caps, which are house rules."""
        if CYCLE[self.turn] == "garrison" and not self.garrison_moves():
            return "garrison_blocked", BESIEGERS_WIN
        if self.ply == self.options["max_plies"]:
            return "ply_cap", self.at_a_cap()
        if self.quiet == self.options["no_progress_plies"]:
            return "no_progress_cap", self.at_a_cap()
        return None

    def at_a_cap(self):
        return DRAW if self.options["caps"] == "draw" else self.by_progress()

    def by_progress(self):
        """DX20: nobody inside loses; else whoever is further on the way to its own aim wins."""
        (soldiers, officers), (gone, fallen) = self.inside(), self.taken()
        if soldiers == 0 and officers == 0:
            return GARRISON_WINS
        need = 3 if self.options["need_inside"] == "3+1" else 2
        besiegers = Fraction(min(soldiers, need) + min(officers, 1), need + 1)
        garrison = Fraction(min(gone, 24) + min(fallen, 6), 30)
        if besiegers == garrison:
            return DRAW
        return BESIEGERS_WIN if besiegers > garrison else GARRISON_WINS

    def ending(self):
        return self.over

    def board(self):
        return {
            "ply": self.ply,
            "turn": None if self.over else self.turn,
            "quiet": self.quiet,
            "captured": sorted(self.captured),
            "inside": self.inside(),
            "taken": self.taken(),
            "demand": {**self.demand, "binds": self.binds()}
            if self.demand and not self.over
            else None,
            "pieces": {
                name(place): (piece["seat"], piece["rank"], piece["bound"])
                for place, piece in self.at.items()
            },
        }

    def binds(self):
        return any(self.answers(move) for move in self.garrison_moves())
