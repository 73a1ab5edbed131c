"""What things are worth: pieces, captures, squares. All in one unit, about a scout's third."""

from collections.abc import Mapping

from beliefs import LADDER, Odds

from botkit import DuelView, Piece

VALUE = {
    "F": 200.0, "B": 7.0, "S": 9.0, "2": 3.0, "3": 8.0, "4": 5.0,
    "5": 7.0, "6": 11.0, "7": 17.0, "8": 26.0, "9": 38.0, "M": 52.0,
}  # fmt: skip
SECRET = 0.12  # of a piece's value: what it costs to show it
LEARN = 0.25  # of an enemy's value: what it is worth to see it
COUNTER = 0.5  # of what an enemy loses by running into us: how much that comforts us
BLUFF = 0.5  # how much less likely an enemy attacks a piece that it does not know
PATIENCE_PLIES = 120  # without an attack for that long, losses count next to nothing
BOLD_FROM_PLIES = 30


class Worth:
    """The prices of one turn, worked out once from the view and the odds."""

    def __init__(self, view: DuelView, odds: Mapping[str, Odds]) -> None:
        self.view = view
        self.odds = odds
        restless = max(0, view.quiet_plies - BOLD_FROM_PLIES) / PATIENCE_PLIES
        self.caution = max(0.05, 1.0 - restless)
        self.value = dict(VALUE)
        if not any(view.top in chances for chances in odds.values()):
            self.value["S"] = 2.0  # nothing is left that a spy could beat
        self._gain: dict[tuple[str, str, bool], float] = {}
        self._losses: dict[tuple[str, str, bool], float] = {}

    def gain(self, piece: Piece, enemy: Piece) -> float:
        """Expect what an attack brings: what falls, what is learnt, what is shown."""
        key = (piece.rank, enemy.id, piece.revealed)
        if key not in self._gain:
            own = self.value[piece.rank] * self.caution
            total = 0.0 if piece.revealed else -SECRET * own
            news = 0.0 if len(self.odds[enemy.id]) == 1 else LEARN
            for rank, chance in self.odds[enemy.id].items():
                end = self.view.fight(piece.rank, rank)
                won = self.value[rank] if end >= 0 else self.value[rank] * news
                total += chance * (won - (own if end <= 0 else 0.0))
            self._gain[key] = total
        return self._gain[key]

    def danger(self, piece: Piece, square: str, *, gone: Piece | None, shown: bool) -> float:
        """Expect what the worst enemy beside a square takes from our piece there.

        An enemy that knows the rank attacks when it wins; one that does not may run into us.
        """
        worst = 0.0
        for near in self.view.neighbours[square]:
            enemy = self.view.by_square.get(near)
            if enemy is not None and enemy.seat != piece.seat and enemy is not gone:
                key = (piece.rank, enemy.id, shown)
                if key not in self._losses:
                    self._losses[key] = self._attacked(piece.rank, enemy, shown=shown)
                worst = max(worst, self._losses[key])
        return worst

    def _attacked(self, rank: str, enemy: Piece, *, shown: bool) -> float:
        lost = taken = 0.0
        for theirs, chance in self.odds[enemy.id].items():
            if theirs not in LADDER:
                continue
            end = self.view.fight(theirs, rank)
            if end >= 0:
                lost += chance * self.value[rank]
            if end <= 0:
                taken += chance * self.value[theirs]
        if shown:
            return lost
        return BLUFF * (lost - COUNTER * taken)
