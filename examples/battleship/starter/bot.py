"""A first bot for battleship: it shoots beside what it has hit, else at every second square."""

from collections.abc import Sequence

from botkit import BattleshipView, Bot, run  # type: ignore[attr-defined] # a name of this site's kit


class Starter(Bot[BattleshipView]):
    """Change where it shoots, then how it thinks."""

    def deploy(self, view: BattleshipView) -> str:
        """Lay each ship along a row of its own."""
        rows = self.rng.sample(range(1, 9), len(view.fleet))
        starts = ["abcdefgh"[self.rng.randrange(9 - length)] for length in view.fleet.values()]
        return ",".join(f"{file}{row}r" for file, row in zip(starts, rows, strict=True))

    def act(self, view: BattleshipView, legal: Sequence[str]) -> str:
        """Finish a ship that was hit, else search."""
        for ship, hits in view.wounded.items():
            near = {square for squares in view.possible(ship) for square in squares} - {*hits}
            beside = [square for square in legal if square in near and self.touches(square, hits)]
            if beside:
                return self.rng.choice(beside)
        second = [square for square in legal if (ord(square[0]) + int(square[1])) % 2]
        return self.rng.choice(second or legal)

    def touches(self, square: str, hits: Sequence[str]) -> bool:
        """Return whether a square is next to one that was hit."""
        x, y = ord(square[0]), int(square[1])
        return any(abs(ord(hit[0]) - x) + abs(int(hit[1]) - y) == 1 for hit in hits)


if __name__ == "__main__":
    run(Starter)
