"""The card game as numbers: every game whose view has a deck, and seats with a line and a hand."""

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import chain, combinations

import numpy as np

from botkit.learning.encoding import Encoding, Json, Tensor, Tokens, left_of, share
from engine.variants.cards.typed_view import SLOTS as LINE

SEATS = ("red", "blue")
SLOTS = range(1, LINE + 1)
PHASES = ("deploy", "turn", "chain", "fill", "over")
_LOOKS = tuple("".join(map(str, slots)) for n in (1, 2) for slots in combinations(SLOTS, n))


class CardsEncoding(Encoding):
    """The card game: a number for each attack and show, one for each rank, one for rank and slot.

    One step of a set-up lays a rank into the next slot, one step of a filling a rank into a gap.
    """

    def __init__(self, view: Json) -> None:
        self._deck: dict[str, int] = dict(view["deck"])
        ranks = tuple(self._deck)
        tokens = (
            *(f"{own}x{other}" for own in SLOTS for other in SLOTS),
            *(f"{own}s" for own in SLOTS),
            *(f"{own}l{looks}" for own in SLOTS for looks in _LOOKS),
            *(f"{own}f" for own in SLOTS),
            "stop",
            *ranks,
            *(f"{slot}={rank}" for slot in SLOTS for rank in ranks),
        )
        super().__init__(dict.fromkeys(SEATS, tokens))
        kinds, slots = len(ranks), len(SLOTS)
        self._kinds = {rank: at for at, rank in enumerate(ranks)}
        self._card = kinds + len(("gap", "revealed", "seen"))
        self.fields = {
            "own line": slots * self._card,
            "enemy line": slots * self._card,
            "own hand": kinds,
            "known in the enemy's hand": kinds,
            "own cards removed": kinds,
            "enemy cards removed": kinds,
            "cards in the enemy's hand": 1,
            "cards in both piles": 2,
            "phase": len(PHASES),
            "asked": 1,
            "slot that may attack again": slots,
            "turns": 1,
            "turns without a fight": 1,
        }
        self.shape = (sum(self.fields.values()),)

    def split(self, action: str) -> Tokens:
        """Return a filling slot by slot, any other action whole."""
        return tuple(action.split(","))

    def join(self, tokens: Tokens) -> str:
        """Return the action that tokens spell."""
        return ",".join(tokens) if "=" in tokens[0] else "".join(tokens)

    def following(self, view: Json, spelled: Tokens) -> Collection[str]:
        """Return what is left of the hand, of which a set-up takes a line."""
        hand = view["seats"][view["observer"]]["hand"]
        return left_of(Counter(hand), spelled, min(len(SLOTS), len(hand)))

    def tensor(self, view: Json, spelled: Tokens) -> Tensor:
        """Return one vector; the cards being laid count as laid."""
        seat = view["observer"]
        own, enemy = view["seats"][seat], view["seats"][SEATS[1 - SEATS.index(seat)]]
        # The cards of an action that is being spelled, by slot.
        pairs = (
            token.split("=") if "=" in token else (slot, token)
            for slot, token in zip(SLOTS, spelled, strict=False)
        )
        laid = {int(slot): rank for slot, rank in pairs}
        new = {slot: {"rank": laid[slot], "revealed": False, "seen": False} for slot in laid}
        line = [new.get(slot, card) for slot, card in zip(SLOTS, own["line"], strict=True)]
        removed: dict[bool, list[str]] = {True: [], False: []}
        for card in view["removed"]:
            removed[card["seat"] == seat].append(card["rank"])
        hand = Counter(own["hand"]) - Counter(laid.values())
        cards, limits = sum(self._deck.values()), view["limits"]
        return np.array(
            [
                *self._line(line),
                *self._line(enemy["line"]),
                *self._counted(hand.elements()),
                *self._counted(rank for rank in enemy["hand"] if rank),
                *self._counted(removed[True]),
                *self._counted(removed[False]),
                len(enemy["hand"]) / cards,
                *(side["pile"] / cards for side in (own, enemy)),
                *(view["phase"] == phase for phase in PHASES),
                seat in view["to_act"],
                *(view["again"] == slot for slot in SLOTS),
                share(view["turn"], limits["max_turns"]),
                share(view["no_fight_turns"], limits["no_fight_turns"]),
            ],
            np.float32,
        )

    def _line(self, line: Iterable[Json | None]) -> Iterable[float]:
        """Return for each slot: rank, whether it is empty, what is known of its card to whom."""
        return chain.from_iterable(map(self._slot, line))

    def _slot(self, card: Json | None) -> list[float]:
        lit = [0.0] * self._card
        kinds = len(self._kinds)
        if card is None:
            lit[kinds] = 1.0
            return lit
        if card["rank"]:
            lit[self._kinds[card["rank"]]] = 1.0
        lit[kinds + 1], lit[kinds + 2] = card["revealed"], card["seen"]
        return lit

    def _counted(self, ranks: Iterable[str]) -> list[float]:
        """Return how much of the deck's cards of each rank these are."""
        counts = Counter(ranks)
        return [counts[rank] / count for rank, count in self._deck.items()]


ENCODING = CardsEncoding
