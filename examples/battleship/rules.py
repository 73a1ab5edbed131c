"""Two fleets that nobody sees, and a shot each turn, of which both hear what it hit."""

from types import MappingProxyType

from engine.rng import Rng
from engine.variant import FIGHT, Option, Variant, View

from . import play, scenes, state, views
from .knowledge import Watcher
from .schema import schema
from .state import State, random_fleet
from .waters import SEATS, written

NO, YES = False, True


def _draft(view: View, rng: Rng) -> str:  # noqa: ARG001 - every fleet sets up alike
    return written(random_fleet(rng))


VARIANT: Variant[State] = Variant(
    slug="battleship",
    version=1,
    title="Battleship",
    seats=SEATS,
    sides=MappingProxyType(play.SIDES),
    options=MappingProxyType(
        {
            "hit_again": Option(NO, (NO, YES), "whether who hits shoots again at once"),
            "max_plies": Option(
                128, (128, None), "house rule: a draw after so many plies", least=1
            ),
        }
    ),
    begin=state.begin,
    copy=state.copy,
    phase=views.phase,
    ply=lambda state: state.ply,
    asked=state.asked,
    legal=play.legal,
    apply=play.apply,
    result=lambda state: state.result,
    view=views.view,
    redeal=state.redeal,
    draft=_draft,
    scene=scenes.scene,
    describe=scenes.describe,
    schema=schema,
    endings=play.ENDINGS,
    pictures=scenes.PICTURES,
    revealing=frozenset(("hit",)),
    highlights={"hit": FIGHT},
    diagrams=scenes.DIAGRAMS,
    watch=Watcher,
)
