"""Invariants that every variant keeps, tested over the registry."""

import json

from engine.registry import resolve_options
from engine.rng import Rng
from engine.svg import draw
from engine.variant import FULL
from tests.unit.engine.games import (
    EVERY,
    caps,
    is_opening,
    observers,
    random_game,
    states_within,
)

VIEW_KEYS = {"variant", "observer", "phase", "ply", "to_act", "limits"}
PLIES_OF_A_TURN = 3  # at most: a limit may count turns of which some have more than one ply
SHARES = (0, 0.02, 0.1, 0.3, 0.6, 0.9, 1)


@EVERY
def test_game_ends_within_limits_giving_points_to_sides(variant):
    small = [caps(variant, most) for most in (1, 8, 30)]
    for rng_seed, options in enumerate([{}, {}, *small]):
        *_, (state, _, _) = random_game(variant, rng_seed, options)
        result = variant.result(state)
        limit = max(resolve_options(variant, options)[key] for key in caps(variant))

        assert variant.ply(state) <= PLIES_OF_A_TURN * limit
        assert result.termination in variant.endings
        assert result.fault is None
        assert result.detail
        assert result.points.keys() == variant.sides.keys()
        assert sum(result.points.values()) == len(variant.sides) / 2
        assert variant.phase(state) == "over"
        assert variant.asked(state) == ()


@EVERY
def test_whoever_is_asked_can_act_and_nobody_else(variant):
    for state, seat, _ in random_game(variant, 3, caps(variant)):
        if not seat:
            break
        for other in variant.seats:
            legal = variant.legal(state, other)
            if other not in variant.asked(state):
                assert legal == []
            elif legal is None:
                assert variant.phase(state) == "deploy"
            else:
                assert legal
                assert len(set(legal)) == len(legal)


@EVERY
def test_deployment_drafted_from_view_of_seat_alone(variant):
    drafts = []
    for state, seat, _ in random_game(variant, 4, caps(variant)):
        if seat and variant.legal(state, seat) is None:
            view = json.loads(json.dumps(variant.view(state, seat)))
            for n in range(20):
                draft = variant.draft(view, Rng(n))
                drafts.append(draft)
                variant.apply(variant.copy(state), seat, draft)
                assert variant.draft(view, Rng(n)) == draft

    assert len(set(drafts)) > len(variant.seats) or not drafts


@EVERY
def test_plies_count_actions_except_opening_deployment(variant):
    ply = 0
    for state, _, _ in random_game(variant, 5, caps(variant)):
        if not is_opening(variant, state):
            assert variant.ply(state) == ply
            ply += 1
        assert variant.view(state, FULL)["ply"] == variant.ply(state)


@EVERY
def test_a_copy_lives_on_its_own(variant):
    for state in states_within(variant, 2, (0, 0.5)):
        before = [variant.view(state, observer) for observer in observers(variant)]
        twin = variant.copy(state)

        while variant.result(twin) is None:
            seat = variant.asked(twin)[0]
            variant.apply(twin, seat, variant.sample(twin, seat, Rng(variant.ply(twin))))

        assert [variant.view(state, observer) for observer in observers(variant)] == before
        assert variant.view(twin, FULL) != before[-1]


@EVERY
def test_json_views_have_same_keys_for_every_observer(variant):
    states = states_within(variant, 4, SHARES)
    for share, state in zip(SHARES, states, strict=True):
        views = [variant.view(state, observer) for observer in observers(variant)]
        for observer, view in zip(observers(variant), views, strict=True):
            assert json.loads(json.dumps(view)) == view
            assert view.keys() >= VIEW_KEYS
            assert view.keys() == views[0].keys()
            assert (view["variant"], view["observer"]) == (variant.name, observer)
            assert (view["phase"] == "over") == (view["to_act"] == []) == (share == 1)
            assert set(view["to_act"]) >= set(variant.asked(state))


@EVERY
def test_scenes_draw_for_every_observer_at_every_stage(variant):
    for state in states_within(variant, 6, SHARES):
        for observer in observers(variant):
            scene = variant.scene(variant.view(state, observer))
            places = {(cell.x, cell.y) for cell in scene.cells}
            names = [cell.name for cell in scene.cells if cell.name]

            assert len(places) == len(scene.cells)
            assert len(set(names)) == len(names)
            for thing in (*scene.cells, *scene.pieces, *scene.notes):
                assert 0 <= thing.x <= scene.columns - 1
                assert 0 <= thing.y <= scene.rows - 1
            for piece in scene.pieces:
                assert any(abs(piece.x - x) + abs(piece.y - y) <= 0.5 for x, y in places)
                assert piece.text
            pictured = [piece.id for piece in (*scene.pieces, *scene.removed)]
            assert len(set(pictured)) == len(pictured)
            assert scene.pictures is variant.pictures
            assert draw(scene, title="a board").startswith("<svg ")
