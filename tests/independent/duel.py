"""The duels once more, as dumb as possible: from the sentences alone, with dicts and loops.

It shares no code with the engine, and nobody should make it fast or elegant: that it looks
different is what it is for. Ids such as A18 and B25 name the sentences of the two sheets.
"""

from typing import Any

IMMOBILE = ("F", "B")  # A14, B19: flag and bombs
STRENGTH = {"S": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "M": 10}
FORWARD_BACK_LEFT_RIGHT = ((0, 1), (0, -1), (-1, 0), (1, 0))
OTHER = {"red": "blue", "blue": "red"}
DRAW = {"red": 0.5, "blue": 0.5}


def win(seat):
    return {seat: 1.0, OTHER[seat]: 0.0}


class Duel:
    """One game under way: `at` maps a square (x, y) to a piece, which is a dict."""

    def __init__(self, game, options):
        self.options, self.army, self.spy_beats = options, game["army"], game["spy_beats"]
        self.files, self.ranks = game["files"], game["ranks"]
        self.home = game["home"]  # red's squares in the order of a deployment
        self.lakes = [square(name) for name in game["lakes"][options.get("lakes", "default")]]
        self.deployed = {}
        self.at = {}
        self.captured = []
        self.to_move = "red"  # A5, B11
        self.ply = self.quiet = 0
        # each seat's last piece, its last from and to, and how many moves in a row
        self.series: dict[str, Any] = {"red": None, "blue": None}
        self.chase = {"red": new_chase(), "blue": new_chase()}
        self.over = None

    def asked(self):
        if self.over:
            return set()
        if len(self.deployed) < 2:
            return {"red", "blue"} - set(self.deployed)
        return {self.to_move}  # A10, B12: by turns

    def allows(self, seat, text):
        """A2, A4, A7, B1, B7: exactly the army, one piece on every home square."""
        return sorted(text) == sorted(code for code in self.army for _ in range(self.army[code]))

    def legal(self, seat):
        return set(self.moves(seat)) if len(self.deployed) == 2 else None

    def play(self, seat, action, dealt):
        if len(self.deployed) < 2:
            self.deploy(seat, action)
        else:
            start, end = squares(action)
            self.move(seat, start, end)
            self.ply += 1
            self.to_move = OTHER[seat]
        if not self.over and len(self.deployed) == 2:
            self.over = self.judge()

    def deploy(self, seat, text):
        self.deployed[seat] = text
        for (x, y), rank in zip(self.home, text, strict=True):
            # A6, B6: from opposite ends, blue looking from the other side
            there = (x, y) if seat == "red" else (self.files - 1 - x, self.ranks - 1 - y)
            self.at[there] = {"seat": seat, "rank": rank, "moved": False, "revealed": False}

    def moves(self, seat):
        for start, piece in list(self.at.items()):
            if piece["seat"] == seat and piece["rank"] not in IMMOBILE:
                for end in self.targets(start, piece):
                    if self.shuttle(seat, start, end) and self.may_chase(seat, start, end):
                        yield name(start) + name(end)

    def targets(self, start, piece):
        """A11, A12, B13, B14, B20, B21: one square, a scout further over free squares."""
        for dx, dy in FORWARD_BACK_LEFT_RIGHT:
            (x, y), steps = start, 0
            while True:
                x, y, steps = x + dx, y + dy, steps + 1
                if not (0 <= x < self.files and 0 <= y < self.ranks) or (x, y) in self.lakes:
                    break  # B15
                if (x, y) in self.at:
                    if self.at[x, y]["seat"] != piece["seat"] and self.may_strike(steps):
                        yield x, y  # A13, A15, B22, B23
                    break
                yield x, y
                if piece["rank"] != "2":
                    break

    def may_strike(self, steps):
        return steps == 1 or self.options["scout_move_and_strike"]

    def shuttle(self, seat, start, end):
        """A31, B16: five moves in a row of one piece between the same two squares."""
        limit = self.options["shuttle_limit"]
        return limit is None or self.count(seat, start, end) <= limit

    def count(self, seat, start, end):
        last = self.series[seat]
        if last is None or last["piece"] is not self.at[start]:
            return 1
        if self.options["shuttle_scout"] == "path" and last["piece"]["rank"] == "2":
            same = set(way(start, end)) <= set(way(*last["squares"]))
        else:
            same = {start, end} == set(last["squares"])
        return last["moves"] + 1 if same else 1

    def may_chase(self, seat, start, end):
        """No chasing move to a position that the chase has had, except straight back."""
        if self.options["chase_rule"] == "off" or end in self.at:
            return True
        chase, last = self.chase[seat], self.series[seat]
        if chase["quarry"] not in self.beside(seat, end):
            return True
        if last and last["piece"] is self.at[start] and last["squares"] == (end, start):
            return True
        after = {**self.at, end: self.at[start]}
        del after[start]
        return positions(after) not in chase["positions"]

    def beside(self, seat, place):
        """Name the enemies next to a square, each by what never changes: its identity."""
        x, y = place
        around = [self.at.get((x + dx, y + dy)) for dx, dy in FORWARD_BACK_LEFT_RIGHT]
        return [id(piece) for piece in around if piece and piece["seat"] != seat]

    def move(self, seat, start, end):
        self.series[seat] = {
            "moves": self.count(seat, start, end),
            "piece": self.at[start],
            "squares": (start, end),
        }
        piece = self.at.pop(start)
        piece["moved"] = True
        if len(way(start, end)) > 2:
            piece["revealed"] = True  # a scout that runs shows what it is
        if end in self.at:
            self.fight(seat, piece, end)
            self.quiet = 0
            self.chase = {"red": new_chase(), "blue": new_chase()}
        else:
            self.at[end] = piece
            self.quiet += 1
            self.note_chase(seat, piece, end)

    def fight(self, seat, attacker, place):
        defender = self.at.pop(place)
        attacker["revealed"] = defender["revealed"] = True  # A16, A17, B24
        winner = self.winner(attacker["rank"], defender["rank"])
        for role, piece in (("attacker", attacker), ("defender", defender)):
            if role == winner:
                self.at[place] = piece  # A18, A19, B25: it stands there now, or stays
            else:
                self.captured.append((piece["seat"], piece["rank"]))
        if defender["rank"] == "F":
            self.over = ("flag_captured", win(seat))  # A1, A32, B33

    def winner(self, attacker, defender):
        if defender == "F":
            return "attacker"  # A27
        if defender == "B" and attacker == "3":
            return "attacker"  # A26, B31
        if defender == "B":
            return "defender" if self.options["bomb_survives"] else None  # A24, B30
        if attacker == "S" and defender == self.spy_beats:
            return "attacker"  # A28, B32b
        if attacker == defender:
            return None  # A20, B26
        # A18, A19, A21, A29, B25, B29, B32, B32c
        return "attacker" if STRENGTH[attacker] > STRENGTH[defender] else "defender"

    def note_chase(self, seat, piece, end):
        """A quiet move: it may go on with the mover's chase, and ends or feeds the other's."""
        chase = self.chase[seat]
        threatened = self.beside(seat, end)
        if chase["quarry"] not in threatened:
            chase["positions"] = []  # the last chase is over; this may be a new one
        if threatened:
            chase["positions"].append(positions(self.at))
        chase["threatened"], chase["quarry"] = threatened, None
        other = self.chase[OTHER[seat]]
        if id(piece) in other["threatened"]:
            other["quarry"] = id(piece)
        else:
            other.update(new_chase())

    def judge(self):
        """A30, B34: who has no legal move loses; then the caps, which are house rules."""
        stuck = [seat for seat in ("red", "blue") if next(self.moves(seat), None) is None]
        if self.options["immobile"] == "mover":
            stuck = [seat for seat in stuck if seat == self.to_move]
        if len(stuck) == 2:
            return "both_immobile", DRAW
        if stuck:
            return "no_moves", win(OTHER[stuck[0]])
        if self.ply == self.options["max_plies"]:
            return "ply_cap", DRAW
        if self.quiet == self.options["no_attack_plies"]:
            return "no_attack_cap", DRAW
        return None

    def ending(self):
        return self.over

    def board(self):
        forget = self.options["reveal_after_fight"] == "forget"
        return {
            "ply": self.ply,
            "quiet": self.quiet,
            "captured": sorted(self.captured),
            "pieces": {
                name(place): (
                    piece["seat"],
                    piece["rank"],
                    piece["moved"],
                    piece["revealed"] and not forget,
                )
                for place, piece in self.at.items()
            },
        }


def seen(view):
    """Put the engine's full view into the words of `Duel.board`."""
    return {
        "ply": view["ply"],
        "quiet": view["no_attack_plies"],
        "captured": sorted((gone["seat"], gone["rank"]) for gone in view["captured"]),
        "pieces": {
            piece["square"]: (piece["seat"], piece["rank"], piece["moved"], piece["revealed"])
            for piece in view["pieces"]
        },
    }


def new_chase():
    return {"positions": [], "threatened": [], "quarry": None}


def positions(at):
    return {place: id(piece) for place, piece in at.items()}


def way(start, end):
    """Every square from the first to the last, both included."""
    (x, y), (to_x, to_y) = start, end
    steps = max(abs(to_x - x), abs(to_y - y))
    return [(x + (to_x - x) * n // steps, y + (to_y - y) * n // steps) for n in range(steps + 1)]


def name(place):
    return "abcdefghij"[place[0]] + str(place[1] + 1)


def square(text):
    return "abcdefghij".index(text[0]), int(text[1:]) - 1


def squares(action):
    """Cut `a9a10` into its two squares."""
    cut = next(n for n in range(1, len(action)) if action[n].isalpha())
    return square(action[:cut]), square(action[cut:])


def rows(files, ranks):
    """Return the home squares of whole ranks in the order of a deployment."""
    return [(x, y) for y in range(ranks) for x in range(files)]
