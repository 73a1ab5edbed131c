"""Three seats: a garrison that nobody captures, and two armies that want to enter its fort."""

from engine.variant import FIGHT, Variant
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

VARIANT: Variant[State] = Variant(
    slug="siege",
    version=1,
    title="Siege",
    seats=SEATS,
    sides=SIDES,
    options=OPTIONS,
    begin=lambda options, _rng_seed: State(rules_of(options)),
    copy=copy,
    phase=views.phase,
    ply=lambda state: state.ply,
    asked=views.asked,
    legal=lambda state, seat: play.legal(state) if seat in views.asked(state) else [],
    apply=lambda state, seat, action: play.play(state, SEATS.index(seat), action),
    result=lambda state: state.result,
    view=views.view,
    redeal=lambda state, _observer, _rng: copy(state),
    draft=lambda _view, rng: rng.choice(play.PLACINGS),  # the same in every game
    scene=scenes.scene,
    describe=scenes.describe,
    schema=schema,
    endings=ENDINGS,
    pictures=PICTURES,
    highlights={"captured": FIGHT},
    diagrams=DIAGRAMS,
    watch=SiegeWatcher,
)
