"""A record as a moving picture for one observer, made from that observer's views only."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from engine.record import Played, Record, begin, is_opening, result_words, take
from engine.registry import find
from engine.scene import Mark, Scene, as_json, changes
from engine.variant import FIGHT, REVEAL, Event, Variant, View

S = TypeVar("S")
Line = Callable[[View], str]
DEPLOYED = "deployed"  # an event of every game that has set-ups


@dataclass(frozen=True, slots=True)
class _Moment:
    """One action, what was heard of it, and the views just before it and after it."""

    ply: int
    played: Played
    heard: tuple[dict[str, Any], ...]
    before: View
    before_scene: Scene
    after: View
    scene: Scene


class Unfolding:
    """A game as one observer sees it unfold, from its state before the first action.

    Every method takes all actions until now, and goes on where the last call ended.
    """

    def __init__(self, variant: Variant[S], state: S, observer: str) -> None:
        self._variant, self._state, self._observer = variant, state, observer
        self._taken = 0
        self.set_ups: dict[str, str] = {}  # by seat; empty where the observer may not know it
        self.view = variant.view(state, observer)
        self.scene = variant.scene(self.view)

    def open(self, actions: Sequence[Played]) -> bool:
        """Play the opening deployment. Return whether it is over, so that steps can follow."""
        while is_opening(self._variant, self._state) and self._taken < len(actions):
            for event in self._take(actions):
                heard = event.seen_by(self._observer)
                if heard["type"] == DEPLOYED:
                    self.set_ups[heard["seat"]] = heard.get("deployment", "")
        self.view = self._variant.view(self._state, self._observer)
        self.scene = self._variant.scene(self.view)
        return not is_opening(self._variant, self._state)

    def moments(self, actions: Sequence[Played]) -> Iterator[_Moment]:
        """Play on, one action at a time. Raise BadRecord for one that cannot be."""
        while self._taken < len(actions):
            events = self._take(actions)
            heard = tuple(event.seen_by(self._observer) for event in events)
            before, before_scene = self.view, self.scene
            self.view = self._variant.view(self._state, self._observer)
            self.scene = self._variant.scene(self.view)
            yield _Moment(
                self._variant.ply(self._state),
                actions[self._taken - 1],
                heard,
                before,
                before_scene,
                self.view,
                self.scene,
            )

    def first(self, *, line: Line | None) -> dict[str, Any]:
        """Return the document of `replay` before the first step, without a result."""
        return {
            "variant": self._variant.name,
            "observer": self._observer,
            "plies": 0,
            "first": as_json(self.scene),
            "steps": [],
            **({"positions": [line(self.view)]} if line else {}),
        }

    def steps(self, actions: Sequence[Played], *, line: Line | None) -> dict[str, Any]:
        """Return the `steps` that follow for the document, and with `line` their `positions`."""
        variant = self._variant
        steps: list[dict[str, Any]] = []
        positions: list[str] = []
        for moment in self.moments(actions):
            descriptions = [variant.describe(event, moment.before) for event in moment.heard]
            highlights = {variant.highlights.get(event["type"]) for event in moment.heard}
            step = {
                "ply": moment.ply,
                "seat": moment.played.seat,
                "text": " ".join(text for text, _ in descriptions if text),
                "say": "; ".join(sentence for _, sentence in descriptions),
                "charged_ms": moment.played.charged_ms,
                "marks": [asdict(mark) for mark in marks(variant, moment.scene, moment.heard)],
                "changes": changes(moment.before_scene, moment.scene),
                "notes": [asdict(note) for note in moment.scene.notes],
                "event": next((word for word in (FIGHT, REVEAL) if word in highlights), "move"),
            }
            steps.append(step)
            if line:
                positions.append(line(moment.after))
        return {"steps": steps, **({"positions": positions} if line else {})}

    def _take(self, actions: Sequence[Played]) -> tuple[Event, ...]:
        self._taken += 1
        return take(self._variant, self._state, self._taken, actions[self._taken - 1])


def replay(record: Record, observer: str, *, line: Line | None = None) -> dict[str, Any]:
    """Return the whole game as a seat, `public` or `full` may see it.

    Shape: `{"variant", "observer", "plies", "first": scene, "steps": [...], "result": {...}}`. The
    first scene is after the opening deployment. A step is `{"ply", "seat", "text", "say",
    "charged_ms", "marks", "changes", "notes", "event"}`, with `changes` as `engine.scene.changes`
    gives them, `notes` all that are there after the step, and `event` one of move, fight and
    reveal. The result is what the record claims: `engine.record.verify` checks it. With `line`, a
    text of a view, `positions` lists those of the first scene and of every step. Raise BadRecord
    for a record that cannot be played, and nothing else.
    """
    game = _opened(record, observer)
    document = game.first(line=line)
    extend(document, game.steps(record.actions, line=line))
    return {**document, "variant": record.variant, "result": result_words(record.result)}


def extend(document: dict[str, Any], more: Mapping[str, list[Any]]) -> None:
    """Put what `Unfolding.steps` returned at the end of a document."""
    for name, values in more.items():
        document[name] += values
    document["plies"] = len(document["steps"])


def scene_at(record: Record, observer: str, ply: int) -> Scene:
    """Return the picture after `ply` plies, the last move marked; past the end, the last one.

    Raise BadRecord for a record that cannot be played until then.
    """
    game = _opened(record, observer)
    shown = game.scene
    for moment in game.moments(record.actions):
        if moment.ply > ply:
            break
        shown = replace(moment.scene, marks=marks(find(record.variant), moment.scene, moment.heard))
    return shown


def view_at(record: Record, observer: str, ply: int) -> View:
    """Return the view after `ply` plies; past the end, the last one.

    Raise BadRecord for a record that cannot be played until then.
    """
    game = _opened(record, observer)
    shown = game.view
    for moment in game.moments(record.actions):
        if moment.ply > ply:
            break
        shown = moment.after
    return shown


def set_ups(record: Record, observer: str) -> Mapping[str, str]:
    """Return the opening set-ups by seat, empty where the observer may not know it.

    Raise BadRecord for a record that cannot be played until then.
    """
    return _opened(record, observer).set_ups


def _opened(record: Record, observer: str) -> Unfolding:
    game = Unfolding(*begin(record), observer)
    game.open(record.actions)
    return game


def marks(
    variant: Variant[Any], scene: Scene, events: Iterable[Mapping[str, Any]]
) -> tuple[Mark, ...]:
    """Return the marks of a scene, and those of where these events began and ended."""
    places = {cell.name: (cell.x, cell.y) for cell in scene.cells}
    found = [*scene.marks]
    for event in events:
        arrival = "fight" if variant.highlights.get(event["type"]) == FIGHT else "to"
        ends = (("from", event.get("from")), (arrival, event.get("to")))
        found += [Mark(kind, *places[name]) for kind, name in ends if name in places]
    return tuple(found)
