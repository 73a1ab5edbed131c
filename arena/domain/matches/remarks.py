"""What bots said beside their actions: kept with the game, for their owners and staff only."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import F, Sum

from arena.domain.matches import record_compression
from arena.models import Game, GameLog, Ladder, Match, Version, Viewer
from engine.record import Record, canonical
from engine.remarks import BeliefScore, Remark, score, score_by_ply

KEPT_MAX_BYTES = 512 * 1024  # of one seat in one game, as JSON without compression


@dataclass(frozen=True, slots=True)
class LadderBeliefs:
    """The mean log loss of a version's beliefs on a ladder, in bits a piece.

    `prior_bits` is that of the exact counts about the same pieces.
    """

    ladder: Ladder
    bits: float
    prior_bits: float
    pieces: int


class Notebook:
    """Collects the remarks of one game, up to a size for each seat."""

    def __init__(self) -> None:
        self._kept: dict[str, list[Remark]] = {}
        self._size_bytes: Counter[str] = Counter()
        self._cut_at: dict[str, int] = {}

    def keep(self, remark: Remark) -> None:
        """Keep a remark; from the first one without room on, keep none of its seat."""
        if remark.seat in self._cut_at:
            return
        self._size_bytes[remark.seat] += len(canonical(remark.as_json())) + 1
        if self._size_bytes[remark.seat] > KEPT_MAX_BYTES:
            self._cut_at[remark.seat] = remark.ply
            return
        self._kept.setdefault(remark.seat, []).append(remark)

    def columns(self, *, record: Record) -> dict[str, dict[str, Any]]:
        """Return, for each seat that said anything, the columns of its `GameLog`."""
        scores = score(record, (remark for own in self._kept.values() for remark in own))
        columns: dict[str, dict[str, Any]] = {}
        for seat in self._kept | self._cut_at:
            remarks = [remark.as_json() for remark in self._kept.get(seat, ())]
            document = {"cut_at_ply": self._cut_at.get(seat), "remarks": remarks}
            beliefs = asdict(scores.get(seat, BeliefScore()))
            columns[seat] = {
                "remarks": record_compression.packed(text=canonical(document)),
                **{f"belief_{name}": value for name, value in beliefs.items()},
            }
        return columns


def documents(*, logs: Iterable[GameLog]) -> list[dict[str, Any]]:
    """Return what each seat said, in turn order of the plies: `seat`, `cut_at_ply`, `remarks`.

    `cut_at_ply` is the ply from which on there was no room, or None. Seats that said nothing are
    left out.
    """
    return [
        {
            "seat": log.seat,
            **json.loads(record_compression.unpacked(blob=bytes(log.remarks))),
        }
        for log in logs
        if log.remarks
    ]


def belief_scores(*, game: Game, logs: Iterable[GameLog]) -> dict[str, dict[int, BeliefScore]]:
    """Return how right the beliefs in these logs of a game were, by seat and ply."""
    kept = [
        Remark(seat["seat"], said["ply"], belief=said["belief"])
        for seat in documents(logs=logs)
        for said in seat["remarks"]
        if "belief" in said
    ]
    if not kept:
        return {}
    text = record_compression.unpacked(blob=bytes(game.record.blob))
    return score_by_ply(Record.from_json(text), kept)


def scores(*, version: Version, viewer: Viewer) -> list[LadderBeliefs]:
    """Return how good a version's beliefs were on each ladder, in matches that are over."""
    logs = GameLog.objects.filter(
        game__match__entrants__version=version,
        game__match__entrants__position=F("position"),
        belief_pieces__gt=0,
        game__match__in=Match.objects.visible_to(viewer).exclude(status__in=Match.OPEN),
    )
    sums = (
        logs.order_by("game__match__ladder")
        .values_list("game__match__ladder")
        .annotate(Sum("belief_bits"), Sum("belief_prior_bits"), Sum("belief_pieces"))
    )
    ladders = Ladder.objects.in_bulk([pk for pk, *_ in sums])
    return [
        LadderBeliefs(ladders[pk], bits / pieces, prior_bits / pieces, pieces)
        for pk, bits, prior_bits, pieces in sums
    ]
