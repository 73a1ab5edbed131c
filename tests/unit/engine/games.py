"""Random games of any variant: the material of invariants over the registry."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from botkit import DuelView, view_of
from engine.registry import resolve_options, variants
from engine.rng import Rng
from engine.variant import FULL, PUBLIC, Variant
from engine.variants import HERE

EVERY = pytest.mark.parametrize("variant", variants().values(), ids=variants().keys())
VALUES = [
    pytest.param(variant, key, value, id=f"{slug}-{key}-{value}")
    for slug, variant in variants().items()
    for key, option in variant.options.items()
    for value in option.allowed
]
SHORT = 60  # a limit under which random games of every variant are quick


def folder_of(slug: str) -> Path:
    """Return the folder of a variant, wherever it stands."""
    return Path(import_module(f"engine.variants.{slug}").__path__[0])


def games_of_drapeau() -> list[str]:
    """Return the slugs of the variants that no installation has brought along."""
    return [slug for slug in variants() if folder_of(slug).parent == Path(HERE)]


def observers(variant: Variant[Any]) -> tuple[str, ...]:
    """Name everybody who can look at a game."""
    return (*variant.seats, PUBLIC, FULL)


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


def states_within(
    variant: Variant[Any],
    rng_seed: int,
    shares: Sequence[float],
    options: Mapping[str, Any] | None = None,
) -> list[Any]:
    """Return the states after some shares (0 to 1) of a random game; below 1 it still goes on."""
    states = [variant.copy(state) for state, _, _ in random_game(variant, rng_seed, options)]
    return [variant.copy(states[int((len(states) - 1) * share)]) for share in shares]


def state_within(
    variant: Variant[Any], rng_seed: int, share: float, options: Mapping[str, Any] | None = None
) -> Any:
    """Return the state after a share of a random game."""
    return states_within(variant, rng_seed, [share], options)[0]


def is_opening(variant: Variant[Any], state: Any) -> bool:
    """Return whether the seats still deploy before the game."""
    return variant.phase(state) == "deploy" and variant.ply(state) == 0


def caps(variant: Variant[Any], most: int = SHORT) -> dict[str, int]:
    """Return the options that limit how long a game is, all at a small value."""
    return {
        key: max(option.least, most)
        for key, option in variant.options.items()
        if option.least is not None
    }


def readings(variant: Variant[Any]) -> list[dict[str, Any]]:
    """Return sets of options in which every value of every option but the limits occurs."""
    free = {key: option.allowed for key, option in variant.options.items() if option.least is None}
    return [
        {key: allowed[number % len(allowed)] for key, allowed in free.items()}
        for number in range(max((len(allowed) for allowed in free.values()), default=1))
    ]


READINGS = [
    pytest.param(variant, options, id=f"{slug}-{number}")
    for slug, variant in variants().items()
    for number, options in enumerate(readings(variant))
]


def smallest_board() -> str:
    """Return the slug of the duel with the fewest squares."""
    squares = {}
    for slug, variant in variants().items():
        view = variant.view(variant.begin(resolve_options(variant, {}), 0), variant.seats[0])
        if isinstance(view_of(view), DuelView):
            squares[slug] = view["board"]["files"] * view["board"]["ranks"]
    return min(squares, key=squares.__getitem__)


@cache
def actions_met(variant: Variant[Any], games: int = 4) -> tuple[str, ...]:
    """Return all actions that were legal, or drafted, at some point of some random games."""
    met: dict[str, None] = {}
    for rng_seed in range(games):
        for state, seat, action in islice(random_game(variant, rng_seed, caps(variant)), 400):
            if seat:
                met.update(dict.fromkeys(variant.legal(state, seat) or [action]))
    return tuple(met)


def some(texts: Sequence[str], rng: Rng, count: int) -> list[str]:
    """Pick some texts, or give all where there are not so many."""
    left = list(texts)
    rng.shuffle(left)
    return left[:count]


def mutations(texts: tuple[str, ...], rng: Rng, count: int) -> list[str]:
    """Return texts that are nearly actions: a letter lost, doubled or changed, or two halves."""
    letters = sorted(set("".join(texts)))
    made = []
    for _ in range(count):
        text, other = rng.choice(texts), rng.choice(texts)
        at = rng.below(len(text) + 1)
        made.append(
            rng.choice(
                (
                    text[:at] + text[at + 1 :],
                    text[:at] + rng.choice(letters) + text[at:],
                    text[:at] + rng.choice(letters) + text[at + 1 :],
                    text[:at] + other[at:],
                    text + other,
                    text[::-1],
                    text.swapcase(),
                )
            )
        )
    return made
