"""Environments that are copied, kept, looked at, and played many at a time."""

import pickle
from copy import deepcopy

import numpy as np
import pytest

from botkit.learning.environments import env
from botkit.learning.vectors import VectorEnvironment
from botkit.learning.workers import WorkerEnvironment
from tests.unit.engine.games import EVERY, caps

COPIES = {"deepcopy": deepcopy, "pickle": lambda world: pickle.loads(pickle.dumps(world))}


def some_number(mask, dice):
    return int(dice.choice(np.flatnonzero(mask)))


def next_step(world, dice):
    """Take a step of a game in turn; return all that is told of it."""
    seen, reward, terminated, truncated, info = world.last()
    over = terminated or truncated
    world.step(None if over else some_number(seen["action_mask"], dice))
    return world.agent_selection, seen["observation"].tobytes(), reward, over, info


@EVERY
@pytest.mark.parametrize("how", COPIES)
def test_copy_goes_on_like_game_without_touching_it(variant, how):
    """At every moment: within a set-up, between moves, in the last steps and in the next game."""
    world = env(variant.slug, caps(variant))
    COPIES[how](world)  # before the first game
    world.reset(seed=3)
    dice = np.random.default_rng(3)
    for moment in range(120):
        if not world.agents:
            world.reset()
        if moment % 13 == 0:
            twin, luck = COPIES[how](world), deepcopy(dice)
            astray, ill = COPIES[how](world), np.random.default_rng(moment)
            for _ in range(3):
                if astray.agents:
                    next_step(astray, ill)
            later, other = COPIES[how](world), deepcopy(dice)
            expected = [next_step(later, other) for _ in range(5) if later.agents]
            told = [next_step(twin, luck) for _ in expected]
            assert told == expected
        next_step(world, dice)


def set_up(world):
    """Begin a game of skirmish, and let both seats set up."""
    world.reset(seed=1)
    for seat in ("red", "blue"):
        for rank in "FB32S26M":
            world.step(world.unwrapped.game.encoding.numbers[seat][rank])


def test_a_picture_in_text_shows_what_stands_where():
    world = env("skirmish", render_mode="ansi")
    set_up(world)
    world.step(world.unwrapped.game.encoding.numbers["red"]["b2b3"])

    assert world.render() == (
        "5 bS b2 b3 bB bF\n"
        "4  . bM b6 b2  .\n"
        "3  . r2  .  .  .\n"
        "2  .  . r6 rM  .\n"
        "1 rF rB r3 r2 rS\n"
        "   a  b  c  d  e\n"
    )
    assert env("skirmish").unwrapped.render() is None


def test_pixels_are_those_of_site_picture():
    world = env("skirmish", render_mode="rgb_array")
    set_up(world)

    pixels = world.render()

    assert (pixels.shape, pixels.dtype) == ((480, 480, 3), np.uint8)
    top_right, bottom_left = pixels[:88, 392:], pixels[352:440, 39:127]
    for square, seat in ((bottom_left, "red"), (top_right, "blue")):
        red, _green, blue = square.mean(axis=(0, 1))
        assert (red > blue) == (seat == "red")


def test_a_mode_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="render_mode is 'human', and it can be ansi or rgb_array"):
        env("skirmish", render_mode="human")


@EVERY
def test_games_side_by_side_equal_sequential_games(variant):
    """Each game of a vector is the one that the environment in turn plays with its seed."""
    many = VectorEnvironment(variant.slug, caps(variant), num_envs=3)
    dice = np.random.default_rng(5)
    seen, _ = many.reset(seed=8)
    seeds = np.random.SeedSequence(8).generate_state(3).tolist()
    worlds = [env(variant.slug, caps(variant)) for _ in seeds]
    for world, seed in zip(worlds, seeds, strict=True):
        world.reset(seed=seed)
    ended = 0
    for _ in range(150):
        numbers = [some_number(mask, dice) for mask in seen.action_mask]
        for at, world in enumerate(worlds):
            alone = world.observe(world.agent_selection)
            assert many.possible_agents[seen.seat[at]] == world.agent_selection
            assert (alone["observation"] == seen.observation[at]).all()
            assert (alone["action_mask"] == seen.action_mask[at]).all()
        step = many.step(numbers)
        for at, (world, number) in enumerate(zip(worlds, numbers, strict=True)):
            world.step(number)
            over = any(world.terminations.values()), any(world.truncations.values())
            assert (step.terminations[at], step.truncations[at]) == over
            assert step.rewards[at].tolist() == [world.rewards[s] for s in many.possible_agents]
            if any(over):
                assert step.infos["termination"][at] == world.infos[world.agents[0]]["termination"]
                ended += 1
                world.reset()
            else:
                assert step.infos["termination"][at] is None
        seen = step.observed
    assert ended


def test_games_in_several_processes_are_those_in_one():
    one = VectorEnvironment("skirmish", num_envs=5)
    several = WorkerEnvironment("skirmish", num_envs=5, workers=2)
    seen, same = one.reset(seed=4)[0], several.reset(seed=4)[0]
    dice = np.random.default_rng(4)
    ended = 0
    try:
        for _ in range(200):
            numbers = [some_number(mask, dice) for mask in seen.action_mask]
            for name in seen._fields:
                assert np.array_equal(getattr(seen, name), getattr(same, name))
            step, other = one.step(numbers), several.step(numbers)
            for name in ("rewards", "terminations", "truncations"):
                assert (getattr(step, name) == getattr(other, name)).all()
            assert step.infos == other.infos
            ended += step.terminations.sum()
            seen, same = step.observed, other.observed
        with pytest.raises(TypeError, match="games in other processes cannot be copied"):
            deepcopy(several)
    finally:
        several.close()
    assert ended
    assert [process.exitcode for process in several._processes] == [0]


@pytest.mark.parametrize("kind", [VectorEnvironment, WorkerEnvironment])
def test_step_refused_in_words_changes_nothing(kind):
    games = kind("skirmish", num_envs=2)
    try:
        with pytest.raises(RuntimeError, match="the games have not begun: call reset first"):
            games.step([1, 1])
        seen, _ = games.reset(seed=1)
        first = [some_number(mask, np.random.default_rng(1)) for mask in seen.action_mask]
        for numbers, problem, said in (
            (first[:1], ValueError, "2 numbers are needed, and 1 is given"),
            (first[0], ValueError, "2 numbers are needed, and 1 is given"),
            ([first], ValueError, r"and an array of shape \(1, 2\) is given"),
            ([1.5, 1], TypeError, r"whole numbers are needed, and \[1.5, 1.0\] is given"),
        ):
            with pytest.raises(problem, match=said):
                games.step(numbers)
        assert not games.step(first).terminations.any()
    finally:
        games.close()
    for call in (games.reset, lambda: games.step(first)):
        with pytest.raises(RuntimeError, match="the games are closed: make a new environment"):
            call()


@pytest.mark.parametrize("workers", [0, 3])
def test_there_are_no_more_processes_than_games(workers):
    with pytest.raises(ValueError, match=f"workers is {workers}, and it can be 1 to 2"):
        WorkerEnvironment("skirmish", num_envs=2, workers=workers)
