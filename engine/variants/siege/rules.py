"""Three seats: a garrison that nobody captures, and two armies that want to enter its fort."""

from engine.outcome import Result
from engine.rng import Rng
from engine.variant import FIGHT, Event, Options, Variant, View
from engine.variants.siege import play, scenes, views
from engine.variants.siege.army import SEATS, SIDES
from engine.variants.siege.diagrams import DIAGRAMS
from engine.variants.siege.endings import ENDINGS
from engine.variants.siege.faces import PICTURES
from engine.variants.siege.knowledge import SiegeWatcher
from engine.variants.siege.options import OPTIONS
from engine.variants.siege.readings import rules_of
from engine.variants.siege.schema import schema
from engine.variants.siege.state import State, copy


def _begin(options: Options, rng_seed: int) -> State:  # noqa: ARG001 - nothing is left to chance
    return State(rules_of(options))


def _ply(state: State) -> int:
    return state.ply


def _result(state: State) -> Result | None:
    return state.result


def _legal(state: State, seat: str) -> list[str]:
    return play.legal(state) if seat in views.asked(state) else []


def _apply(state: State, seat: str, action: str) -> tuple[Event, ...]:
    return play.play(state, SEATS.index(seat), action)


def _redeal(state: State, observer: str, rng: Rng) -> State:  # noqa: ARG001 - nothing is hidden
    return copy(state)


def _draft(view: View, rng: Rng) -> str:  # noqa: ARG001 - the placings are the same in every game
    return rng.choice(play.PLACINGS)


VARIANT: Variant[State] = Variant(
    slug="siege",
    version=1,
    title="Siege",
    seats=SEATS,
    sides=SIDES,
    options=OPTIONS,
    begin=_begin,
    copy=copy,
    phase=views.phase,
    ply=_ply,
    asked=views.asked,
    legal=_legal,
    apply=_apply,
    result=_result,
    view=views.view,
    redeal=_redeal,
    draft=_draft,
    scene=scenes.scene,
    describe=scenes.describe,
    schema=schema,
    endings=ENDINGS,
    pictures=PICTURES,
    highlights={"captured": FIGHT},
    diagrams=DIAGRAMS,
    watch=SiegeWatcher,
)
