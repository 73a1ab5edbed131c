"""A greedy player that speaks the UCC protocol of 2012 and knows nothing of Drapeau.

It always sets up alike, remembers every rank that a fight shows, prices an attack by what the enemy
can still have there, and walks towards the best attacks. `python program.py` plays one game.
"""

import sys
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass

Square = tuple[int, int]

ARMY = Counter("123344455556666777788888" + 8 * "9" + "s" + 6 * "B" + "F")
SETUP = ("9496295969", "653s174935", "78946B58B7", "8B89B78BFB")  # the front row first
LAKES = {(x, y) for x in (2, 3, 6, 7) for y in (4, 5)}
SIZE = 10
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
ORDER = "s987654321"  # the weakest first
VALUE = {
    "1": 100, "2": 75, "3": 50, "4": 35, "5": 25, "6": 17, "7": 12, "8": 20, "9": 8,
    "s": 30, "B": 15, "F": 400,
}  # fmt: skip
KNOWLEDGE = 0.25  # of the value of our own piece: what it costs that the enemy sees its rank
CURIOSITY = 5.0  # what it is worth to see a rank of the enemy
FADING = 0.8  # of the pull of a target with each step towards it
HASTE = 0.6  # weight of coming closer against winning now
NEVER = -1000.0  # going straight back, and positions that were there before


@dataclass
class Piece:
    """A piece on the board. `rank` is empty while it is the enemy's and has not fought."""

    ours: bool
    rank: str
    moved: bool = False


@dataclass(frozen=True)
class Move:
    """A move as the protocol writes it, and the square where it ends."""

    start: Square
    word: str
    steps: int
    target: Square

    def __str__(self) -> str:
        more = f" {self.steps}" if self.steps > 1 else ""
        return f"{self.start[0]} {self.start[1]} {self.word}{more}"


def fight(attacker: str, defender: str) -> int:
    """Return 1 if the attacker wins, 0 if both fall, and -1 if the defender wins."""
    if defender == "F" or (attacker, defender) in (("8", "B"), ("s", "1")):
        return 1
    if defender == "B":
        return -1
    mine, theirs = ORDER.index(attacker), ORDER.index(defender)
    return (mine > theirs) - (mine < theirs)


class Game:
    """The board as one side knows it."""

    def __init__(self, colour: str) -> None:
        """Set up both armies; the enemy's ranks are unknown."""
        self.red = colour == "RED"
        self.board: dict[Square, Piece] = {}
        self.hidden = ARMY.copy()  # ranks of the enemy that were never seen
        self.seen: Counter[str] = Counter()  # positions after moves of ours
        self.last: Move | None = None
        for y, row in enumerate(self.rows(), start=0 if self.red else SIZE - 4):
            for x, rank in enumerate(row):
                self.board[x, y] = Piece(ours=True, rank=rank)
                self.board[x, SIZE - 1 - y] = Piece(ours=False, rank="")

    def rows(self) -> tuple[str, ...]:
        """Return the rows of the set-up from the top of the board: red's back row is at the top."""
        return SETUP[::-1] if self.red else SETUP

    def picture(self) -> list[str]:
        """Return the rows of the board as the protocol shows them."""
        return ["".join(self.sign((x, y)) for x in range(SIZE)) for y in range(SIZE)]

    def sign(self, square: Square) -> str:
        """Return the character of a square."""
        piece = self.board.get(square)
        if piece is None:
            return "+" if square in LAKES else "."
        return piece.rank if piece.ours else "#"

    def take_in(self, line: str) -> None:
        """Change the board by a line such as `3 3 DOWN 2 KILLS 9 8`."""
        x, y, word, *rest = line.split()
        start, steps = (int(x), int(y)), int(rest.pop(0)) if rest[0].isdigit() else 1
        target = start[0] + steps * STEPS[word][0], start[1] + steps * STEPS[word][1]
        piece = self.board.pop(start)
        piece.moved = True
        outcome, *ranks = rest
        if steps > 1:
            self.learn(piece, "9")
        if ranks:
            self.learn(piece, ranks[0])
            self.learn(self.board[target], ranks[1])
        if outcome == "BOTHDIE":
            del self.board[target]
        elif outcome != "DIES":
            self.board[target] = piece
        if piece.ours:
            self.last = Move(start, word, steps, target)

    def learn(self, piece: Piece, rank: str) -> None:
        """Note the rank of a piece of the enemy."""
        if not piece.rank:
            piece.rank = rank
            self.hidden[rank] -= 1

    def moves(self) -> Iterator[Move]:
        """Yield the moves of our pieces."""
        for start, piece in self.board.items():
            if not piece.ours or piece.rank in "BF":
                continue
            for word, (dx, dy) in STEPS.items():
                for steps in range(1, SIZE if piece.rank == "9" else 2):
                    target = start[0] + steps * dx, start[1] + steps * dy
                    other = self.board.get(target)
                    if not inside(target) or (other and other.ours):
                        break
                    yield Move(start, word, steps, target)
                    if other:
                        break

    def chances(self, enemy: Piece) -> dict[str, float]:
        """Return how likely each rank is for a piece of the enemy."""
        if enemy.rank:
            return {enemy.rank: 1.0}
        left = {
            rank: count
            for rank, count in self.hidden.items()
            if count > 0 and not (enemy.moved and rank in "BF")
        }
        return {rank: count / sum(left.values()) for rank, count in left.items()}

    def gain(self, rank: str, enemy: Piece) -> float:
        """Return what an attack is expected to bring."""
        brings = (CURIOSITY - KNOWLEDGE * VALUE[rank]) if not enemy.rank else 0.0
        for other, chance in self.chances(enemy).items():
            result = fight(rank, other)
            brings += chance * (
                (VALUE[other] if result >= 0 else 0) - (VALUE[rank] if result <= 0 else 0)
            )
        return brings

    def pulls(self) -> dict[str, dict[Square, float]]:
        """Return for each of our ranks how attractive each square is."""
        ranks = {piece.rank for piece in self.board.values() if piece.ours} - set("BF")
        pulls: dict[str, dict[Square, float]] = {rank: {} for rank in ranks}
        for square, enemy in self.board.items():
            if enemy.ours:
                continue
            worth = {rank: self.gain(rank, enemy) for rank in ranks}
            wanted = {rank: gain for rank, gain in worth.items() if gain > 0}
            for near, distance in self.distances(square).items() if wanted else ():
                for rank, gain in wanted.items():
                    pull = gain * FADING**distance
                    pulls[rank][near] = max(pull, pulls[rank].get(near, 0.0))
        return pulls

    def distances(self, goal: Square) -> dict[Square, int]:
        """Return the steps to a square from each from which pieces of ours could walk there."""
        far, queue = {goal: 0}, deque([goal])
        while queue:
            here = queue.popleft()
            for dx, dy in STEPS.values():
                near = here[0] + dx, here[1] + dy
                if near in far or not inside(near):
                    continue
                piece = self.board.get(near)
                if piece is None or piece.ours:
                    far[near] = far[here] + 1
                if piece is None:
                    queue.append(near)
        return far

    def danger(self, piece: Piece, square: Square, attacked: Square | None = None) -> float:
        """Return what we expect to lose if a piece of ours stands there, and the enemy attacks."""
        worst = 0.0
        for dx, dy in STEPS.values():
            near = square[0] + dx, square[1] + dy
            enemy = self.board.get(near)
            if enemy is None or enemy.ours or near == attacked or enemy.rank in ("B", "F"):
                continue
            chances = self.chances(enemy)
            falls = sum(
                chance
                for other, chance in chances.items()
                if other not in "BF" and fight(other, piece.rank) >= 0
            )
            worst = max(worst, falls * VALUE[piece.rank] * (1.0 if enemy.rank else 0.4))
        return worst

    def score(self, move: Move, pulls: dict[str, dict[Square, float]]) -> float:
        """Return how good a move looks."""
        piece, enemy = self.board[move.start], self.board.get(move.target)
        score = self.danger(piece, move.start) - self.danger(piece, move.target, move.target)
        if enemy:
            score += self.gain(piece.rank, enemy)
        else:
            pull = pulls[piece.rank]
            score += HASTE * (pull.get(move.target, 0.0) - pull.get(move.start, 0.0))
            score -= KNOWLEDGE * VALUE["9"] if move.steps > 1 else 0.0
            score += NEVER * self.seen[self.position(move)]
        if self.last and move.start == self.last.target and self.goes_back(move):
            score += NEVER
        return score

    def goes_back(self, move: Move) -> bool:
        """Return whether a move goes to where the last one came from, or to a square on its way."""
        return self.last is not None and {move.word, self.last.word} in (
            {"UP", "DOWN"},
            {"LEFT", "RIGHT"},
        )

    def position(self, move: Move) -> str:
        """Return the board after a move to an empty square, as text."""
        piece = self.board.pop(move.start)
        self.board[move.target] = piece
        text = "".join(self.picture())
        del self.board[move.target]
        self.board[move.start] = piece
        return text

    def answer(self) -> str:
        """Choose a move; give up without one."""
        pulls = self.pulls()
        moves = sorted(self.moves(), key=lambda move: (move.start, move.word, move.steps))
        if not moves:
            return "SURRENDER"
        best = max(moves, key=lambda move: self.score(move, pulls))
        if best.target not in self.board:
            self.seen[self.position(best)] += 1
        return str(best)


def inside(square: Square) -> bool:
    """Return whether a piece may stand on a square."""
    return square not in LAKES and all(0 <= place < SIZE for place in square)


def say(*lines: str) -> None:
    """Write lines, and flush."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def main() -> None:
    """Play one game over standard input and output."""
    colour, *_ = sys.stdin.readline().split()
    game = Game(colour)
    say(*game.rows())
    for line in sys.stdin:
        words = line.split()
        if words[0] == "QUIT":
            return
        if words[0] != "START":
            game.take_in(line)
            if words[-1] == "VICTORY_FLAG":
                continue
        rows = [sys.stdin.readline().strip() for _ in range(SIZE)]
        if rows != game.picture():
            sys.stderr.write("\n".join(("the board is not as expected:", *rows, "")))
        say(game.answer())
        confirmed = sys.stdin.readline()
        if confirmed.split()[0] == "QUIT":
            return
        game.take_in(confirmed)


if __name__ == "__main__":
    main()
