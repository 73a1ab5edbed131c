"""The example of self-play: its arithmetic, a short run, and the bot that it writes."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from botkit.learning import selfplay
from botkit.learning.policy import Batch, Policy, draw
from botkit.learning.selfplay import SelfPlay
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
