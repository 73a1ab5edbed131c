"""Laws that every variant keeps, tested over the registry."""

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import IllegalAction, MalformedAction
from engine.outcome import Termination
from engine.registry import resolve_options, variants
from engine.rng import Rng
from engine.svg import draw
from engine.variant import FULL, PUBLIC
from tests.engine.games import live_state, random_game, random_state

EVERY = pytest.mark.parametrize("variant", variants().values(), ids=variants().keys())
VIEW_KEYS = {
    "variant", "observer", "phase", "ply", "to_act", "board",
    "army", "pieces", "captured", "no_attack_plies", "limits",
}  # fmt: skip


@cache
def stages(variant):
    """Give a game before, between and after the deployments."""
    return [live_state(variant, 5, actions) for actions in (0, 1, 40)]


@EVERY
def test_the_same_seed_plays_the_same_game(variant):
    games = [[(seat, action) for _, seat, action in random_game(variant, 7)] for _ in range(2)]

    assert games[0] == games[1]
    assert games[0] != [(seat, action) for _, seat, action in random_game(variant, 8)]


@EVERY
def test_a_game_ends_within_its_cap(variant):
    options = {"max_plies": 60}
    for rng_seed in range(5):
        *_, (state, _, _) = random_game(variant, rng_seed, options)

        assert variant.ply(state) <= 60
        assert variant.result(state).termination in Termination
        assert variant.phase(state) == "over"
        assert variant.asked(state) == ()


@EVERY
def test_every_listed_action_is_accepted_and_none_is_listed_twice(variant):
    for state, seat, _ in random_game(variant, 3, {"max_plies": 150}):
        legal = variant.legal(state, seat) if seat else []
        for action in legal or []:
            twin = variant.copy(state)
            variant.apply(twin, seat, action)
        assert len(set(legal or [])) == len(legal or [])


@EVERY
@pytest.mark.parametrize("options", [{}, {"chase_rule": "isf", "shuttle_scout": "path"}])
def test_whatever_is_not_listed_is_refused(variant, options):
    state = live_state(variant, 5, 60, options)
    seat = variant.asked(state)[0]
    squares = [cell.name for cell in variant.scene(variant.view(state, PUBLIC)).cells]
    legal = set(variant.legal(state, seat))

    accepted = set()
    for action in (start + end for start in squares for end in squares):
        twin = variant.copy(state)
        try:
            variant.apply(twin, seat, action)
        except IllegalAction:
            continue
        accepted.add(action)

    assert accepted == legal


@EVERY
@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    text=st.text(max_size=12) | st.from_regex(r"[a-k][0-9]{1,2}x?[a-k][0-9]{1,2}", fullmatch=True)
)
def test_any_text_is_an_action_or_malformed_or_illegal(variant, text):
    for state in stages(variant):
        twin = variant.copy(state)
        try:
            variant.apply(twin, variant.asked(state)[0], text)
        except (MalformedAction, IllegalAction):
            assert variant.view(twin, FULL) == variant.view(state, FULL)


@EVERY
def test_a_copy_lives_on_its_own(variant):
    state = live_state(variant, 2, 40)
    before = variant.view(state, FULL)
    twin = variant.copy(state)

    while variant.result(twin) is None:
        seat = variant.asked(twin)[0]
        variant.apply(twin, seat, variant.sample(twin, seat, Rng(variant.ply(twin))))

    assert variant.view(state, FULL) == before
    assert variant.view(twin, FULL) != before


@EVERY
def test_views_are_json_with_the_same_keys_for_every_observer(variant):
    for actions in (0, 1, 2, 50, 10_000):
        state = random_state(variant, 4, actions)
        for observer in (*variant.seats, PUBLIC, FULL):
            view = variant.view(state, observer)
            assert json.loads(json.dumps(view)) == view
            assert view.keys() - {"home"} == VIEW_KEYS
            assert view["observer"] == observer
            assert ("home" in view) == (view["phase"] == "deploy")


@EVERY
def test_scenes_draw_for_every_observer_at_every_stage(variant):
    for actions in (0, 1, 2, 80, 10_000):
        state = random_state(variant, 6, actions)
        for observer in (*variant.seats, PUBLIC, FULL):
            view = variant.view(state, observer)
            scene = variant.scene(view)
            assert len(scene.cells) == scene.columns * scene.rows
            assert [piece.id for piece in scene.pieces] == [piece["id"] for piece in view["pieces"]]
            assert draw(scene, title="a board").startswith("<svg ")


@EVERY
def test_every_event_can_be_said_to_every_observer(variant):
    observers = (*variant.seats, PUBLIC, FULL)
    state = variant.begin(resolve_options(variant, {}), 1)
    rng = Rng(1)
    while variant.result(state) is None:
        for seat in variant.asked(state):
            before = {observer: variant.view(state, observer) for observer in observers}
            for event in variant.apply(state, seat, variant.sample(state, seat, rng)):
                for observer in observers:
                    text, sentence = variant.describe(event.seen_by(observer), before[observer])
                    assert sentence
                    assert (text == "") == (event.kind not in ("moved", "fought"))


@EVERY
def test_the_moves_told_by_events_are_the_actions_played(variant):
    game = random_game(variant, 9, {"max_plies": 200})
    for state, seat, action in game:
        if variant.phase(state) != "turn":
            continue
        event = variant.apply(variant.copy(state), seat, action)[0]
        assert event.public["from"] + event.public["to"] == action
        assert event.public["seat"] == seat


@EVERY
@pytest.mark.parametrize(
    "options",
    [
        {"shuttle_limit": None},
        {"shuttle_limit": 3, "shuttle_scout": "path"},
        {"chase_rule": "isf"},
        {"bomb_survives": False, "scout_move_and_strike": False},
        {"immobile": "mover", "reveal_after_fight": "forget"},
        {"max_plies": None, "no_attack_plies": 40},
    ],
)
def test_games_end_under_every_option(variant, options):
    *_, (state, _, _) = random_game(variant, 11, options)

    assert variant.result(state) is not None
