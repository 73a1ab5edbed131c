"""A record as a moving picture for one observer, made from that observer's views only."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from engine.record import Played, Record, begin, is_opening, result_words, take
from engine.scene import Mark, Scene, as_json, changes
from engine.variant import Variant, View

S = TypeVar("S")

FIGHTS = frozenset(("fought", "captured"))
REVEALS = frozenset(("revealed", "peeked", "looked"))


@dataclass(frozen=True, slots=True)
class _Moment:
    """One action, what was heard of it, and the views just before it and after it."""

    ply: int
    played: Played
    heard: tuple[dict[str, Any], ...]
    before: View
    after: View
    scene: Scene


def replay(record: Record, observer: str) -> dict[str, Any]:
    """Return the whole game as a seat, `public` or `full` may see it.

    Shape: `{"variant", "observer", "plies", "first": scene, "steps": [...], "result": {...}}`. The
    first scene is after the opening deployment. A step is `{"ply", "seat", "text", "say",
    "charged_ms", "marks", "changes", "notes", "event"}`, with `changes` as `engine.scene.changes`
    gives them, `notes` all that are there after the step, and `event` one of move, fight and
    reveal. The result is what the record claims: `engine.record.verify` checks it. Raise BadRecord
    for a record that cannot be played, and nothing else.
    """
    variant, view, moments = _play(record, observer)
    first = last = variant.scene(view)
    steps = []
    for moment in moments:
        steps.append(_step(variant, moment, last))
        last = moment.scene
    return {
        "variant": record.variant,
        "observer": observer,
        "plies": len(steps),
        "first": as_json(first),
        "steps": steps,
        "result": result_words(record.result),
    }


def scene_at(record: Record, observer: str, ply: int) -> Scene:
    """Return the picture after `ply` plies, the last move marked; past the end, the last one.

    Raise BadRecord for a record that cannot be played until then.
    """
    variant, first, moments = _play(record, observer)
    shown = variant.scene(first)
    for moment in moments:
        if moment.ply > ply:
            break
        shown = replace(moment.scene, marks=_marks(moment))
    return shown


def view_at(record: Record, observer: str, ply: int) -> View:
    """Return the view after `ply` plies; past the end, the last one.

    Raise BadRecord for a record that cannot be played until then.
    """
    _, shown, moments = _play(record, observer)
    for moment in moments:
        if moment.ply > ply:
            break
        shown = moment.after
    return shown


def _play(record: Record, observer: str) -> tuple[Variant[Any], View, Iterator[_Moment]]:
    """Play up to the end of the opening deployment; the rest follows one action at a time."""
    variant, state = begin(record)
    actions = enumerate(record.actions, start=1)
    while is_opening(variant, state):
        numbered = next(actions, None)
        if numbered is None:
            break
        take(variant, state, *numbered)
    view = variant.view(state, observer)
    return variant, view, _moments(variant, state, actions, view)


def _moments(
    variant: Variant[S],
    state: S,
    actions: Iterator[tuple[int, Played]],
    view: View,
) -> Iterator[_Moment]:
    observer = view["observer"]
    for number, played in actions:
        events = take(variant, state, number, played)
        heard = tuple(event.seen_by(observer) for event in events)
        before, view = view, variant.view(state, observer)
        yield _Moment(variant.ply(state), played, heard, before, view, variant.scene(view))


def _step(variant: Variant[Any], moment: _Moment, last: Scene) -> dict[str, Any]:
    told = [variant.describe(heard, moment.before) for heard in moment.heard]
    return {
        "ply": moment.ply,
        "seat": moment.played.seat,
        "text": " ".join(text for text, _ in told if text),
        "say": "; ".join(sentence for _, sentence in told),
        "charged_ms": moment.played.charged_ms,
        "marks": [asdict(mark) for mark in _marks(moment)],
        "changes": changes(last, moment.scene),
        "notes": [asdict(note) for note in moment.scene.notes],
        "event": _event(moment),
    }


def _event(moment: _Moment) -> str:
    kinds = {heard["type"] for heard in moment.heard}
    if kinds & FIGHTS:
        return "fight"
    return "reveal" if kinds & REVEALS else "move"


def _marks(moment: _Moment) -> tuple[Mark, ...]:
    places = {cell.name: (cell.x, cell.y) for cell in moment.scene.cells}
    marks: list[Mark] = []
    for heard in moment.heard:
        arrival = "fight" if heard["type"] in FIGHTS else "to"
        ends = (("from", heard.get("from")), (arrival, heard.get("to")))
        marks += [Mark(kind, *places[name]) for kind, name in ends if name in places]
    return tuple(marks)
