"""Actions as numbers: every action of every variant has its numbers, and no other is in a mask."""

from itertools import islice

import numpy as np
import pytest

from botkit.learning import Spelling, encoding_of
from engine.registry import resolve_options, variants
from engine.rng import Rng
from tests.unit.engine.games import EVERY, READINGS, caps, random_game

PLIES = 150  # of each game


def first_view(variant, options=None, seat=None):
    state = variant.begin(resolve_options(variant, options or {}), 1)
    return variant.view(state, seat or variant.seats[0])


def spelled(encoding, view, legal):
    """Return every action that masks lead to."""
    found: list[str] = []
    started: list[tuple[int, ...]] = [()]
    while started:
        numbers = started.pop()
        spelling, action = Spelling(encoding, view, legal), None
        for chosen in numbers:
            action = spelling.add(chosen)
        if action is None:
            started += [(*numbers, number) for number in np.flatnonzero(spelling.mask()).tolist()]
        else:
            found.append(action)
    return found


@pytest.mark.parametrize(("variant", "options"), READINGS)
def test_masks_lead_to_exactly_the_legal_actions(variant, options):
    encoding = encoding_of(first_view(variant, options))
    phases = set()
    game = random_game(variant, 3, {**caps(variant, PLIES), **options})
    for state, seat, _ in game:
        legal = variant.legal(state, seat) if seat else None
        if legal is not None:
            found = spelled(encoding, variant.view(state, seat), legal)
            assert sorted(found) == sorted(legal)
            phases.add(variant.phase(state))

    assert "turn" in phases


@EVERY
def test_unlisted_set_up_is_spelled_piece_by_piece(variant):
    """Also where the rules list it: on the wire a bot is sent no list with a set-up."""
    for rng_seed in range(20):
        rng = Rng(rng_seed, "set-up")
        for state, seat, _ in islice(random_game(variant, rng_seed, caps(variant)), 60):
            if seat and variant.phase(state) == "deploy":
                view = variant.view(state, seat)
                spelling, action = Spelling(encoding_of(view), view, None), None
                while action is None:
                    numbers = np.flatnonzero(spelling.mask()).tolist()
                    action = spelling.add(rng.choice(numbers))

                assert len(spelling.tokens) > 1
                variant.apply(variant.copy(state), seat, action)


@pytest.mark.parametrize(("variant", "options"), READINGS)
def test_options_change_neither_shape_nor_action_count(variant, options):
    one, other = (encoding_of(first_view(variant, chosen)) for chosen in (None, options))

    assert (one.shape, one.actions) == (other.shape, other.actions)


def test_duel_move_is_numbered_as_seat_sees_board():
    encoding = encoding_of(first_view(variants()["classic"]))

    b4b5 = 1 + 31 * 20 + 10 + 4
    assert encoding.numbers["red"]["b4b5"] == b4b5
    assert encoding.numbers["blue"]["i7i6"] == b4b5
    assert encoding.numbers["red"]["a2c2"] == 1 + 10 * 20 + 2
    assert encoding.numbers["red"]["F"] == encoding.numbers["blue"]["F"] == 1 + 100 * 20


def test_game_without_encoding_is_refused_by_name():
    view = {**first_view(variants()["cards"]), "variant": "trio@1"}

    with pytest.raises(ValueError, match="trio@1 has no encoding: its folder needs a module"):
        encoding_of(view)
