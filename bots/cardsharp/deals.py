"""Dealing what cannot be seen: tables that may be the real one, by all that is known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from table import SLOTS, Table

from botkit import CardsView

SHY_FLAG = 0.7  # how often a flag that was dealt into a line is put back behind it


class Dealer:
    """Deals for one view. `notes` says for cards, by id, among which ranks they are."""

    def __init__(self, view: CardsView, notes: Mapping[str, Sequence[str]], rng: Random) -> None:
        self.rng = rng
        own = [view.own.get(n + 1) for n in SLOTS]
        self.own = [card.rank if card else "" for card in own]
        self.theirs = [view.enemy[n + 1].rank if n + 1 in view.enemy else "" for n in SLOTS]
        self.backs = [n for n in SLOTS if n + 1 in view.enemy and not self.theirs[n]]
        self.among = {n: notes.get(view.enemy[n + 1].id, ()) for n in self.backs}
        self.shown = [bool(card and (card.revealed or card.seen)) for card in own]
        self.hand = list(view.hand)
        self.certain = [rank for rank in view.enemy_hand if rank]
        self.unseen = view.enemy_hand.count("")
        self.hidden = list(Counter(_positive(view.hidden)).elements())
        self.pile = list(Counter(_positive(view.drawable)).elements())

    def deal(self) -> Table:
        pool, pile = self.hidden[:], self.pile[:]
        self.rng.shuffle(pool)
        self.rng.shuffle(pile)
        theirs = self.theirs[:]
        for slot in self.backs:
            theirs[slot] = self._draw(pool, self.among[slot])
        flags = [slot for slot in self.backs if theirs[slot] == "F"]
        if flags and pool and self.rng.random() < SHY_FLAG:
            other = self.rng.randrange(len(pool))
            pool[other], theirs[flags[0]] = theirs[flags[0]], pool[other]
        hand = self.certain + pool[: self.unseen]
        known = ([*self.shown], [bool(rank) for rank in self.theirs])
        return Table(
            (self.own[:], theirs), known, (self.hand[:], hand), (pile, pool[self.unseen :])
        )

    def _draw(self, pool: list[str], among: Sequence[str]) -> str:
        """Take a card from a shuffled pool, one of some ranks if it can be."""
        for at, rank in enumerate(pool):
            if rank in among:
                return pool.pop(at)
        return pool.pop()


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {rank: count for rank, count in counts.items() if count > 0}
