"""What things are worth, here and from afar. All in one unit, about a scout's third."""

from collections import deque
from collections.abc import Mapping

from beliefs import Odds

from botkit import DuelView, Piece
from botkit.ranks import FLAG, LADDER

VALUE = {
    "B": 7.0, "S": 9.0, "2": 3.0, "3": 8.0, "4": 5.0,
    "5": 7.0, "6": 11.0, "7": 17.0, "8": 26.0, "9": 38.0, "M": 52.0,
}  # fmt: skip
IDLE_SPY = 2.0  # the value of a spy when the piece is gone that it could beat
SECRET = 0.12  # of a piece's value: what it costs to show it
NEWS = 0.25  # of an enemy's value: what it is worth to see it
BOLD_FROM_PLIES = 30  # without an attack for that long, losses begin to count less
PATIENCE_PLIES = 120  # and so much later next to nothing
LEAST_CAUTION = 0.05
FADE = 0.85  # of an attraction that is one step farther away


class Prices:
    """The prices of one turn, worked out from the view and the odds."""

    def __init__(self, view: DuelView, odds: Mapping[str, Odds], flag: float) -> None:
        """Take the odds of each piece, and what the flag is worth."""
        self.view = view
        self.odds = odds
        self.value = {FLAG: flag, **VALUE}
        if not any(chances.get(view.top) for chances in odds.values()):
            self.value["S"] = IDLE_SPY
        restless = max(0, view.quiet_plies - BOLD_FROM_PLIES) / PATIENCE_PLIES
        self.caution = max(LEAST_CAUTION, 1.0 - restless)
        hidden = [piece.rank for piece in view.own if not piece.revealed]
        self._bluffs = {False: hidden, True: [rank for rank in hidden if rank in LADDER]}
        self._gain: dict[tuple[str, str, bool], float] = {}
        self._dares: dict[tuple[str, bool], bool] = {}
        self._steps = {enemy.id: self._steps_to(enemy.square) for enemy in view.enemy}

    def sure(self, enemy: Piece) -> bool:
        """Return whether we know what an enemy is."""
        return len(self.odds[enemy.id]) == 1

    def gain(self, piece: Piece, enemy: Piece) -> float:
        """Expect what an attack brings: what falls, what is learnt, what is shown."""
        key = (piece.rank, enemy.id, piece.revealed)
        if key not in self._gain:
            own = self.value[piece.rank] * self.caution
            news = 0.0 if self.sure(enemy) else NEWS
            total = 0.0 if piece.revealed else -SECRET * own
            for rank, chance in self.odds[enemy.id].items():
                end = self.view.fight(piece.rank, rank)
                total += chance * self.value[rank] * (1.0 if end >= 0 else news)
                total -= chance * own * (end <= 0)
            self._gain[key] = total
        return self._gain[key]

    def dares(self, rank: str, *, moved: bool) -> bool:
        """Return whether an enemy gains on average by attacking a hidden piece of ours."""
        if (rank, moved) not in self._dares:
            ends = [(ours, self.view.fight(rank, ours)) for ours in self._bluffs[moved]]
            won = sum(self.value[ours] for ours, end in ends if end >= 0)
            lost = sum(self.value[rank] for _, end in ends if end <= 0)
            self._dares[rank, moved] = won > lost
        return self._dares[rank, moved]

    def pull(self, piece: Piece, square: str) -> float:
        """Return what the best target is worth to a piece from a square, less with each step."""
        return max(
            (
                gain * FADE ** self._steps[enemy.id][square]
                for enemy in self.view.enemy
                if square in self._steps[enemy.id] and (gain := self.gain(piece, enemy)) > 0
            ),
            default=0.0,
        )

    def _steps_to(self, goal: str) -> Mapping[str, int]:
        """Count the steps to a goal from every square, round its friends."""
        steps = {goal: 0}
        queue = deque(steps)
        while queue:
            square = queue.popleft()
            for near in self.view.neighbours[square]:
                other = self.view.by_square.get(near)
                if near not in steps and (other is None or other.seat == self.view.seat):
                    steps[near] = steps[square] + 1
                    queue.append(near)
        return steps
