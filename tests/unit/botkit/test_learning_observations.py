"""Tensors: what a seat may know and no more, and in a duel all that its view shows."""

import numpy as np
import pytest

from botkit.learning import encoding_of
from botkit.learning.game import NumberGame
from engine.registry import resolve_options, variants
from engine.rng import Rng
from engine.variant import FULL
from tests.unit.engine.games import EVERY, READINGS, caps, random_game
from tests.unit.engine.secrecy import hides

LONG = 300  # plies


def played(variant, options, rng_seed, steps):
    """Return an environment's game after some random steps."""
    game, rng = NumberGame(variant.slug, options), Rng(rng_seed, "steps")
    game.begin(rng_seed)
    for _ in range(steps):
        if game.result is not None:
            break
        seat = rng.choice(game.asked())
        numbers = np.flatnonzero(game.observe(seat)["action_mask"]).tolist()
        game.step({seat: rng.choice(numbers)})
    return game


def told_apart(game, seat, rng):
    """Return whether a seat's observation changes with what its view does not show.

    And whether there was something to deal anew.
    """
    variant, state = game.variant, game._state
    before = game.observe(seat)
    game._state = variant.redeal(state, seat, rng)
    game._spellings.pop(seat, None) if not before["action_mask"][0] else None
    after = game.observe(seat)
    dealt = variant.view(state, FULL) != variant.view(game._state, FULL)
    game._state = state
    same = all((before[key] == after[key]).all() for key in ("observation", "action_mask"))
    return not same, dealt


@pytest.mark.parametrize(("variant", "options"), READINGS)
def test_states_with_equal_view_have_equal_observations(variant, options):
    dealt_anew, hidden = 0, 0
    for rng_seed, steps in enumerate((0, 40, 90, 120, 160, 240)):
        game = played(variant, {**caps(variant, LONG), **options}, rng_seed, steps)
        for seat in variant.seats:
            hidden += hides(variant, game._state, seat)
            if not any(spelling.tokens for spelling in game._spellings.values()):
                differs, dealt = told_apart(game, seat, Rng(rng_seed))
                assert not differs
                dealt_anew += dealt

    assert dealt_anew or not hidden


@EVERY
def test_fields_add_up_to_shape_with_unit_values(variant):
    first = variant.begin(resolve_options(variant, {}), 1)
    encoding = encoding_of(variant.view(first, variant.seats[0]))
    lit = np.zeros(encoding.shape[0], bool)
    for rng_seed in range(4):
        for state, _, _ in random_game(variant, rng_seed, caps(variant, LONG)):
            for seat in variant.seats:
                tensor = encoding.tensor(variant.view(state, seat), ())
                assert tensor.shape == encoding.shape
                assert tensor.dtype == np.float32
                assert tensor.min() >= 0
                assert tensor.max() <= 1
                lit |= tensor.reshape(len(tensor), -1).any(axis=1)

    assert sum(encoding.fields.values()) == encoding.shape[0]
    assert lit.mean() > 0.5  # the others need an option, a step within an action or more luck


@pytest.mark.parametrize("slug", ["classic", "general"])
def test_duel_planes_show_pieces_as_view_does(slug):
    variant = variants()[slug]
    for state, _, _ in random_game(variant, 5, caps(variant, LONG)):
        for seat in variant.seats:
            view = variant.view(state, seat)
            if view["phase"] != "deploy":
                tensor = encoding_of(view).tensor(view, ())
                assert read_back(tensor, view, seat) == shown(view, seat)


def shown(view, seat):
    return {
        (p["square"], p["seat"] == seat, p["rank"], p["moved"], p["seat"] == seat and p["revealed"])
        for p in view["pieces"]
    }


def read_back(tensor, view, seat):
    """Return the pieces that planes show: square, own, rank, moved, own and revealed."""
    kinds, found = list(view["army"]), set()
    count, last = len(kinds), tensor.shape[1] * tensor.shape[2] - 1
    back, enemy_moved, own_moved, own_revealed = range(2 * count, 2 * count + 4)
    for plane in range(2 * count + 1):
        for row, file in np.argwhere(tensor[plane]):
            at = row * tensor.shape[2] + file
            y, x = divmod(at if seat == "red" else last - at, tensor.shape[2])
            own = plane < count
            rank = None if plane == back else kinds[plane % count]
            moved = tensor[own_moved if own else enemy_moved, row, file]
            revealed = own and tensor[own_revealed, row, file]
            found.add((f"{chr(97 + x)}{y + 1}", own, rank, bool(moved), bool(revealed)))
    return found


@EVERY
def test_step_within_action_shows_to_its_seat_alone(variant):
    """Which step it was, too: else the seat would not know what it has chosen."""
    shown = []
    for choice in (None, 0, -1):
        game = NumberGame(variant.slug, {})
        game.begin(1)
        seat = game.asked()[0]
        if choice is not None:
            allowed = np.flatnonzero(game.observe(seat)["action_mask"])
            game.step({seat: int(allowed[choice])})
            assert game.asked()[0] == seat
        shown.append([game.observe(each)["observation"].tobytes() for each in variant.seats])

    own, *others = zip(*shown, strict=True)
    assert len({*own}) == 3
    assert all(len({*each}) == 1 for each in others)
