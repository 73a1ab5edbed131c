"""What a runner brings back from a game, and where it is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.domain.matches import records
from arena.models import Game, GameEvidence, GameLog, GameRecord, GameStatus


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What a runner brings back from one game; `logs` maps seats to standard error.

    `evidence` has a row, not stored yet, for every seat that forfeited.
    """

    record_json: str
    outcome: Mapping[str, float]
    termination: str
    fault: str
    detail: str
    plies: int
    duration_ms: int
    isolation: str
    logs: Mapping[str, str]
    evidence: Sequence[GameEvidence] = ()


def store(*, game: Game, played: PlayedGame) -> None:
    """Write all of it; the caller holds the match and a transaction, and does so once."""
    Game.objects.filter(pk=game.pk).update(
        status=GameStatus.FINISHED,
        outcome=dict(played.outcome),
        termination=played.termination,
        fault=played.fault,
        detail=played.detail,
        plies=played.plies,
        duration_ms=played.duration_ms,
        isolation=played.isolation,
    )
    GameRecord.objects.create(game=game, blob=records.packed(text=played.record_json))
    GameLog.objects.bulk_create(
        GameLog(
            game=game,
            seat=seat,
            position=game.seats[seat],
            stderr=text.replace("\0", "\N{REPLACEMENT CHARACTER}"),
        )
        for seat, text in played.logs.items()
    )
    for row in played.evidence:
        row.game, row.position = game, game.seats[row.seat]
    GameEvidence.objects.bulk_create(played.evidence)
