"""Seer: weighs each move by the exchanges that follow it in worlds that fit what was seen."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from beliefs import Beliefs
from position import Layout, Position
from prices import Prices

from botkit import Bot, DuelView, Move, facing, run
from botkit.ranks import LADDER

WORLDS = 20  # that are drawn for a turn, the same for every move
STALE = 3.0  # what it costs to repeat one of the last moves
RECENT_MOVES = 12
SWAPS = 6  # of neighbours in a set-up, so that nobody knows it by heart
BOOK = {  # by the number of pieces; as their owner sees them, the front row first
    40: (
        ("6252962726", "284M7S5842", "5473B65B23", "323BFB43BB"),
        ("2692526272", "742SM58426", "B587364B53", "FB3234B3BB"),
    ),
    24: (
        ("72482427", "43B9S832", "3BFB743B"),
        ("24728427", "B7349S83", "FB234B3B"),
    ),
    8: (
        ("62M", "3FBS2"),
        ("2BM", "S6F32"),
    ),
}


class Seer(Bot[DuelView]):
    """Sees many worlds, and plays what is good in most of them."""

    settings = {
        "flag": 100.0,  # what the flag is worth, where a scout is worth 3
        "haste": 1.5,  # weight of coming closer to a target against winning material now
    }

    def begin(self) -> None:
        """Start with no beliefs and no past."""
        self.beliefs = Beliefs()
        self.recent: deque[tuple[str, str]] = deque(maxlen=RECENT_MOVES)

    def deploy(self, view: DuelView) -> str:
        """Take a set-up from the book, perhaps mirrored, and let some neighbours change places."""
        step = self.rng.choice((1, -1))
        rows = self.rng.choice(BOOK[len(view.roster)])
        ranks = [*facing(*(row[::step] for row in rows))]
        for _ in range(SWAPS):
            at = self.rng.randrange(len(ranks) - 1)
            if {ranks[at], ranks[at + 1]} <= {*LADDER}:
                ranks[at : at + 2] = ranks[at + 1], ranks[at]
        return "".join(ranks)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Write it down."""
        self.beliefs.hear(event)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Play the move that is worth most: by itself, and by what follows in the worlds."""
        odds = self.beliefs.update(view)
        prices = Prices(view, odds, self.settings["flag"])
        layout = Layout(view, prices)
        worlds = [Position(layout, self.beliefs.draw(odds, self.rng)) for _ in range(WORLDS)]

        def worth(move: Move) -> float:
            later = sum(world.after(move.origin, move.target) for world in worlds)
            return self.price(view, prices, move) + later / WORLDS

        best = max(map(Move.parse, legal), key=worth)
        self.recent.append((view.by_square[best.origin].id, best.target))
        self.beliefs.remember(view, best.origin)
        return str(best)

    def price(self, view: DuelView, prices: Prices, move: Move) -> float:
        """Add what a move is expected to win at once, or what it comes closer to."""
        piece = view.by_square[move.origin]
        victim = view.by_square.get(move.target)
        luck = self.rng.random() * 0.1
        if victim is not None:
            return luck + prices.gain(piece, victim)
        way = prices.pull(piece, move.target) - prices.pull(piece, move.origin)
        haste: float = self.settings["haste"]
        return luck + haste * way - STALE * self.recent.count((piece.id, move.target))


if __name__ == "__main__":
    run(Seer)
