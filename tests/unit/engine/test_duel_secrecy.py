"""What a re-deal of a duel must keep: all that the other seat knows from what happened."""

import pytest

from engine.duel.moves import legal_moves
from engine.duel.state import State
from engine.registry import resolve_options, variants
from engine.replay import replay
from engine.rng import Rng
from engine.variant import PUBLIC
from tests.unit.engine.positions import place
from tests.unit.engine.refereed import record_of

DUELS = [
    pytest.param(variant, id=slug)
    for slug, variant in variants().items()
    if isinstance(variant.begin(resolve_options(variant, {}), 0), State)
]


def test_redeal_leaves_army_moves_so_game_continues():
    game = place("general", red="Fa1 7d4", blue="7a7 Fa8 Bb8")  # a major on a8 would be walled in

    twins = [game.variant.redeal(game.state, "red", Rng(n)) for n in range(40)]

    assert {len(legal_moves(twin, 1)) > 0 for twin in twins} == {True}
    assert len({tuple(twin.rank) for twin in twins}) == 4


@pytest.mark.parametrize("variant", DUELS)
def test_nothing_hidden_is_in_replay_of_another_seat(variant):
    """The faces that blue may see are those told in fights and runs, and its own."""
    game = record_of(variant, 3, {"max_plies": 150})
    shown = replay(game, "blue")

    def faces_of_red(document):
        changes = [change for step in document["steps"] for change in step["changes"]]
        return {c["id"] for c in changes if c["side"] == "red" and c["face"] is not None}

    assert faces_of_red(shown) == faces_of_red(replay(game, PUBLIC))
    assert {p["face"] for p in shown["first"]["pieces"] if p["side"] == "red"} == {None}
