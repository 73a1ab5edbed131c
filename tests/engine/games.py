"""Random games of any variant: the material of laws over the registry."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.registry import resolve_options
from engine.rng import Rng
from engine.variant import Variant


def random_game(
    variant: Variant[Any], rng_seed: int, options: Mapping[str, Any] | None = None
) -> Iterator[tuple[Any, str, str]]:
    """Yield the state before each action, the seat and the action; the state goes on changing."""
    state = variant.begin(resolve_options(variant, options or {}), rng_seed)
    rng = Rng(rng_seed, "random game")
    while variant.result(state) is None:
        for seat in variant.asked(state):
            action = variant.sample(state, seat, rng)
            yield state, seat, action
            variant.apply(state, seat, action)
    yield state, "", ""


def live_state(
    variant: Variant[Any], rng_seed: int, actions: int, options: Mapping[str, Any] | None = None
) -> Any:
    """Give a state after so many random actions in which the game still goes on."""
    for attempt in range(50):
        state = random_state(variant, rng_seed + 1000 * attempt, actions, options)
        if variant.asked(state):
            return state
    raise LookupError(f"no game of {variant.name} lasts {actions} actions")


def random_state(
    variant: Variant[Any], rng_seed: int, actions: int, options: Mapping[str, Any] | None = None
) -> Any:
    """Give the state after so many random actions, or the end of a shorter game."""
    last = None
    for number, (state, _, _) in enumerate(random_game(variant, rng_seed, options)):
        last = state
        if number == actions:
            break
    return last
