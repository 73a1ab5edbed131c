"""The example of self-play: its arithmetic, a short run, and the bot that it writes."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from botkit.learning import selfplay
from botkit.learning.policy import Batch, Policy, draw
from botkit.learning.selfplay import Seen, SelfPlay, Step
from engine.registry import variants
from tests.tree import ROOT
from tests.unit.engine.games import caps, smallest_board


def make_small(monkeypatch, *, steps, rows):
    """Set self-play to learn from few steps, with a network that does so quickly."""
    for name, value in {"HIDDEN": 16, "STEPS": steps, "ROWS": rows}.items():
        monkeypatch.setattr(selfplay, name, value)


def batch(dice, steps=24, inputs=5, actions=4):
    """Return steps as they could come from games, some far from the policy that is tried."""
    masks = dice.random((steps, actions)) < 0.7
    masks[:, 0] = True
    numbers = draw(masks / masks.sum(axis=1, keepdims=True), dice)
    return Batch(
        tensors=dice.random((steps, inputs)),
        masks=masks,
        numbers=numbers,
        chances=dice.uniform(0.1, 0.6, steps),
        advantages=dice.standard_normal(steps),
        returns=dice.uniform(-1, 1, steps),
    )


def exact(policy):
    """Return a policy in 64 bits with larger weights, so that differences can be taken."""
    return Policy({name: 3 * each.astype(float) for name, each in policy.weights.items()})


def test_the_gradient_is_that_of_the_loss():
    dice = np.random.default_rng(1)
    policy = exact(Policy.fresh(5, 4, dice, hidden=6))
    steps, tiny = batch(dice), 1e-6
    found = policy.gradient(steps, 0.03)
    for name, weights in policy.weights.items():
        for at in np.ndindex(weights.shape):
            before = weights[at]
            weights[at] = before + tiny
            above = policy.loss(steps, 0.03)
            weights[at] = before - tiny
            below = policy.loss(steps, 0.03)
            weights[at] = before
            assert found[name][at] == pytest.approx((above - below) / (2 * tiny), abs=1e-6)


def test_numbers_outside_mask_are_never_drawn():
    dice = np.random.default_rng(3)
    policy, steps = exact(Policy.fresh(5, 4, dice, hidden=16)), batch(dice, 500)
    chances = policy.guess(steps.tensors, steps.masks).chances

    assert (chances[~steps.masks] == 0).all()
    assert chances.sum(axis=1) == pytest.approx(np.ones(500))
    drawn = draw(chances, dice)
    assert steps.masks[np.arange(500), drawn].all()
    assert {*drawn.tolist()} == {0, 1, 2, 3}


def test_reward_reaches_back_over_steps_of_seat():
    seen, mask = Seen(), np.ones(1, bool)
    steps = [Step(np.zeros(1, np.float32), mask, 0, 1.0, value) for value in (0.5, -0.5)]
    seen.add(steps, 1.0)

    last = 1.0 - -0.5
    first = selfplay.DISCOUNT * -0.5 - 0.5 + selfplay.DISCOUNT * selfplay.TRACE * last
    assert seen.advantages == pytest.approx([last, first])
    assert [step.value for step in seen.steps] == [-0.5, 0.5]
    assert seen.batch().returns == pytest.approx([1.0, np.clip(first + 0.5, -1, 1)])


@pytest.mark.parametrize("slug", variants())
def test_every_game_can_be_learned(slug, monkeypatch):
    """In one round of few steps, under limits that end games soon."""
    make_small(monkeypatch, steps=64, rows=32)
    play = SelfPlay(slug, 1, options=caps(variants()[slug], 10), at_once=2)
    before = {name: each.copy() for name, each in play.learner.policy.weights.items()}
    play.round(0.0)

    assert play.games > 0
    assert play.steps >= 64
    changed = [(before[name] != each).any() for name, each in play.learner.policy.weights.items()]
    assert all(changed)
    assert all(np.isfinite(each).all() for each in play.learner.policy.weights.values())


def test_a_seed_repeats_what_is_learned(monkeypatch):
    make_small(monkeypatch, steps=128, rows=64)
    found = []
    for seed in (4, 4, 5):
        play = SelfPlay(smallest_board(), seed, at_once=4)
        play.round(0.5)
        found.append(play.learner.policy.weights["wp"].tobytes())

    assert found[0] == found[1] != found[2]


def test_past_policies_play_alternate_games_without_teaching(monkeypatch):
    make_small(monkeypatch, steps=64, rows=64)
    monkeypatch.setattr(selfplay, "ROUNDS_TO_REMEMBER", 1)
    play = SelfPlay("siege", 1, options=caps(variants()["siege"], 10), at_once=6)
    for _ in range(2):
        play.round(0.0)

    learning = [sorted(steps) for steps in play._under_way]
    assert learning[::2] == [["black", "garrison", "white"]] * 3
    assert all(seats in (["garrison"], ["black", "white"]) for seats in learning[1::2])
    assert len(play._past) == 3
    first, *_, last = (past.weights["wp"] for past in play._past)
    assert (first != last).any()
    assert (last == play.learner.policy.weights["wp"]).all() is np.False_


def test_past_policies_are_few_and_spread_over_run(monkeypatch):
    make_small(monkeypatch, steps=8, rows=8)
    monkeypatch.setattr(selfplay, "ROUNDS_TO_REMEMBER", 1)
    monkeypatch.setattr(selfplay, "PAST_MAX", 4)
    play = SelfPlay(smallest_board(), 1, options={"max_plies": 10}, at_once=2)
    learned = {play._past[0].weights["wp"].tobytes(): 0}
    for rounds in range(1, 17):
        play.round(0.0)
        learned[play.learner.policy.weights["wp"].tobytes()] = rounds
        assert len(play._past) <= 4

    rounds_of_past = [learned[past.weights["wp"].tobytes()] for past in play._past]
    assert rounds_of_past == [0, 7, 15]  # a copy is made before its round is learned from


def test_the_bot_that_it_writes_plays_at_home(tmp_path, monkeypatch, capsys):
    make_small(monkeypatch, steps=256, rows=64)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert selfplay.main([smallest_board(), "--minutes", "0.001", "--to", "rook"]) == 0
    *_, reached, where = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"After \d+ s: \d+ games with \d+ steps\. In the last \d+ games, .*", reached
    )
    said = f"drapeau play rook drunkard --variant {smallest_board()}"
    assert where == f"The bot is in rook. Let it play: {said}"

    drapeau = (sys.executable, "-m", "botkit.cli")
    words = ("play", "rook", "rook", "--json", "--seed", "1", "--clock", "600+1/60")
    done = subprocess.run(
        (*drapeau, *words),
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
    )
    (game,) = json.loads(done.stdout)["games"]
    assert game["fault"] is None
    assert {path.name for path in (tmp_path / "rook").iterdir()} == {
        "bot.py",
        "drapeau.toml",
        "policy.npz",
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "--to", "rook"), "no variant 'chess'; there are: "),
        (("general", "--to", "."), "exists already: name a new folder"),
        (("general", "--to", "x" * 80), "name"),
        (("general", "--to", "rook", "--minutes", "0"), "--minutes must be more than 0"),
        (("general", "--to", "rook", "--minutes", "-1"), "--minutes must be more than 0"),
        (("general", "--to", "rook", "--minutes", "nan"), "--minutes must be more than 0"),
    ],
)
def test_impossible_arguments_are_refused_before_learning(
    words, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        selfplay.main(words)

    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_a_bot_and_says_so(tmp_path, monkeypatch, capsys):
    def stopped(*_words, **_named):
        yield "1 s"
        raise KeyboardInterrupt

    monkeypatch.setattr(selfplay, "learn", stopped)

    assert selfplay.main(["general", "--to", str(tmp_path / "rook")]) == 130
    assert "plays what was learned until the last line" in capsys.readouterr().err
    assert Policy.load(tmp_path / "rook" / "policy.npz").weights.keys() >= {"w1", "bv"}
