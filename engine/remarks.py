"""What bots say beside their actions: notes, and beliefs about what they cannot see.

Remarks are their owner's alone and no part of a record. A belief gives some of the pieces that are
hidden from a seat a probability for each rank: `{"b7": {"2": 0.6, "3": 0.25}}`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log2
from typing import Any, TypeVar

from engine.errors import quoted
from engine.record import Record, begin, is_opening, take
from engine.variant import FULL, Variant, View

S = TypeVar("S")
Belief = Mapping[str, Mapping[str, float]]  # piece -> rank -> probability

TOLERANCE = 0.01  # by which rounding may lift a sum of probabilities above 1
FLOOR = 1 / 1024  # a rank that a bot ruled out, and that was true, costs it 10 bits


class BadBelief(ValueError):
    """What a bot sent is not a belief about what its seat sees; the text is for its owner."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a seat said with its action of this ply; `belief` is of the view before the action.

    Actions of the opening deployment have ply 0. An action that was refused leaves no remark.
    """

    seat: str
    ply: int
    note: str = ""
    belief: Belief | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as it is kept for its seat, without what it does not say."""
        words = {"note": self.note, "belief": self.belief}
        return {"ply": self.ply, **{key: value for key, value in words.items() if value}}


@dataclass(frozen=True, slots=True)
class BeliefScore:
    """The log loss of beliefs: sums of bits over `pieces`, each counted at every ply.

    `prior_bits` is what the exact counts alone would have lost about the same pieces: each hidden
    piece of a side is equally likely to be any of that side's ranks that remain unseen.
    """

    bits: float = 0.0
    prior_bits: float = 0.0
    pieces: int = 0


def check_belief(variant: Variant[Any], view: View, belief: object) -> Belief | None:
    """Return a belief that a seat with this view may have, or None if it says nothing.

    Only the view decides, so the answer tells nothing else. Raise BadBelief.
    """
    if belief is None or belief == {}:
        return None
    if not isinstance(belief, dict):
        raise BadBelief("it is not an object")
    hidden = variant.hidden(view)
    for piece, ranks in belief.items():
        if piece not in hidden:
            raise BadBelief(f"{quoted(piece)} is no hidden piece")
        if not isinstance(ranks, dict):
            raise BadBelief(f"what it says of {quoted(piece)} is not an object")
        for rank, chance in ranks.items():
            if rank not in hidden[piece]:
                raise BadBelief(f"{quoted(rank)} is no rank")
            if type(chance) not in (int, float) or not 0 <= chance <= 1 + TOLERANCE:
                raise BadBelief(f"the probability of {quoted(rank)} is not a number from 0 to 1")
        if sum(ranks.values()) > 1 + TOLERANCE:
            raise BadBelief(f"the probabilities of {quoted(piece)} sum up to more than 1")
    return {piece: ranks for piece, ranks in belief.items() if ranks} or None


def score_by_ply(record: Record, remarks: Iterable[Remark]) -> dict[str, dict[int, BeliefScore]]:
    """Compare the beliefs of each seat with the truth of the record, ply by ply. Raise BadRecord.

    The loss about a piece is the negative logarithm of the probability that its true rank was
    given, at least FLOOR. A rank without a probability has 0.
    """
    held = {(remark.seat, remark.ply): remark.belief for remark in remarks if remark.belief}
    if not held:
        return {}
    variant, state = begin(record)
    scores: dict[str, dict[int, BeliefScore]] = {}
    for number, played in enumerate(record.actions, start=1):
        ply = variant.ply(state) + 1
        belief = held.get((played.seat, ply))
        if belief and not is_opening(variant, state):
            losses = list(_losses(variant, state, played.seat, belief))
            scores.setdefault(played.seat, {})[ply] = BeliefScore(
                sum(own for own, _ in losses), sum(prior for _, prior in losses), len(losses)
            )
        take(variant, state, number, played)
    return scores


def score(record: Record, remarks: Iterable[Remark]) -> dict[str, BeliefScore]:
    """Return the scores of `score_by_ply`, added up for each seat. Raise BadRecord."""
    return {
        seat: BeliefScore(
            sum(each.bits for each in scores.values()),
            sum(each.prior_bits for each in scores.values()),
            sum(each.pieces for each in scores.values()),
        )
        for seat, scores in score_by_ply(record, remarks).items()
    }


def _losses(
    variant: Variant[S], state: S, seat: str, belief: Belief
) -> Iterator[tuple[float, float]]:
    """Yield for each piece of a belief what the belief and what the exact counts lose, in bits."""
    truth = {piece.id: piece.face for piece in variant.scene(variant.view(state, FULL)).pieces}
    hidden = variant.hidden(variant.view(state, seat))
    for piece, ranks in belief.items():
        rank, counts = truth[piece] or "", hidden[piece]
        given = ranks.get(rank, 0) / max(1, sum(ranks.values()))
        yield -log2(max(FLOOR, given)), -log2(counts[rank] / sum(counts.values()))
