"""A duel as a `Variant`: the family's functions, bound to one game's data."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.duel import redeal, scenes, state, views
from engine.duel.deployment import deploy, draft_deployment
from engine.duel.diagrams import Diagrams
from engine.duel.endings import ENDINGS
from engine.duel.faces import PICTURES
from engine.duel.knowledge import DuelWatcher
from engine.duel.moves import legal_moves
from engine.duel.options import OPTIONS
from engine.duel.play import play_move, resign
from engine.duel.schema import schema
from engine.duel.spec import SEATS, SIDES, DuelSpec, rules_of
from engine.duel.state import State
from engine.duel.takeback import Takeback
from engine.errors import IllegalAction
from engine.event import Event
from engine.knowledge import hold_first
from engine.outcome import RESIGN
from engine.variant import FIGHT, REVEAL, Option, Options, Variant, View


def make_duel(
    spec: DuelSpec, extra: Mapping[str, Option] | None = None, diagrams: Diagrams | None = None
) -> Variant[State]:
    """Make a variant from its data; `extra` are options of its own."""

    def watch(options: Options, first: View) -> DuelWatcher:
        hold_first(first)
        return DuelWatcher(rules_of(spec, options), first["observer"])

    return Variant(
        slug=spec.slug,
        version=spec.version,
        title=spec.title,
        seats=SEATS,
        sides=SIDES,
        options=MappingProxyType({**(extra or {}), **OPTIONS}),
        begin=lambda options, _rng_seed: State(rules_of(spec, options)),
        copy=state.copy,
        phase=views.phase,
        ply=lambda state: state.ply,
        asked=views.asked,
        legal=_legal,
        apply=_apply,
        result=lambda state: state.result,
        view=views.view,
        redeal=redeal.redeal,
        draft=draft_deployment,
        scene=scenes.scene,
        describe=scenes.describe,
        schema=lambda: schema(spec),
        endings=ENDINGS,
        pictures=PICTURES,
        revealing=frozenset(("fought",)),
        highlights={"fought": FIGHT, "revealed": REVEAL},
        hidden=views.hidden,
        diagrams=MappingProxyType(dict(diagrams or {})),
        watch=watch,
        mark=lambda state, action: None if state.deploying else Takeback(state, action).undo,
    )


def _legal(state: State, seat: str) -> list[str] | None:
    if seat not in views.asked(state):
        return []
    return None if state.deploying else legal_moves(state, state.to_move)


def _apply(state: State, seat: str, action: str) -> tuple[Event, ...]:
    if state.result is not None:
        raise IllegalAction("the game is over")
    if state.deploying:
        return deploy(state, SEATS.index(seat), action)
    if SEATS[state.to_move] != seat:
        turn = state.rules.spec.sentences["turn"]
        raise IllegalAction(f"it is {SEATS[state.to_move]}'s turn", rule=turn)
    if action == RESIGN:
        state.ply += 1
        return resign(state, [seat])
    return play_move(state, state.to_move, action)
