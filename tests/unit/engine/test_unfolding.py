"""A game as it unfolds: the replay in parts, and nothing that its observer may not know."""

import json

from engine.record import Played
from engine.registry import resolve_options
from engine.replay import Unfolding, extend, replay
from engine.rng import Rng
from engine.variant import FULL, PUBLIC
from tests.unit.engine.games import EVERY, caps, is_opening, observers, state_within
from tests.unit.engine.refereed import record_of
from tests.unit.engine.secrecy import reveals

PLIES = 40


def in_parts(variant, record, observer, size):
    """Return the document of a game of which so many actions more are known each time."""
    state = variant.begin(resolve_options(variant, record.options), record.rng_seed)
    game = Unfolding(variant, state, observer)
    known = 0
    while not game.open(record.actions[:known]):
        known += 1
    document = game.first(line=None)
    while known < len(record.actions):
        known += size
        extend(document, game.steps(record.actions[:known], line=None))
    return document


@EVERY
def test_the_parts_make_the_replay(variant):
    record = record_of(variant, 5, options=caps(variant, 30))

    for observer in observers(variant):
        whole = replay(record, observer)
        del whole["result"]
        assert in_parts(variant, record, observer, 1) == whole
        assert in_parts(variant, record, observer, 7) == whole


def quiet_twins(variant, rng_seed):
    """Return a state, a twin that differs in what is hidden, and actions that reveal nothing.

    The actions are legal in both, and look the same to the public.
    """
    rng = Rng(rng_seed, "twins")
    state = state_within(variant, rng_seed, 0.1, caps(variant))
    while is_opening(variant, state):
        for seat in variant.asked(state):
            variant.apply(state, seat, variant.sample(state, seat, rng))
    twin = variant.redeal(state, PUBLIC, rng)
    here, there = variant.copy(state), variant.copy(twin)
    actions: list[Played] = []
    while len(actions) < PLIES and variant.result(here) is None:
        (seat,) = variant.asked(here)
        legal = (variant.legal(one, seat) or [] for one in (here, there))
        shared = sorted(set.intersection(*map(set, legal)))
        rng.shuffle(shared)
        action = next(
            (each for each in shared if not tells(variant, here, there, seat, each)), None
        )
        if action is None:
            break
        for one in (here, there):
            variant.apply(one, seat, action)
        actions.append(Played(seat, action, 5))
    return state, twin, actions


def tells(variant, here, there, seat, action):
    """Return whether an action reveals something or ends the game, in one of two states."""
    for state in (here, there):
        after = variant.copy(state)
        events = variant.apply(after, seat, action)
        if reveals(variant, events) or variant.result(after) is not None:
            return True
    return False


def unfolded(variant, state, observer, actions):
    game = Unfolding(variant, variant.copy(state), observer)
    assert game.open([])
    document = game.first(line=None)
    parts = [json.dumps(document)]
    parts += [
        json.dumps(game.steps(actions[:known], line=None)) for known in range(1, len(actions) + 1)
    ]
    return parts


@EVERY
def test_hidden_state_changes_no_byte_for_public(variant):
    told_apart = 0
    for rng_seed in range(3):
        state, twin, actions = quiet_twins(variant, rng_seed)
        public, full = (
            [unfolded(variant, one, observer, actions) for one in (state, twin)]
            for observer in (PUBLIC, FULL)
        )
        assert public[0] == public[1]
        told_apart += full[0] != full[1] and len(actions) > 0

    hides = variant.view(state, PUBLIC) != {**variant.view(state, FULL), "observer": PUBLIC}
    assert bool(told_apart) == hides
