"""What a seat of the card game knows of the cards that it does not see, and the states that fit.

Cards that are not known have a placeholder for a rank in `_state`, of a rank that can attack, as a
line without such a card loses. What shows of the game is always right in it, as every action that
was heard of is played there by the rules.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.knowledge import Condition, Deal, Ranks, Term, hold_first
from engine.rng import Rng
from engine.variant import Options, View
from engine.variants.cards.deal import begin
from engine.variants.cards.deck import IMMOBILE
from engine.variants.cards.deployment import deploy
from engine.variants.cards.fill import fill
from engine.variants.cards.play import play
from engine.variants.cards.state import GAP, SEATS, State, copy

PLAYED = ("deployed", "fought", "revealed", "filled", "stopped")  # events that tell an action


@dataclass(slots=True)
class Look:
    """What a spy saw of a hand, and which cards have come from that hand into the line since.

    `laid` lists them, each with the number of cards that were drawn between the look and then.
    """

    ranks: Counter[str]
    laid: list[tuple[int, int]] = field(default_factory=list)
    drawn: int = 0


class CardsWatcher:
    """One seat's knowledge: the ranks that were told, and what a spy's look says of the others."""

    def __init__(self, options: Options, first: View) -> None:
        """Begin with the first view, in which the seat has been dealt its hand."""
        hold_first(first)
        self._state = state = begin(options, 0)
        self._seat = SEATS.index(first["observer"])
        self._other = 1 - self._seat
        self._placeholder = next(rank for rank in state.rules.deck if rank not in IMMOBILE)
        state.rank = [self._placeholder] * len(state.rank)
        dealt = first["seats"][first["observer"]]["hand"]
        for card, rank in zip(state.hand[self._seat], dealt, strict=True):
            state.rank[card] = rank
        self._look: Look | None = None
        self._conditions: list[tuple[tuple[int, ...], Counter[str], int]] = []
        self._deal: Deal | None = None

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event as the seat sees it."""
        self._deal = None
        kind = event["type"]
        if kind in PLAYED:
            self._play(event)
        elif kind in ("drew", "redealt"):
            self._draw(event)
        elif kind == "looked" and "rank" in event:
            slot = int(event["to"][1]) - 1
            self._state.rank[self._state.line[self._other][slot]] = event["rank"]
        elif kind == "peeked" and "ranks" in event:
            self._peek(event["ranks"])

    def deal(self) -> Deal:
        """Return how the other seat's ranks may be dealt to its line, its hand and its pile."""
        if self._deal is None:
            state, places = self._state, self._places()
            unseen = Counter(state.rules.deck)
            gone = [card for card in state.removed if state.owner(card) == self._other]
            known = [card for card in state.cards_of(self._other) if self._knows(card)]
            unseen.subtract(state.rank[card] for card in gone + known)
            ranks: Ranks = frozenset(unseen)
            conditions = [self._condition(*look, places) for look in self._looks()]
            open_still = [condition for condition in conditions if condition.least > 0]
            self._deal = Deal(dict.fromkeys(places.values(), ranks), unseen, open_still)
        return self._deal

    def world(self, rng: Rng) -> State:
        """Draw a state that fits all that the seat has seen. Raise ValueError before the set-up."""
        if self._state.opening:
            raise ValueError("no line is known before both seats have deployed")
        dealt = self.deal().sample(rng)
        state = copy(self._state)
        state.rng_seed = rng.below(2**48)  # the mixing to come is not known either
        for card, place in self._places().items():
            state.rank[card] = dealt[place]
        own = Counter(state.rules.deck)
        pile = state.pile[self._seat]
        held = {*state.cards_of(self._seat), *state.removed} - {*pile}
        own.subtract(state.rank[card] for card in held if state.owner(card) == self._seat)
        order = [*own.elements()]
        rng.shuffle(order)
        for card, rank in zip(pile, order, strict=True):
            state.rank[card] = rank
        return state

    def _knows(self, card: int) -> bool:
        return self._state.shown[card] or self._state.seen[card]

    def _places(self) -> dict[int, str]:
        """Return where the other seat's unknown cards are: in the line, the hand or the pile."""
        state, other = self._state, self._other
        line = (card for card in state.line[other] if card != GAP and not self._knows(card))
        named = {card: state.name[card] for card in line}
        named |= {card: f"hand{n}" for n, card in enumerate(state.hand[other], start=1)}
        return named | {card: f"pile{n}" for n, card in enumerate(state.pile[other], start=1)}

    def _play(self, event: Mapping[str, Any]) -> None:
        """Play an action, once the ranks are right that it tells."""
        state, seat, kind = self._state, SEATS.index(event["seat"]), event["type"]
        if kind == "fought":
            slots = []
            for side, owner, end in (("attacker", seat, "from"), ("defender", 1 - seat, "to")):
                slots.append(int(event[end][1]))
                state.rank[state.line[owner][slots[-1] - 1]] = event[side]["rank"]
            play(state, seat, f"{slots[0]}x{slots[1]}")
        elif kind == "revealed":
            state.rank[state.line[seat][int(event["from"][1]) - 1]] = event["rank"]
            play(state, seat, event["action"])
        elif kind == "stopped":
            play(state, seat, "stop")
        else:
            self._lay(event, seat)

    def _lay(self, event: Mapping[str, Any], seat: int) -> None:
        """Lay cards from a hand; which ones the other seat lays is not seen."""
        state, count = self._state, len(event["cards"])
        hidden = [state.rank[card] for card in state.hand[seat][:count]]
        if event["type"] == "deployed":
            deploy(state, seat, event.get("deployment", "".join(hidden)))
        else:
            pairs = zip(event["slots"], event.get("ranks", hidden), strict=True)
            fill(state, seat, ",".join(f"{slot}={rank}" for slot, rank in pairs))
        if self._look is not None and seat == self._other:
            laid = (card for card in state.line[seat] if state.name[card] in event["cards"])
            self._look.laid += [(card, self._look.drawn) for card in laid]

    def _draw(self, event: Mapping[str, Any]) -> None:
        """Take in cards that came into a hand; whose deck was mixed, nothing is known of it."""
        state, seat, count = self._state, SEATS.index(event["seat"]), event["count"]
        if seat == self._seat:
            for card, rank in zip(state.hand[seat][-count:], event["ranks"], strict=True):
                state.rank[card] = rank
        elif event["type"] == "drew" and self._look is not None:
            self._look.drawn += count
        elif event["type"] == "redealt":
            self._look, self._conditions = None, []
            for card in state.cards_of(seat):
                state.rank[card] = self._placeholder

    def _peek(self, ranks: list[str]) -> None:
        """Take in a look at the other hand; what the last look says of the line stays true."""
        state, seen = self._state, Counter(ranks)
        state.certain[self._other] = tuple(ranks)
        if self._look is not None:
            laid = tuple(card for card, _ in self._look.laid)
            left = self._look.ranks - seen
            self._conditions += [*self._prefixes(self._look), (laid, left, left.total())]
        self._look = Look(seen)

    def _looks(self) -> list[tuple[tuple[int, ...], Counter[str], int]]:
        """List what the looks say: how many of these cards have at least ranks that were seen."""
        if self._look is None:
            return self._conditions
        look, hand = self._look, self._state.hand[self._other]
        whole = (*(card for card, _ in look.laid), *hand)
        return [*self._conditions, *self._prefixes(look), (whole, look.ranks, look.ranks.total())]

    @staticmethod
    def _prefixes(look: Look) -> list[tuple[tuple[int, ...], Counter[str], int]]:
        """Return that of the cards laid until each draw no more are new than were drawn.

        What follows from fewer cards is left out.
        """
        prefixes: list[tuple[tuple[int, ...], Counter[str], int]] = []
        most = 0
        for drawn in dict.fromkeys(drawn for _, drawn in look.laid):
            cards = tuple(card for card, before in look.laid if before <= drawn)
            if len(cards) - drawn > most:
                most = len(cards) - drawn
                prefixes.append((cards, look.ranks, most))
        return prefixes

    def _condition(
        self, cards: tuple[int, ...], ranks: Counter[str], least: int, places: Mapping[int, str]
    ) -> Condition:
        """Write a condition in places; cards that are known by now have met their part of it."""
        known = Counter(self._state.rank[card] for card in cards if card not in places)
        met = (known & ranks).total()
        here = [places[card] for card in cards if card in places]
        terms = [
            Term(dict.fromkeys(here, frozenset(rank)), count)
            for rank, count in (ranks - known).items()
        ]
        return Condition(tuple(terms), least - met)
