"""How a game ended: three separate facts, never one long word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from engine.event import Event

PLATFORM = "platform"
_AND, _RESIGNED = " and ", " resigned"
RESIGN = "resign"  # the action by which a seat gives the game up, in every variant and phase


def gettext_noop(text: str) -> str:
    """Mark a text for translation: the site collects these texts and looks them up."""
    return text


_ = gettext_noop


class Termination(StrEnum):
    """What can end a game of any variant. Its own endings are in `Variant.endings`.

    The stored word is the word shown in URLs, JSON and pages.
    """

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


FAULTS = frozenset(Termination) - {Termination.RESIGNED}
"""Somebody failed. Every other ending is decided by the rules."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A way in which the rules of a variant end a game.

    `word` is stored and shown as `Termination` is, and `title` names the ending in lists. `drawn`
    and `decided` are sentences about a game without and with a winner, with `%(winner)s` and
    `%(loser)s` for the sides; a game that can only end in one of these ways has one of them.
    `is_limit` says that the game was cut off: who learns from it should not take it for an end.
    """

    word: str
    title: str
    drawn: str = ""
    decided: str = ""
    is_limit: bool = False

    def sentence(self, *, has_winner: bool) -> str:
        """Return the sentence about a game with a winner or without one."""
        return (self.decided or self.drawn) if has_winner else (self.drawn or self.decided)


# Endings of several variants, and the one of all.
FLAG_CAPTURED = Ending(
    "flag_captured", _("Flag captured"), decided=_("%(winner)s captured the flag.")
)
PLY_CAP = Ending(
    "ply_cap",
    _("Last ply reached"),
    drawn=_("Draw: the game reached its last ply."),
    decided=_("A win by progress for %(winner)s: the game reached its last ply."),
    is_limit=True,
)
NO_ATTACK_CAP = Ending(
    "no_attack_cap", _("No attack for too long"), drawn=_("Draw: nobody attacked for too long.")
)
RESIGNED = Ending(
    Termination.RESIGNED,
    _("Resignation"),
    drawn=_("Draw: both sides resigned."),
    decided=_("%(loser)s resigned, so %(winner)s wins."),
)


def by_word(*endings: Ending) -> Mapping[str, Ending]:
    """Return endings by their words."""
    return MappingProxyType({ending.word: ending for ending in endings})


@dataclass(frozen=True, slots=True)
class Result:
    """The end of one game.

    `points` maps each side to 1, 0.5 or 0, and is None when the game is void. `fault` is the seat
    that forfeited, `platform`, or None. `detail` says it in words for people; after
    a forfeit it quotes what was sent, which is no secret once the game is over.
    """

    points: Mapping[str, float] | None
    termination: str
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
