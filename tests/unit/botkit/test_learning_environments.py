"""The environments: what PettingZoo tests, the rewards, and that a bot is asked as an agent is."""

import numpy as np
import pytest
from gymnasium.utils import seeding
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from botkit.learning import NumberBot
from botkit.learning.environments import env, parallel_env
from botkit.learning.game import RNG_SEEDS
from engine.registry import variants
from tests.unit.engine.games import EVERY, caps
from tests.unit.engine.players import KitTable
from tests.unit.engine.refereed import record_of

# What PettingZoo warns about anything but a box as observation, and of agents without a number.
ADVICE = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably",
    "ignore:We recommend agents to be named",
)


def random_numbers(rng_seed):
    """Return a policy that chooses by chance from a mask."""
    dice = np.random.default_rng(rng_seed)
    return lambda seen: int(dice.choice(np.flatnonzero(seen["action_mask"])))


def play_out(world, choose):
    """Play on until the game is over."""
    while not any((*world.terminations.values(), *world.truncations.values())):
        world.step(choose(world.observe(world.agent_selection)))


@EVERY
@pytest.mark.filterwarnings(*ADVICE)
def test_pettingzoo_tests_pass_for_games_in_turn(variant, capsys):
    api_test(env(variant.slug, caps(variant)), num_cycles=400)
    seed_test(lambda: env(variant.slug, caps(variant)))

    assert "Passed API test" in capsys.readouterr().out


@EVERY
def test_pettingzoo_parallel_tests_pass(variant, capsys):
    parallel_api_test(parallel_env(variant.slug, caps(variant)))
    parallel_seed_test(lambda: parallel_env(variant.slug, caps(variant)))

    assert "Passed Parallel API test" in capsys.readouterr().out


def steps_of(variant, world, seed, numbers):
    """Play a game with all seats at each step; return what was seen, and the last step."""
    choose = random_numbers(numbers)
    seen, _ = world.reset(seed=seed)
    told = [seen]
    while world.agents:
        step = world.step({agent: choose(seen[agent]) for agent in world.agents})
        seen = step[0]
        told.append(seen)
    assert set(seen) == set(variant.seats)
    return told, step


@EVERY
def test_both_environment_kinds_ask_for_same_game(variant):
    """At the end nobody is left, the rewards are the outcome's, and sides sum up to nothing."""
    _, (_, rewards, terminated, truncated, infos) = steps_of(
        variant, parallel_env(variant.slug, caps(variant)), 3, 2
    )
    world, choose = env(variant.slug, caps(variant)), random_numbers(2)
    world.reset(seed=3)
    play_out(world, choose)

    for found, ended, cut in (
        (rewards, terminated, truncated),
        (world.rewards, world.terminations, world.truncations),
    ):
        sides = [{found[seat] for seat in seats} for seats in variant.sides.values()]
        assert [len(each) for each in sides] == [1, 1]
        assert sum(map(sum, sides)) == 0
        assert {ended[seat] ^ cut[seat] for seat in variant.seats} == {True}
    assert {info["termination"] for info in infos.values()} != {""}


@pytest.mark.parametrize(
    ("options", "cut"), [({"max_plies": 4}, True), ({"no_attack_plies": 4}, False)]
)
def test_only_the_limit_of_plies_truncates(options, cut):
    world = env("classic", options)
    world.reset(seed=1)
    play_out(world, random_numbers(1))

    assert set(world.truncations.values()) == {cut}
    assert set(world.terminations.values()) == {not cut}
    assert set(world.rewards.values()) == {0.0}


@EVERY
def test_number_refused_by_mask_loses_the_game(variant):
    world = env(variant.slug)
    world.reset(seed=1)
    loser = world.agent_selection
    world.step(0)

    assert world.rewards[loser] == -1
    assert 1 in world.rewards.values()
    assert set(world.terminations.values()) == {True}
    assert world.infos[loser] == {"termination": "illegal_action"}


def test_seat_not_asked_only_waits_and_is_unheard():
    world = parallel_env("general")
    world.reset(seed=1)
    choose = random_numbers(1)
    seen = world.step({seat: choose(world.game.observe(seat)) for seat in world.agents})[0]
    while seen["blue"]["action_mask"].argmax() != 0:
        seen = world.step({seat: choose(seen[seat]) for seat in world.agents})[0]
    assert np.flatnonzero(seen["blue"]["action_mask"]).tolist() == [0]
    world.step({"red": choose(seen["red"]), "blue": 77})

    assert world.agents == ["red", "blue"]


class Chooser(NumberBot):
    """A bot that chooses by what it is shown, and keeps that."""

    shown: list[bytes]

    def choose(self, observation, mask):
        type(self).shown.append(observation.tobytes() + mask.tobytes())
        return by_what_is_seen(observation, mask)


def by_what_is_seen(observation, mask):
    numbers = np.flatnonzero(mask)
    return int(numbers[hash(observation.tobytes()) % len(numbers)])


@pytest.mark.parametrize("slug", variants())
def test_arena_bot_sees_what_an_agent_sees(slug):
    variant = variants()[slug]
    world, seen = env(slug, caps(variant)), []
    world.reset(seed=5)
    while not any((*world.terminations.values(), *world.truncations.values())):
        shown = world.observe(world.agent_selection)
        seen.append(shown["observation"].tobytes() + shown["action_mask"].tobytes())
        world.step(by_what_is_seen(shown["observation"], shown["action_mask"]))

    Chooser.shown = []
    rng_seed = int(seeding.np_random(5)[0].integers(RNG_SEEDS))
    table = KitTable(variant.seats, Chooser)
    record = record_of(variant, rng_seed, caps(variant), table=table)

    assert record.result.fault is None
    assert str(record.result.termination) == world.infos[variant.seats[0]]["termination"]
    assert Chooser.shown[-20:] == seen[-20:]
    assert Chooser.shown == seen
