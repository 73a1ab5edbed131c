"""Worlds in every variant: they fit what a seat has seen, and what is applied can be taken back."""

import random
from itertools import islice

import pytest

from botkit.shapes import view_of
from botkit.worlds import Knowledge, World
from engine.duel.chase import Hunt
from engine.errors import IllegalAction
from engine.registry import find, resolve_options, variants
from engine.variant import FULL
from tests.unit.engine.games import EVERY, VALUES, caps, is_opening, random_game, readings

GAMES = [
    pytest.param(variant, options, id=f"{slug}-{number}")
    for slug, variant in variants().items()
    for number, options in enumerate(readings(variant))
]


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


@pytest.mark.parametrize(("variant", "options"), GAMES)
def test_worlds_look_to_the_seat_as_the_truth_does_and_the_truth_is_possible(variant, options):
    looked = 0
    for rng_seed in range(3):
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
def test_a_world_hides_what_the_seat_does_not_see(variant):
    """Were marginals made from the truth, its rank would be the only one of a hidden piece."""
    options = caps(variant, 40)
    told = 0
    for state, seat, known in followed(variant, options, 5):
        marginals = known.marginals()
        for piece, rank in hidden_ranks(variant, state, seat).items():
            told += marginals[piece].keys() != {rank}
    assert told > 20 or not variant.hidden(variant.view(state, seat))


@pytest.mark.parametrize(("variant", "key", "value"), VALUES)
def test_what_is_applied_is_taken_back_to_the_last_bit(variant, key, value):
    options = {**caps(variant, 60), key: value}
    for rng_seed in range(2):
        for state, _, known in islice(followed(variant, options, rng_seed), 5, 60, 20):
            world = known.sample_world(random.Random(rng_seed))
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
        assert world.legal() == legal
    with pytest.raises(IndexError):
        world.undo()


@EVERY
def test_an_action_that_is_refused_changes_nothing(variant):
    _, _, known = next(followed(variant, caps(variant, 20), 1))
    world = known.sample_world(random.Random(1))
    before = snapshot(world._state)

    with pytest.raises(ValueError, match=r".+"):
        world.apply("z9z9")

    assert snapshot(world._state) == before
    with pytest.raises(IndexError):
        world.undo()


def test_a_game_that_is_over_takes_no_action():
    variant = find("classic")
    *_, (state, _, _) = random_game(variant, 1, caps(variant, 5))

    with pytest.raises(IllegalAction, match="the game is over"):
        World(variant, state).apply("a1a2")


def test_knowledge_begins_with_the_first_view():
    variant = find("general")
    state = next(state for state, _, _ in random_game(variant, 1) if variant.ply(state) == 3)

    with pytest.raises(ValueError, match="begins with the first view"):
        Knowledge(view_of(variant.view(state, "red")), {})


def test_the_same_chance_draws_the_same_world():
    _, _, known = next(followed(find("cards"), {}, 3))
    drawn = [known.sample_world(random.Random(7)).view(FULL) for _ in range(2)]

    assert drawn[0] == drawn[1]
    assert drawn[0] != known.sample_world(random.Random(8)).view(FULL)
