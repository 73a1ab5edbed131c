"""How a game ended: three separate facts, never one long word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.event import Event

PLATFORM = "platform"
_AND, _RESIGNED = " and ", " resigned"
RESIGN = "resign"  # the action by which a seat gives the game up, in every variant and phase


class Termination(StrEnum):
    """What ended the game. The stored word is the word shown in URLs, JSON and pages."""

    FLAG_CAPTURED = "flag_captured"
    NO_MOVES = "no_moves"
    BOTH_IMMOBILE = "both_immobile"
    NO_ATTACKERS = "no_attackers"
    FORT_ENTERED = "fort_entered"
    GARRISON_BLOCKED = "garrison_blocked"
    BESIEGERS_DESTROYED = "besiegers_destroyed"
    SOLDIER_IN_FORT = "soldier_in_fort"
    PLY_CAP = "ply_cap"
    TURN_CAP = "turn_cap"
    NO_ATTACK_CAP = "no_attack_cap"
    NO_PROGRESS_CAP = "no_progress_cap"
    RESIGNED = "resigned"
    ILLEGAL_ACTION = "illegal_action"
    ILLEGAL_DEPLOYMENT = "illegal_deployment"
    TIMEOUT = "timeout"
    STARTUP_TIMEOUT = "startup_timeout"
    CRASH = "crash"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    PROTOCOL_ERROR = "protocol_error"
    PLATFORM_FAULT = "platform_fault"


@dataclass(frozen=True, slots=True)
class Result:
    """The end of one game.

    `points` maps each side to 1, 0.5 or 0, and is None when the game is void. `fault` is the seat
    that forfeited, `platform`, or None. `detail` says it in words for people; after
    a forfeit it quotes what was sent, which is no secret once the game is over.
    """

    points: Mapping[str, float] | None
    termination: Termination
    fault: str | None = None
    detail: str = ""


def ended(result: Result) -> Event:
    """Return the event of the end, which is the same in every variant."""
    points = dict(result.points or {})
    return Event("ended", {"points": points, "termination": str(result.termination)})


def resigned(sides: Mapping[str, Sequence[str]], seats: Sequence[str]) -> Result:
    """Return the result when these seats give up: their sides lose; if all sides do, it is drawn.

    A house rule of all variants: no sheet mentions giving up. Nobody is at fault.
    """
    lost = {side for side, members in sides.items() if set(members) & set(seats)}
    drawn = len(lost) == len(sides)
    points = {side: 0.5 if drawn else float(side not in lost) for side in sides}
    return Result(points, Termination.RESIGNED, detail=f"{_AND.join(seats)}{_RESIGNED}")


def who_resigned(detail: str) -> list[str]:
    """Return the seats that gave up, from the detail of a result that `resigned` made."""
    return detail.removesuffix(_RESIGNED).split(_AND)


def resignation(seat: str) -> Event:
    """Return the event of a seat that gives up, which is the same in every variant."""
    return Event("resigned", {"seat": seat})
