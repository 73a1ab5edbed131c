"""What a seat of a duel knows of the other army, and the states that fit it.

An army that is not seen has placeholders for ranks in `_state`. What shows of the game is always
right in it, as every action that was heard of is played there by the rules.
"""

from collections.abc import Mapping
from typing import Any

from engine.duel.army import IMMOBILE, SCOUT
from engine.duel.deployment import place
from engine.duel.endings import BOTH_IMMOBILE, NO_MOVES
from engine.duel.moves import legal_moves
from engine.duel.play import play_move
from engine.duel.redeal import rerank
from engine.duel.spec import SEATS, Rules
from engine.duel.state import OFF, State, copy
from engine.knowledge import Condition, Deal, Ranks, Term
from engine.rng import Rng

BY_MOBILITY = (NO_MOVES.word, BOTH_IMMOBILE.word)


class DuelWatcher:
    """One seat's knowledge: the ranks that were told, and what moves say of the others."""

    def __init__(self, rules: Rules, seat: str) -> None:
        """Begin before the set-up."""
        self._state = State(rules)
        self._seat = SEATS.index(seat)
        first = (1 - self._seat) * rules.strength
        self._army = range(first, first + rules.strength)  # the other seat's pieces
        self._may: dict[int, Ranks] = dict.fromkeys(self._army, frozenset(rules.spec.army))
        self._conditions: list[Condition] = []
        self._fresh: list[Condition] = []  # holds unless the last event ended the game
        self._deal: Deal | None = None

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event as the seat sees it."""
        self._deal = None
        kind = event["type"]
        if kind == "ended":
            self._fresh = []
        elif kind == "deployed":
            self._deploy(event)
        elif kind in ("moved", "fought"):
            self._conditions += self._fresh
            self._fresh = []
            self._play(event)

    def deal(self) -> Deal:
        """Return how the ranks of the other army may be dealt to its pieces that do not show one.

        Where views forget what fights told, that includes pieces of which one rank is known.
        """
        if self._deal is None:
            state, rules = self._state, self._state.rules
            unseen, places = dict(rules.spec.army), {}
            for piece, may in self._may.items():
                stands = state.deploying or state.square[piece] != OFF
                if len(may) > 1 or (rules.forget and stands):
                    places[rules.ids[piece]] = may
                else:
                    unseen[min(may)] -= 1
            self._deal = Deal(places, unseen, [*self._conditions, *self._fresh])
        return self._deal

    def world(self, rng: Rng) -> State:
        """Draw a state that fits all that the seat has seen. Raise ValueError before the set-up."""
        if self._state.deploying:
            raise ValueError("no set-up is known before both seats have deployed")
        dealt, ids = self.deal().sample(rng), self._state.rules.ids
        known = {piece: min(may) for piece, may in self._may.items()}
        state = copy(self._state)
        rerank(state, {piece: dealt.get(ids[piece], rank) for piece, rank in known.items()})
        return state

    def _deploy(self, event: Mapping[str, Any]) -> None:
        """Set up an army; the second one begins the game."""
        state, seat = self._state, SEATS.index(event["seat"])
        placeholders = state.rules.spec.spy_beats * state.rules.strength
        state.deployed[seat] = event.get("deployment", placeholders)
        place(state, seat, str(state.deployed[seat]))
        if None not in state.deployed:
            state.deploying = False
            self._note_mobility()

    def _play(self, event: Mapping[str, Any]) -> None:
        """Play a move, once the ranks are right that it tells or needs."""
        state, ids = self._state, self._state.rules.ids
        text = event["from"] + event["to"]
        if event["type"] == "fought":
            for side in ("attacker", "defender"):
                self._learn(ids.index(event[side]["id"]), frozenset(event[side]["rank"]))
        else:
            far = state.rules.board.moves[text][2]
            walks = frozenset(state.rules.spec.army) - IMMOBILE
            self._learn(ids.index(event["piece"]), frozenset(SCOUT) if far else walks)
        play_move(state, SEATS.index(event["seat"]), text)
        if state.result is not None and state.result.termination in BY_MOBILITY:
            state.result = None  # of placeholders; an event would tell if the game was over
        self._conditions = [
            condition for condition in self._conditions if not self._is_met(condition)
        ]
        self._note_mobility()

    def _learn(self, piece: int, ranks: Ranks) -> None:
        """Take in that a piece has one of these ranks."""
        if piece not in self._may:
            return
        may = self._may[piece] = self._may[piece] & ranks
        if self._state.rank[piece] not in may:
            rerank(self._state, {piece: min(may)})

    def _is_met(self, condition: Condition) -> bool:
        ids, (term,) = self._state.rules.ids, condition.terms
        none: Ranks = frozenset()
        return any(may <= term.ranks.get(ids[piece], none) for piece, may in self._may.items())

    def _note_mobility(self) -> None:
        """Note that the other seat can move, as the game goes on.

        Whether a piece can move depends on its own rank and on where all others stand, so some
        piece must have a rank with which it could.
        """
        state, seat, rules = self._state, 1 - self._seat, self._state.rules
        if not (rules.either_immobile or state.to_move == seat):
            return
        alone = copy(state)
        standing = {piece: may for piece, may in self._may.items() if state.square[piece] != OFF}
        able = {}
        for piece, may in sorted(standing.items(), key=lambda item: bool(item[1] & IMMOBILE)):
            alone.walkers[seat], alone.scouts[seat] = [piece], []
            walks = bool(legal_moves(alone, seat))
            alone.walkers[seat], alone.scouts[seat] = [], [piece]
            runs = bool(legal_moves(alone, seat))
            able[rules.ids[piece]] = frozenset(
                rank for rank in may - IMMOBILE if (runs if rank == SCOUT else walks)
            )
            if able[rules.ids[piece]] == may:
                return
        self._fresh = [Condition((Term(able, 1),), 1)]
