"""The smallest game of three seats and two sides: each hides a bit, then they count to three."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from engine.errors import IllegalAction, IllegalDeployment, MalformedAction
from engine.faces import PLAIN
from engine.outcome import Ending, Result, by_word
from engine.rng import Rng
from engine.scene import Cell, Scene
from engine.variant import FULL, Event, Options, Variant, View

SEATS = ("one", "left", "right")
PLIES = 3
COUNTED = Ending("counted", "Counted", decided="%(winner)s counted to three.")


@dataclass
class Count:
    """The bits that are hidden and how far the count is."""

    bits: dict[str, str] = field(default_factory=dict)
    said: int = 0


def _begin(options: Options, rng_seed: int) -> Count:
    return Count()


def _phase(state: Count) -> str:
    if len(state.bits) < len(SEATS):
        return "deploy"
    return "turn" if state.said < PLIES else "over"


def _asked(state: Count) -> tuple[str, ...]:
    if _phase(state) == "deploy":
        return tuple(seat for seat in SEATS if seat not in state.bits)
    return () if state.said >= PLIES else (SEATS[state.said],)


def _legal(state: Count, seat: str) -> list[str] | None:
    if seat not in _asked(state):
        return []
    return None if _phase(state) == "deploy" else [str(state.said + 1)]


def _apply(state: Count, seat: str, action: str) -> tuple[Event, ...]:
    if seat not in _asked(state):
        raise IllegalAction("it is not your turn")
    if _phase(state) == "deploy":
        if action not in ("0", "1"):
            raise IllegalDeployment("a bit is 0 or 1")
        state.bits[seat] = action
        if _phase(state) == "deploy":
            return ()
        return tuple(Event("deployed", {"seat": s}, {s: {"bit": state.bits[s]}}) for s in SEATS)
    if not action.isdigit():
        raise MalformedAction(f"{action!r:.20} is not a number")
    if action != str(state.said + 1):
        raise IllegalAction("count on", rule="X1")
    state.said += 1
    return (Event("moved", {"seat": seat, "count": state.said}),)


def _result(state: Count) -> Result | None:
    if state.said < PLIES:
        return None
    odd = float("".join(state.bits.values()).count("1") % 2)
    return Result({"alone": odd, "pair": 1 - odd}, COUNTED.word, detail="counted to three")


def _view(state: Count, observer: str) -> View:
    return {
        "variant": "trio@1",
        "observer": observer,
        "phase": _phase(state),
        "ply": state.said,
        "to_act": list(SEATS if _phase(state) == "deploy" else _asked(state)),
        "limits": {},
        "bits": {seat: bit for seat, bit in state.bits.items() if observer in (seat, FULL)},
    }


def _describe(event: Mapping[str, Any], before: View) -> tuple[str, str]:
    return str(event.get("count", "")), event["type"]


def _draft(view: View, rng: Rng) -> str:
    return rng.choice("01")


TRIO: Variant[Count] = Variant(
    slug="trio",
    version=1,
    title="Trio",
    seats=SEATS,
    sides=MappingProxyType({"alone": ("one",), "pair": ("left", "right")}),
    options=MappingProxyType({}),
    begin=_begin,
    copy=lambda state: replace(state, bits=dict(state.bits)),
    phase=_phase,
    ply=lambda state: state.said,
    asked=_asked,
    legal=_legal,
    apply=_apply,
    result=_result,
    view=_view,
    redeal=lambda state, observer, rng: replace(state, bits=dict(state.bits)),
    draft=_draft,
    scene=lambda view: Scene(1, 1, (Cell(0, 0),), ()),
    describe=_describe,
    schema=dict,
    endings=by_word(COUNTED),
    pictures=PLAIN,
)
