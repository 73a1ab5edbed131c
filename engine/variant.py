"""What a variant is: a frozen record of functions over its own state type.

A state is a mutable object that only its variant understands. Everybody else sees it through `view`
and `Event.seen_by`; there is no other door.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from engine import event
from engine.errors import EngineError
from engine.faces import Pictures
from engine.knowledge import Watcher
from engine.outcome import Ending, Result
from engine.rng import Rng
from engine.scene import Scene

S = TypeVar("S")

PUBLIC = "public"
FULL = event.FULL
FIGHT, REVEAL = "fight", "reveal"
Event = event.Event  # in a module of its own, as that can be compiled

View = dict[str, Any]
Options = Mapping[str, Any]
Hidden = Mapping[str, Mapping[str, int]]  # piece -> rank -> how many are unseen


def _not_watched(_options: Options, first: View) -> Watcher[Any]:
    raise EngineError(f"{first['variant']} has no worlds to look ahead in: its rules lack `watch`")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice between readings of the rules: default, allowed values, and what it means.

    `least` makes every whole number from there up allowed too, for limits.
    """

    default: Any
    allowed: tuple[Any, ...]
    doc: str
    least: int | None = None

    def allows(self, value: object) -> bool:
        """Return whether a value may be chosen; 1 and True are different values."""
        if any(value == known and type(value) is type(known) for known in self.allowed):
            return True
        return self.least is not None and type(value) is int and value >= self.least


@dataclass(frozen=True, slots=True, eq=False)
class Variant(Generic[S]):
    """One game, versioned, as data and functions.

    `seats` are in turn order; `sides` maps a side to the seats that win together (one each in
    duels). `legal` gives every legal action of a seat as text, or None where they are too many to
    list (deployment). `apply` changes the state in place and raises MalformedAction, IllegalAction
    or IllegalDeployment, in which case the state is as before. `redeal` gives another state that
    the seat cannot tell from this one. `draft` gives a random legal action of a seat where they are
    too many to list, from that seat's view alone. `ply` counts every action but those of the
    opening deployment. `describe` puts an event as an observer sees it into notation and into a
    sentence, given that observer's view just before it.
    `hidden` gives, from a view, the pieces in sight whose rank its observer does not know, by id,
    each with how many of every rank remain unseen on its side. The piece of that id in the scene of
    the full view has its rank as its face.
    `watch` follows a game for one seat, from the options and the first view of the seat. It raises
    ValueError for a view that does not tell enough to begin with. A variant without it has no
    worlds for bots to search. `mark`, called before an action is applied, gives what takes the
    state back to what it was; None where a copy has to be kept instead.
    `schema` gives the lines of its wire as a JSON Schema. `endings` are the ways in which its rules
    end a game, by their words, and `pictures` draw the pieces of its scenes. `revealing` are the
    kinds of events that may tell what was hidden, and `highlights` those that a replay stops at,
    each as `FIGHT` or `REVEAL`. `diagrams` are the pictures of its rule pages, by name.

    A seat that is asked may always answer `engine.outcome.RESIGN`, which `legal` never lists.
    """

    slug: str
    version: int
    title: str
    seats: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]
    options: Mapping[str, Option]
    begin: Callable[[Options, int], S]
    copy: Callable[[S], S]
    phase: Callable[[S], str]
    ply: Callable[[S], int]
    asked: Callable[[S], tuple[str, ...]]
    legal: Callable[[S, str], list[str] | None]
    apply: Callable[[S, str, str], tuple[Event, ...]]
    result: Callable[[S], Result | None]
    view: Callable[[S, str], View]
    redeal: Callable[[S, str, Rng], S]
    draft: Callable[[View, Rng], str]
    scene: Callable[[View], Scene]
    describe: Callable[[Mapping[str, Any], View], tuple[str, str]]
    schema: Callable[[], dict[str, Any]]
    endings: Mapping[str, Ending]
    pictures: Pictures
    revealing: frozenset[str] = frozenset()
    highlights: Mapping[str, str] = field(default_factory=dict)
    hidden: Callable[[View], Hidden] = lambda _view: {}
    diagrams: Mapping[str, Callable[[], Scene]] = field(default_factory=dict)
    watch: Callable[[Options, View], Watcher[S]] = _not_watched
    mark: Callable[[S, str], Callable[[], None] | None] = lambda _state, _action: None

    @property
    def name(self) -> str:
        """The name on the wire and in records, such as `classic@1`."""
        return f"{self.slug}@{self.version}"

    @property
    def has_worlds(self) -> bool:
        """Whether one can `watch` its games."""
        return self.watch is not _not_watched

    def side_of(self, seat: str) -> str:
        """Name the side that a seat plays for."""
        return next(side for side, seats in self.sides.items() if seat in seats)

    def sample(self, state: S, seat: str, rng: Rng) -> str:
        """Return a random legal action of a seat that is asked, deployments included."""
        legal = self.legal(state, seat)
        return self.draft(self.view(state, seat), rng) if legal is None else rng.choice(legal)
