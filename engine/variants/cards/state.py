"""The state of a card game: flat lists, changed in place."""

from typing import TYPE_CHECKING

from engine.variants.cards.deck import IMMOBILE
from engine.variants.cards.options import Rules

if TYPE_CHECKING:
    from engine.outcome import Result

SEATS = ("red", "blue")
SLOTS = 5  # places of a front line
HAND = 3
GAP = -1  # the card of a slot without one
DEPLOY, TURN, CHAIN, FILL, OVER = "deploy", "turn", "chain", "fill", "over"


class State:
    """A game under way. Cards are numbers: 0 to 22 are red's, 23 to 45 blue's, in no order.

    By card: rank[card]; name[card] is what everybody calls it, empty until it first lies in a line;
    shown[card] (its rank was told to all), seen[card] (a scout looked at it for the other seat),
    peeks[card] (the numbers of the looks at a hand in which it was). By seat: pile[seat] from its
    bottom to its top, hand[seat], line[seat] with GAP in empty slots, named[seat] and tricks[seat]
    count the names given and the flag tricks done, certain[seat] are ranks that the other seat
    knows to be in the hand. The seat `mover` has its turn and `to_act` is asked; `chain` is the
    slot that may attack again, or GAP; `early` says that gaps are being filled before the attack.
    """

    __slots__ = (
        "certain",
        "chain",
        "early",
        "fought",
        "hand",
        "line",
        "looks",
        "mover",
        "name",
        "named",
        "peeks",
        "phase",
        "pile",
        "ply",
        "quiet_turns",
        "rank",
        "removed",
        "result",
        "rng_seed",
        "rules",
        "seen",
        "shown",
        "to_act",
        "tricks",
        "turns",
        "waiting",
    )

    def __init__(self, rules: Rules, rng_seed: int) -> None:
        cards = 2 * len(rules.cards)
        self.rules = rules
        self.rng_seed = rng_seed
        self.rank = list(rules.cards) * 2
        self.name = [""] * cards
        self.shown = [False] * cards
        self.seen = [False] * cards
        self.peeks: list[tuple[int, ...]] = [()] * cards
        self.pile: list[list[int]] = [[], []]
        self.hand: list[list[int]] = [[], []]
        self.line = [[GAP] * SLOTS, [GAP] * SLOTS]
        self.removed: list[int] = []
        self.named = [0, 0]
        self.tricks = [0, 0]
        self.certain: list[tuple[str, ...]] = [(), ()]
        self.looks = 0
        self.waiting: list[str | None] = [None, None]  # opening set-ups until both are there
        self.phase = DEPLOY
        self.mover = 0
        self.to_act = 0
        self.ply = 0
        self.turns = 0
        self.quiet_turns = 0
        self.fought = False
        self.chain = GAP
        self.early = False
        self.result: Result | None = None

    @property
    def opening(self) -> bool:
        """Whether some seat has not deployed for the first time yet."""
        return None in self.waiting

    def owner(self, card: int) -> int:
        """Return the seat whose card it is."""
        return int(card >= len(self.rules.cards))

    def cards_of(self, seat: int) -> list[int]:
        """List a seat's cards that are still in the game: pile, hand, line."""
        return [*self.pile[seat], *self.hand[seat], *(c for c in self.line[seat] if c != GAP)]

    def lay(self, seat: int, slot: int, card: int) -> None:
        """Put a card into a slot; its new name tells nothing but that order."""
        self.named[seat] += 1
        self.name[card] = f"{SEATS[seat][0]}{self.named[seat]}"
        self.line[seat][slot] = card

    def can_fill(self, seat: int) -> bool:
        """Return whether a seat has a gap in its line and a card for it."""
        return bool(self.hand[seat]) and GAP in self.line[seat]

    def stuck(self, seat: int) -> bool:
        """Return whether a seat whose turn it is has no card that may act (sentence C25)."""
        ranks = {self.rank[card] for card in self.line[seat] if card != GAP}
        return not ranks - IMMOBILE and not (self.rules.trick_saves and "F" in ranks)


def copy(state: State) -> State:
    """Return an independent copy; the rules are shared."""
    twin: State = State.__new__(State)
    for field in _SHARED:
        setattr(twin, field, getattr(state, field))
    for field in _FLAT:
        setattr(twin, field, getattr(state, field)[:])
    for field in _NESTED:
        setattr(twin, field, [part[:] for part in getattr(state, field)])
    return twin


_NESTED = ("hand", "line", "pile")
_FLAT = (
    "certain", "name", "named", "peeks", "rank", "removed", "seen", "shown", "tricks", "waiting",
)  # fmt: skip
_SHARED = tuple(field for field in State.__slots__ if field not in (*_NESTED, *_FLAT))
