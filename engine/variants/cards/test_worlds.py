"""Exact knowledge with a deck so small that every way to hold it can be kept in mind."""

from collections import Counter
from functools import cache
from itertools import permutations
from math import factorial, prod
from typing import Any

import pytest

from engine.registry import resolve_options
from engine.rng import Rng
from engine.variants.cards import options as readings
from engine.variants.cards.rules import VARIANT
from engine.variants.cards.state import GAP, SEATS

DECK = {"F": 1, "S": 3, "2": 1, "9": 1, "3": 3}


@pytest.fixture(autouse=True)
def _small_deck(monkeypatch):
    monkeypatch.setattr(readings, "DECKS", {"battle_cards_23": DECK})
    monkeypatch.setattr(readings, "_rules_of", readings._rules_of.__wrapped__)  # noqa: SLF001 - its cache knows the whole deck


@cache
def first_holdings() -> set[Any]:
    """Return all that somebody can hold at the beginning."""
    whole = "".join(rank * count for rank, count in DECK.items())
    held: set[Any] = set()
    for line in {permutation[:5] for permutation in permutations(whole, 5)}:
        left = [*(Counter(whole) - Counter(line)).elements()]
        held |= {(line, each, minus(left, each)) for each in map(ordered, permutations(left, 3))}
    return held


class Naive:
    """All that the enemy can hold, as (line, hand, pile): each card of the line has its slot."""

    def __init__(self, enemy, events):
        self.enemy = enemy
        self.held = first_holdings()
        self.hear(events)

    def hear(self, events):
        for event in events:
            change = getattr(self, f"_{event['type']}", None)
            if change:
                change(event)

    def _fought(self, event):
        for side, end in (("attacker", "from"), ("defender", "to")):
            if event[end][0] == self.enemy[0]:
                stays = event["winner"] == side
                self._turn_up(event[end], event[side]["rank"], stays=stays)

    def _revealed(self, event):
        if event["seat"] == self.enemy:
            self._turn_up(event["from"], event["rank"], stays=True)

    def _looked(self, event):
        if "rank" in event:
            self._turn_up(event["to"], event["rank"], stays=True)

    def _turn_up(self, place, rank, *, stays):
        slot = int(place[1]) - 1
        self.held = {
            (line if stays else (*line[:slot], None, *line[slot + 1 :]), hand, pile)
            for line, hand, pile in self.held
            if line[slot] == rank
        }

    def _peeked(self, event):
        if "ranks" in event:
            seen = ordered(event["ranks"])
            self.held = {each for each in self.held if each[1] == seen}

    def _drew(self, event):
        for _ in range(event["count"] if event["seat"] == self.enemy else 0):
            self.held = {
                (line, ordered((*hand, rank)), minus(pile, (rank,)))
                for line, hand, pile in self.held
                for rank in {*pile}
            }

    def _filled(self, event):
        if event["seat"] != self.enemy:
            return
        for slot in event["slots"]:
            self.held = {
                ((*line[: slot - 1], rank, *line[slot:]), minus(hand, (rank,)), pile)
                for line, hand, pile in self.held
                for rank in {*hand}
            }

    def weights(self):
        """Return for each holding how many ways there are to stand hand and pile in a row."""
        return {each: orders(each[1]) * orders(each[2]) for each in self.held}


def ordered(ranks):
    return tuple(sorted(ranks))


def minus(ranks, gone):
    return ordered((Counter(ranks) - Counter(gone)).elements())


def orders(ranks):
    return factorial(len(ranks)) // prod(map(factorial, Counter(ranks).values()))


def followed(rng_seed, chosen):
    """Yield what a seat knows and what a naive reader knows, after each action of a random game."""
    whole = resolve_options(VARIANT, {"no_fight_turns": 12, "max_turns": 30, **chosen})
    seat, enemy = SEATS if rng_seed % 2 else SEATS[::-1]
    state, rng = VARIANT.begin(whole, rng_seed), Rng(rng_seed, "small deck")
    known = VARIANT.watch(whole, VARIANT.view(state, seat))
    naive = None
    while state.result is None:
        (actor, *_) = VARIANT.asked(state)
        legal = VARIANT.legal(state, actor) or [VARIANT.sample(state, actor, rng)]
        quiet = [each for each in legal if each[1:] in ("s", "f")[: 1 + (rng_seed % 4 == 3)]]
        action = rng.choice(quiet if quiet and rng.below(2) else legal)
        heard = [event.seen_by(seat) for event in VARIANT.apply(state, actor, action)]
        for event in heard:
            known.hear(event)
        if any(event["type"] == "redealt" and event["seat"] == enemy for event in heard):
            return
        if naive is not None:
            naive.hear(heard)
        elif not state.opening:
            naive = Naive(enemy, heard)
        if naive is not None and state.result is None:
            yield state, known, naive


@pytest.mark.parametrize(
    "chosen",
    [{}, {"refill": "immediate"}, {"chain_attacks": True, "refill_before_stuck_check": True}],
    ids=["as printed", "refill at once", "chains"],
)
def test_marginals_cover_all_the_enemy_can_hold(chosen):
    seen: Counter[bool] = Counter()
    for rng_seed in range(6):
        for state, known, naive in followed(rng_seed, chosen):
            weights = naive.weights()
            whole = sum(weights.values())
            other = SEATS.index(naive.enemy)
            marginals = known.deal().marginals
            for slot, card in enumerate(state.line[other]):
                if card == GAP or state.name[card] not in marginals:
                    continue
                ranks: Counter[str] = Counter()
                for (line, _, _), weight in weights.items():
                    ranks[line[slot]] += weight
                expected = {rank: count / whole for rank, count in ranks.items()}
                assert marginals[state.name[card]] == expected, (rng_seed, state.ply)
                seen[bool(known.deal().conditions)] += 1
            hands = {place for place in marginals if place.startswith("hand")}
            assert len(hands) == len(state.hand[other])

    assert seen[True] > 40
    assert seen[False] > 40
