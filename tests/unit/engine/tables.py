"""A card game under way, spoken to in actions and ranks."""

from dataclasses import dataclass
from typing import Any

from engine.registry import resolve_options
from engine.rng import Rng
from engine.variants.cards.positions import position
from engine.variants.cards.rules import VARIANT
from engine.variants.cards.state import GAP, SEATS, State
from tests.unit.engine.underway import UnderWay


@dataclass(frozen=True)
class Table(UnderWay):
    """Lines, hands and piles of a game, and what happens to them."""

    state: State

    @property
    def phase(self) -> str:
        return VARIANT.phase(self.state)

    def sees(self, observer: str, seat: str) -> dict[str, Any]:
        """Return what an observer sees of a seat's cards."""
        shown: dict[str, Any] = VARIANT.view(self.state, observer)["seats"][seat]
        return shown

    def line(self, seat: str, observer: str = "full") -> str:
        """Write a line as an observer sees it: `.` for a gap, `?` for a back."""
        shown = self.sees(observer, seat)["line"]
        return "".join("." if card is None else card["rank"] or "?" for card in shown)

    def hand(self, seat: str, observer: str = "full") -> str:
        return "".join(rank or "?" for rank in self.sees(observer, seat)["hand"])

    def removed(self) -> int:
        return len(self.state.removed)


def table(red: str, blue: str, *, to_move: str = "red", **options: Any) -> Table:
    """Set up two sides given as `line hand pile`, the latter two as far as they are there."""
    return Table(VARIANT, position(_cards(red), _cards(blue), to_move=to_move, **options))


def _cards(side: str) -> tuple[str, str, str]:
    line, hand, pile = [*side.split(" "), "", ""][:3]
    return line, hand, pile


def dealt(rng_seed: int = 1, **options: Any) -> Table:
    """Begin a game: both decks are dealt and no line is chosen."""
    return Table(VARIANT, VARIANT.begin(resolve_options(VARIANT, options), rng_seed))


def opened(rng_seed: int = 1, **options: Any) -> Table:
    """Begin a game and choose both lines by chance."""
    game = dealt(rng_seed, **options)
    for seat in SEATS:
        VARIANT.apply(game.state, seat, VARIANT.sample(game.state, seat, Rng(rng_seed, seat)))
    return game


def gaps(game: Table, seat: str) -> int:
    return game.state.line[SEATS.index(seat)].count(GAP)
