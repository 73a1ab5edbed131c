"""A first bot for classic: it takes what it surely beats, else goes towards the enemy."""

from collections.abc import Mapping, Sequence
from typing import Any

from botkit import Bot, DuelView, run

LADDER = "S23456789M"  # weakest first


class Starter(Bot[DuelView]):
    """Change what it prefers, then how it thinks."""

    def deploy(self, view: DuelView) -> str:
        """Hide the flag in a corner beside a bomb; the rest falls anywhere."""
        others = view.roster
        others.remove("F")
        others.remove("B")
        self.rng.shuffle(others)
        return "FB" + "".join(others)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Take, else advance, else anything."""
        pieces = {piece["square"]: piece for piece in view.raw["pieces"]}
        ways = {move: self.way(move, pieces) for move in legal}
        taking = [move for move, way in ways.items() if self.wins(pieces, *way)]
        quiet = [move for move, (_, end) in ways.items() if end not in pieces]
        ahead = [move for move in quiet if self.advance(*ways[move]) > 0]
        return self.rng.choice(taking or ahead or quiet or legal)

    def way(self, move: str, pieces: Mapping[str, Any]) -> tuple[str, str]:
        """Cut a move such as `a9a10` where a piece stands on its first part."""
        start = next(move[:cut] for cut in (2, 3) if move[:cut] in pieces and move[cut].isalpha())
        return start, move.removeprefix(start)

    def wins(self, pieces: Mapping[str, Any], start: str, end: str) -> bool:
        """Return whether a move takes a piece that is known to be lower."""
        own, target = pieces[start]["rank"], pieces.get(end)
        known = target["rank"] if target else None
        return known in LADDER and LADDER.index(own) > LADDER.index(known) if known else False

    def advance(self, start: str, end: str) -> int:
        """Count the rows gained, as this seat looks at the board."""
        rows = int(end[1:]) - int(start[1:])
        return rows if self.seat == "red" else -rows


if __name__ == "__main__":
    run(Starter)
