"""A policy as a small network in numpy, and how it learns from games (PPO, by Schulman et al.).

Two hidden layers see the tensor; one head gives every number its chance, the other one guesses the
reward. https://arxiv.org/abs/1707.06347 describes the loss.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]  # of 32 bits; tests of the gradient use 64
CLIP = 0.2  # how far the chance of a number may leave what it was
VALUE_WEIGHT = 0.5
LARGEST_GRADIENT = 0.5
MEAN_DECAY, SQUARE_DECAY = 0.9, 0.999  # of Adam
TINY = 1e-8


class Guess(NamedTuple):
    """What the network makes of some tensors: hidden layers, chances by number, rewards."""

    first: Floats
    second: Floats
    chances: Floats
    values: Floats


@dataclass(frozen=True, slots=True)
class Batch:
    """Steps of games, one a row: what was seen and chosen, and how much better than guessed."""

    tensors: Floats
    masks: npt.NDArray[np.bool_]
    numbers: npt.NDArray[np.int64]
    chances: Floats  # that the numbers had when they were chosen
    advantages: Floats
    returns: Floats

    def rows(self, chosen: npt.NDArray[np.int64]) -> "Batch":
        """Return some of the steps."""
        return Batch(*(getattr(self, name)[chosen] for name in self.__slots__))


class Policy:
    """The network. `weights` holds its matrices and vectors by name."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self.weights = dict(weights)

    @classmethod
    def fresh(
        cls, inputs: int, actions: int, dice: np.random.Generator, *, hidden: int
    ) -> "Policy":
        """Return a network that knows nothing; its heads begin near to equal chances and 0."""
        sizes = {"1": (inputs, hidden, 2.0), "2": (hidden, hidden, 2.0)}
        sizes |= {"p": (hidden, actions, 0.005), "v": (hidden, 1, 0.02)}
        weights: dict[str, Floats] = {}
        for name, (rows, columns, scale) in sizes.items():
            drawn = dice.standard_normal((rows, columns)) * np.sqrt(scale / rows)
            weights["w" + name] = drawn.astype(np.float32)
            weights["b" + name] = np.zeros(columns, np.float32)
        return cls(weights)

    @classmethod
    def load(cls, file: Path) -> "Policy":
        """Read a network that `save` has written."""
        with np.load(file) as weights:
            return cls(weights)

    def save(self, file: Path) -> None:
        """Write the network to a file, whole or not at all."""
        unfinished = file.with_suffix(".unfinished")
        with unfinished.open("wb") as stream:
            np.savez_compressed(stream, allow_pickle=False, **self.weights)
        unfinished.replace(file)

    def guess(self, tensors: Floats, masks: npt.NDArray[np.bool_]) -> Guess:
        """Look at some tensors, one a row. Numbers outside a mask have no chance."""
        weights = self.weights
        first = np.maximum(tensors @ weights["w1"] + weights["b1"], 0)
        second = np.maximum(first @ weights["w2"] + weights["b2"], 0)
        scores = np.where(masks, second @ weights["wp"] + weights["bp"], -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        values = np.tanh(second @ weights["wv"] + weights["bv"])[:, 0]
        return Guess(first, second, chances, values)

    def loss(self, batch: Batch, entropy_weight: float) -> float:
        """Return how bad the policy is on steps: what learning makes smaller."""
        guess = self.guess(batch.tensors, batch.masks)
        chosen = guess.chances[np.arange(len(batch.numbers)), batch.numbers]
        ratios = chosen / batch.chances
        clipped = np.clip(ratios, 1 - CLIP, 1 + CLIP)
        gains = np.minimum(ratios * batch.advantages, clipped * batch.advantages)
        errors = (guess.values - batch.returns) ** 2
        total = -gains + VALUE_WEIGHT * errors - entropy_weight * _entropies(guess.chances)
        return float(total.mean())

    def gradient(self, batch: Batch, entropy_weight: float) -> dict[str, Floats]:
        """Return the derivative of the loss by each weight."""
        guess, rows = self.guess(batch.tensors, batch.masks), np.arange(len(batch.numbers))
        ratios = guess.chances[rows, batch.numbers] / batch.chances
        free = np.where(batch.advantages > 0, ratios < 1 + CLIP, ratios > 1 - CLIP)
        pull = batch.advantages * ratios * free
        scores = guess.chances * pull[:, None]
        scores[rows, batch.numbers] -= pull
        surprise = np.log(np.maximum(guess.chances, TINY)) + _entropies(guess.chances)[:, None]
        scores += entropy_weight * guess.chances * surprise
        scores /= len(rows)
        errors = 2 * VALUE_WEIGHT * (guess.values - batch.returns) / len(rows)
        values = (errors * (1 - guess.values**2))[:, None]
        # Carry the derivatives by the heads back through the layers.
        weights = self.weights
        second = (scores @ weights["wp"].T + values @ weights["wv"].T) * (guess.second > 0)
        first = (second @ weights["w2"].T) * (guess.first > 0)
        layers = (
            *(("1", batch.tensors, first), ("2", guess.first, second)),
            *(("p", guess.second, scores), ("v", guess.second, values)),
        )
        gradient: dict[str, Floats] = {}
        for name, below, above in layers:
            gradient["w" + name], gradient["b" + name] = below.T @ above, above.sum(axis=0)
        return gradient


class Learner:
    """Adam (Kingma and Ba, https://arxiv.org/abs/1412.6980) on a policy, which it changes."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._means = {name: np.zeros_like(weight) for name, weight in policy.weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in policy.weights.items()}
        self._steps = 0

    def step(self, batch: Batch, *, rate: float, entropy_weight: float) -> None:
        """Go one step down the gradient of the loss."""
        gradient = self.policy.gradient(batch, entropy_weight)
        length = np.sqrt(sum(float((slope * slope).sum()) for slope in gradient.values()))
        shrink = min(1.0, LARGEST_GRADIENT / (length + TINY))
        self._steps += 1
        for name, raw in gradient.items():
            slope, mean, square = raw * shrink, self._means[name], self._squares[name]
            mean += (1 - MEAN_DECAY) * (slope - mean)
            square += (1 - SQUARE_DECAY) * (slope * slope - square)
            direction = mean / (1 - MEAN_DECAY**self._steps)
            scale = np.sqrt(square / (1 - SQUARE_DECAY**self._steps)) + TINY
            self.policy.weights[name] -= rate * direction / scale


def draw(chances: Floats, dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw a number from each row of chances."""
    sums = chances.cumsum(axis=1)
    lots = dice.random((len(chances), 1)) * sums[:, -1:]
    drawn: npt.NDArray[np.int64] = (sums <= lots).sum(axis=1)
    return drawn


def _entropies(chances: Floats) -> Floats:
    entropies: Floats = -(chances * np.log(np.maximum(chances, TINY))).sum(axis=1)
    return entropies
