"""What a duel's state keeps so as to be fast is what working it out anew would give."""

import pytest

from engine.duel.board import BLUE, EMPTY, RED
from engine.duel.moves import can_move
from engine.duel.spec import SEATS
from engine.registry import find
from engine.rng import Rng
from tests.unit.engine.games import random_game
from tests.unit.engine.positions import place

READINGS: tuple[dict[str, object], ...] = (
    {},
    {"immobile": "mover"},
    {"chase_rule": "isf", "shuttle_limit": 3, "shuttle_scout": "path"},
    {"shuttle_limit": 3, "bomb_survives": False, "scout_move_and_strike": False},
)


def free_anew(state, seat):
    """Return the steps of a seat from every square of land, from the bare board."""
    board = state.rules.board
    names, files = board.names, board.files
    free = []
    for start in range(len(names)):
        rank, file = divmod(start, files)
        ends = [
            (rank + up) * files + file + right
            for up, right in ((1, 0), (0, 1), (0, -1), (-1, 0))
            if 0 <= rank + up < board.ranks and 0 <= file + right < files
        ]
        opens = (RED, BLUE, EMPTY)
        enter = [end for end in ends if state.side[end] in opens and state.side[end] != seat]
        land = state.side[start] in opens
        free.append(tuple(names[start] + names[end] for end in enter if land))
    return free


@pytest.mark.parametrize("slug", ["classic", "general"])
@pytest.mark.parametrize("given", READINGS, ids=str)
def test_open_steps_kept_are_those_of_board(slug, given):
    variant = find(slug)
    looked = 0
    for number, (state, _, _) in enumerate(random_game(variant, 0, given)):
        if number % 9:
            continue
        twins = state, variant.copy(state), variant.redeal(state, SEATS[looked % 2], Rng(number))
        for twin in twins:
            assert twin.free == [free_anew(twin, seat) for seat in (RED, BLUE)]
        looked += 1
    assert looked > 4


def test_flag_bombs_and_shut_in_pieces_cannot_move():
    duel = place("classic", red="Fa1 Ba2 3b1 Bb2 Bc1", blue="Fj10 3j9")

    assert [can_move(duel.state, seat) for seat in (RED, BLUE)] == [False, True]
