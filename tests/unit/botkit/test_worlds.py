"""Worlds in every variant: they fit what a seat has seen, and what is applied can be taken back."""

import random
from itertools import islice

import pytest

from botkit.shapes import view_of
from botkit.worlds import Knowledge
from engine.duel.chase import Hunt
from engine.registry import find, resolve_options
from engine.variant import FULL
from engine.variants.siege.readings import NOWHERE
from tests.unit.engine.games import (
    EVERY,
    READINGS,
    VALUES,
    caps,
    is_opening,
    observers,
    random_game,
    readings,
)


def followed(variant, options, rng_seed):
    """Yield the state, a seat that is asked, and its knowledge, at every act of a random game."""
    whole = resolve_options(variant, options)
    known: dict[str, Knowledge] = {}
    for state, seat, action in random_game(variant, rng_seed, options):
        for each in () if known else variant.seats:
            known[each] = Knowledge(view_of(variant.view(state, each)), whole)
        if seat and not is_opening(variant, state):
            yield state, seat, known[seat]
        for event in variant.apply(variant.copy(state), seat, action) if seat else ():
            for each, knowledge in known.items():
                knowledge.hear(event.seen_by(each))


def snapshot(state):
    """Return everything that a state holds, in a shape that does not change with it."""
    return {name: frozen(getattr(state, name)) for name in type(state).__slots__}


def frozen(value):
    if isinstance(value, list):
        return tuple(map(frozen, value))
    return value.copy() if isinstance(value, Hunt) else value


def hidden_ranks(variant, state, seat):
    """Return the true ranks of the pieces whose ranks a seat does not see."""
    faces = {piece.id: piece.face for piece in variant.scene(variant.view(state, FULL)).pieces}
    return {piece: faces[piece] for piece in variant.hidden(variant.view(state, seat))}


@pytest.mark.parametrize(("variant", "options"), READINGS)
def test_worlds_look_like_truth_and_truth_is_possible(variant, options):
    looked = 0
    for rng_seed in range(2):
        game = followed(variant, {**caps(variant, 80), **options}, rng_seed)
        for number, (state, seat, known) in enumerate(game):
            possible, truth = known.possible(), hidden_ranks(variant, state, seat)
            world = known.sample_world(random.Random(number))

            assert {piece: rank in possible[piece] for piece, rank in truth.items()} == (
                dict.fromkeys(truth, True)
            )
            assert world.view(seat) == variant.view(state, seat)
            assert (world.seat, world.ply, world.result) == (seat, variant.ply(state), None)
            if variant.phase(state) != "deploy":
                assert world.legal() == variant.legal(state, seat)
            looked += 1
    assert looked > 2


@EVERY
def test_world_hides_what_seat_does_not_see(variant):
    """Were marginals made from the truth, its rank would be the only one of a hidden piece."""
    options = caps(variant, 40)
    told = 0
    for state, seat, known in followed(variant, options, 5):
        marginals = known.marginals()
        for piece, rank in hidden_ranks(variant, state, seat).items():
            told += marginals[piece].keys() != {rank}
    assert told > 20 or not variant.hidden(variant.view(state, seat))


@pytest.mark.parametrize(("variant", "key", "value"), VALUES)
def test_applied_move_is_taken_back_to_last_bit(variant, key, value):
    options = {**caps(variant, 60), key: value}
    for state, _, known in islice(followed(variant, options, 1), 5, 60, 30):
        world = known.sample_world(random.Random(1))
        assert_taken_back(world, random.Random(variant.ply(state)))


def assert_taken_back(world, rng, plies=40):
    """Play some actions by chance, to a resignation now and then, and go back."""
    before: list[tuple[object, list[str]]] = []
    while world.result is None and len(before) < plies:
        before.append((snapshot(world._state), world.legal()))
        world.apply("resign" if rng.random() < 0.03 else rng.choice(before[-1][1]))
    assert (world.result is None) == bool(world.legal())
    for kept, legal in reversed(before):
        world.undo()
        assert snapshot(world._state) == kept
        assert len(world.legal()) == len(legal)
    with pytest.raises(IndexError, match="nothing to undo"):
        world.undo()


@pytest.mark.parametrize("slug", ["general", "cards"])
def test_knowledge_begins_with_the_first_view(slug):
    variant = find(slug)
    state = next(state for state, _, _ in random_game(variant, 1) if variant.ply(state) == 3)

    with pytest.raises(ValueError, match="begins with the first view"):
        Knowledge(view_of(variant.view(state, "red")), {})


def told(state):
    """Return what a view of a siege tells of a state: not where the captured have been before."""
    places = zip(state.entered, state.where, strict=True)
    inside = [entered and place != NOWHERE for entered, place in places]
    return {**snapshot(state), "deployed": bool(state.deployed), "entered": inside}


@pytest.mark.parametrize("options", readings(find("siege")))
def test_any_siege_view_tells_whole_game(options):
    variant = find("siege")
    chosen = {**caps(variant, 150), **options}
    whole = resolve_options(variant, chosen)
    for rng_seed in range(3):
        for state, seat, _ in random_game(variant, rng_seed, chosen):
            if seat:
                known = Knowledge(view_of(variant.view(state, seat)), whole)
                assert told(known.sample_world(random.Random(1))._state) == told(state)

        with pytest.raises(ValueError, match="the game is over"):
            Knowledge(view_of(variant.view(state, "white")), whole)


@EVERY
def test_world_shown_only_to_seats_public_and_full(variant):
    _, _, known = next(followed(variant, caps(variant, 20), 1))
    world = known.sample_world(random.Random(1))

    assert [world.view(each)["observer"] for each in observers(variant)] == [*observers(variant)]
    with pytest.raises(ValueError, match=r"'green' is no seat of .*; name one of .*, public, full"):
        world.view("green")
