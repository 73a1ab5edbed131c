"""The two duels that have a sheet, with the numbers of the sheet and the sentences that refuse.

The positions of their shared tests stand on the eight files and ranks that both boards have.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.duel.spec import SEATS, DuelSpec
from engine.duel.state import State
from engine.registry import find, resolve_options
from engine.variant import Variant
from engine.variants.classic import rules as classic
from engine.variants.general import rules as general
from tests.unit.engine.positions import Duel, deployed, place

FAR = " Fh8 7h7"  # a blue flag and a blue piece that can move, out of the way


@dataclass(frozen=True)
class Sheet:
    """A duel: its army, its ranks from the weakest to the leader, and the ends of the homes.

    `rules` names, by what a player did wrong, the sentence of the refusal.
    """

    spec: DuelSpec
    pieces: int
    army: str
    ladder: str
    homes: Mapping[str, tuple[str, str]]
    middle: tuple[int, int]
    rules: Mapping[str, str]

    @property
    def variant(self) -> Variant[Any]:
        return find(self.spec.slug)

    @property
    def leader(self) -> str:
        return self.ladder[-1]

    def begin(self) -> State:
        state: State = self.variant.begin(resolve_options(self.variant, {}), 0)
        return state

    def deployed(self) -> Duel:
        return deployed(self.spec.slug, self.army, self.army)

    def duel(self, red: str, blue: str, **options: Any) -> Duel:
        return place(self.spec.slug, red=red, blue=blue, **options)

    def fight(self, attacker: str, defender: str) -> tuple[Duel, str]:
        """Attack with red's piece on e4 blue's on e5; return the game and the winner."""
        game = self.duel(f"Fa1 7h1 {attacker}e4", f"{defender}e5{FAR}")
        return game, game.play("e4e5")[0].public["winner"]

    def view(self, state: State, observer: str) -> dict[str, Any]:
        view: dict[str, Any] = self.variant.view(state, observer)
        return view

    def wins(self, seat: str) -> dict[str, float]:
        return {each: float(each == seat) for each in SEATS}


SHEETS = {
    "classic": Sheet(
        spec=classic.SPEC,
        pieces=40,
        army="FBBBBBB" + "M9" + "88" + "777" + "6666" + "5555" + "4444" + "33333" + "22222222S",
        ladder="S23456789M",
        homes={"red": ("a1", "j4"), "blue": ("j10", "a7")},
        middle=(5, 6),
        rules={
            "army": "B1",
            "home": "B7",
            "turn": "B12",
            "step": "B13",
            "occupied": "B14",
            "shuttle": "B16",
            "immobile": "B19",
            "path": "B21",
            "far_strike": "B22",
            "chase": "BE2",
            "run_strike": "BE5",
        },
    ),
    "general": Sheet(
        spec=general.SPEC,
        pieces=24,
        army="FBBBB" + "9" + "88" + "777" + "4444" + "3333" + "2222S",
        ladder="S234789",
        homes={"red": ("a1", "h3"), "blue": ("h8", "a6")},
        middle=(4, 5),
        rules={
            "army": "A4",
            "home": "A7",
            "turn": "A10",
            "step": "A11",
            "path": "A12",
            "occupied": "A13",
            "immobile": "A14",
            "far_strike": "A15",
            "shuttle": "A31",
            "chase": "AE2",
            "run_strike": "AE5",
        },
    ),
}
