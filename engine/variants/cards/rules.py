"""The card game: two lines of five hidden cards, refilled from a hand; spies and scouts look."""

from engine.duel.faces import PICTURES
from engine.errors import IllegalAction
from engine.outcome import RESIGN
from engine.variant import FIGHT, REVEAL, Event, Variant
from engine.variants.cards import deal, redeal, scenes, state, views
from engine.variants.cards.deployment import deploy, draft
from engine.variants.cards.diagrams import DIAGRAMS
from engine.variants.cards.endings import ENDINGS
from engine.variants.cards.fill import fill, legal_fills
from engine.variants.cards.knowledge import CardsWatcher
from engine.variants.cards.options import OPTIONS
from engine.variants.cards.play import legal_actions, play
from engine.variants.cards.schema import schema
from engine.variants.cards.state import DEPLOY, FILL, OVER, SEATS, State
from engine.variants.cards.turns import SIDES, resign


def _legal(state: State, seat: str) -> list[str] | None:
    if seat not in views.asked(state):
        return []
    if state.phase == DEPLOY:
        return None
    lister = legal_fills if state.phase == FILL else legal_actions
    return lister(state, SEATS.index(seat))


def _apply(state: State, seat: str, action: str) -> tuple[Event, ...]:
    if state.phase == OVER:
        raise IllegalAction("the game is over")
    number = SEATS.index(seat)
    if not state.opening and number != state.to_act:
        raise IllegalAction(f"{SEATS[state.to_act]} is to act, not {seat}", rule="C9")
    if action == RESIGN and not state.opening:
        state.ply += 1
        return resign(state, [seat])
    if state.phase == DEPLOY:
        return deploy(state, number, action)
    if state.phase == FILL:
        return fill(state, number, action)
    return play(state, number, action)


VARIANT = Variant(
    slug="cards",
    version=1,
    title="Cards",
    seats=SEATS,
    sides=SIDES,
    options=OPTIONS,
    begin=deal.begin,
    copy=state.copy,
    phase=lambda state: state.phase,
    ply=lambda state: state.ply,
    asked=views.asked,
    legal=_legal,
    apply=_apply,
    result=lambda state: state.result,
    view=views.view,
    redeal=redeal.redeal,
    draft=draft,
    scene=scenes.scene,
    describe=scenes.describe,
    schema=schema,
    endings=ENDINGS,
    pictures=PICTURES,
    revealing=frozenset(("fought",)),
    highlights={"fought": FIGHT, "revealed": REVEAL, "peeked": REVEAL, "looked": REVEAL},
    hidden=views.hidden,
    diagrams=DIAGRAMS,
    watch=CardsWatcher,
)
