"""A first bot for skirmish: it takes what it surely beats, else goes towards the enemy."""

from collections.abc import Mapping, Sequence
from typing import Any

from botkit import Bot, DuelView, run

SURELY_BEATEN = {"M": "632S", "6": "32S", "3": "2SB", "2": "S", "S": "M"}


class Starter(Bot[DuelView]):
    """Change what it prefers, then how it thinks."""

    def deploy(self, view: DuelView) -> str:
        """Hide the flag in a corner behind the bomb; the rest falls anywhere."""
        others = [rank for rank in view.roster if rank not in "FB"]
        self.rng.shuffle(others)
        return "FB" + "".join(others)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Take, else advance, else anything."""
        pieces = {piece["square"]: piece for piece in view.raw["pieces"]}
        taking = [move for move in legal if self.wins(pieces, move)]
        quiet = [move for move in legal if move[2:] not in pieces]
        ahead = [move for move in quiet if self.advance(move) > 0]
        return self.rng.choice(taking or ahead or quiet or legal)

    def wins(self, pieces: Mapping[str, Any], move: str) -> bool:
        """Return whether a move takes a piece that is known to be weaker."""
        target = pieces.get(move[2:])
        return (
            target is not None
            and (target["rank"] or "?") in SURELY_BEATEN[pieces[move[:2]]["rank"]]
        )

    def advance(self, move: str) -> int:
        """Count the rows gained, as this seat looks at the board."""
        rows = int(move[3]) - int(move[1])
        return rows if self.seat == "red" else -rows


if __name__ == "__main__":
    run(Starter)
