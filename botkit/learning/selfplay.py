"""Learn a game by playing against oneself, and write a bot that plays what was learned.

    python -m botkit.learning.selfplay general --minutes 10 --to mybot

An example in plain numpy, made for small games: read it, copy it, change it. Many games are played
at once, all seats by one policy. Whenever there are enough steps, the policy learns from them.
"""

import argparse
import shlex
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from botkit.exit_statuses import INTERRUPTED
from botkit.learning.environments import env
from botkit.learning.policy import Batch, Learner, Policy, draw
from botkit.manifest import MANIFEST_NAME, Manifest, read_manifest, written
from engine.registry import find, variants

HIDDEN = 256  # units of each hidden layer
GAMES = 64  # at once
STEPS = 8192  # that the policy learns from at a time, at least
PASSES, ROWS = 3, 1024  # how often it goes through them, and how many make one step of learning
RATE, LAST_RATE = 5e-4, 5e-5  # of learning, at the beginning and at the end
ENTROPY_WEIGHT = 0.03  # what it is worth to try other numbers
DISCOUNT = 0.99  # of what a step later brings
TRACE = 0.9  # how far a reward reaches back over the guesses (the lambda of GAE)
ROUNDS_TO_REMEMBER = 5  # after so many, the policy becomes one of the past ones
PAST_MAX = 50  # with more, every second past policy is forgotten; an even number
POLICY = "policy.npz"
OPPONENT = "drunkard"  # the house bot that plays every game of the arena


class Step(NamedTuple):
    """What a seat saw and chose, with the chance of that and the reward that it expected."""

    tensor: npt.NDArray[np.float32]
    mask: npt.NDArray[np.bool_]
    number: int
    chance: float
    value: float


@dataclass(slots=True)
class Seen:
    """Steps of finished games, with what they were worth."""

    steps: list[Step] = field(default_factory=list)
    advantages: list[float] = field(default_factory=list)

    def add(self, steps: Sequence[Step], reward: float) -> None:
        """Add the steps of a seat in a game, and what they gained beyond the guesses (GAE).

        See https://arxiv.org/abs/1506.02438.
        """
        advantage, following = 0.0, reward / DISCOUNT
        for step in reversed(steps):
            surprise = DISCOUNT * following - step.value
            advantage = surprise + DISCOUNT * TRACE * advantage
            following = step.value
            self.steps.append(step)
            self.advantages.append(advantage)

    def batch(self) -> Batch:
        """Return all of it as arrays, the advantages in standard deviations."""
        tensors, masks, numbers, chances, values = map(np.array, zip(*self.steps, strict=True))
        advantages = np.array(self.advantages, np.float32)
        returns = np.clip(advantages + values, -1, 1).astype(np.float32)
        spread = advantages.std() + 1e-6
        even = ((advantages - advantages.mean()) / spread).astype(np.float32)
        return Batch(tensors, masks, numbers, chances.astype(np.float32), even, returns)


class SelfPlay:
    """A policy that learns a game.

    In every other game, one side is played by a policy of the past, more often by an early one.
    Against itself alone, a policy forgets how to meet what it no longer does. `games` counts the
    games that are over, and `lengths` are the steps of a seat in the last ones.
    """

    def __init__(
        self,
        game: str,
        seed: int,
        *,
        options: Mapping[str, Any] | None = None,
        at_once: int = GAMES,
    ) -> None:
        """Begin with a policy that knows nothing.

        Raise UnknownVariant, UnknownOption, or ValueError for a game that has no encoding.
        """
        self.dice = np.random.default_rng(seed)
        self._worlds = [env(game, options).unwrapped for _ in range(at_once)]
        for world in self._worlds:
            world.reset(seed=int(self.dice.integers(2**32)))
        encoding = self._worlds[0].game.encoding
        inputs = int(np.prod(encoding.shape))
        self.learner = Learner(Policy.fresh(inputs, encoding.actions, self.dice, hidden=HIDDEN))
        self._sides = list(self._worlds[0].game.variant.sides.values())
        self._under_way = [self._fresh_game(at) for at in range(at_once)]
        self._past = [self._copy()]
        self._rival = self._past[0]
        self._rounds, self._remember_every = 0, ROUNDS_TO_REMEMBER
        self._seen = Seen()
        self.games = self.steps = 0
        self.lengths: deque[int] = deque(maxlen=500)

    def _copy(self) -> Policy:
        weights = self.learner.policy.weights
        return Policy({name: weight.copy() for name, weight in weights.items()})

    def _fresh_game(self, at: int) -> dict[str, list[Step]]:
        """Return a list for the steps of each seat that learns: in odd games, of one side only."""
        sides = self._sides
        learning = [sides[self.dice.integers(len(sides))]] if at % 2 else sides
        return {seat: [] for seats in learning for seat in seats}

    def round(self, progress: float) -> None:
        """Play until there are enough steps, and learn from them.

        `progress`, from 0 to 1, makes the steps of learning smaller.
        """
        self._rival = self._past[int(len(self._past) * self.dice.random() ** 2)]
        while len(self._seen.steps) < STEPS:
            self._play_on()
        self._rounds += 1
        if self._rounds % self._remember_every == 0:
            self._past.append(self._copy())
        if len(self._past) > PAST_MAX:  # those that stay are as far apart as those to come
            del self._past[1::2]
            self._remember_every *= 2
        batch, self._seen = self._seen.batch(), Seen()
        rate = RATE + progress * (LAST_RATE - RATE)
        for _ in range(PASSES):
            order = self.dice.permutation(len(batch.numbers))
            for start in range(0, len(order) - ROWS + 1, ROWS):
                rows = batch.rows(order[start : start + ROWS])
                self.learner.step(rows, rate=rate, entropy_weight=ENTROPY_WEIGHT)

    def _play_on(self) -> None:
        """Play one step of every game, and begin a new game where one is over."""
        shown = [world.observe(world.agent_selection) for world in self._worlds]
        tensors = np.stack([observed["observation"].ravel() for observed in shown])
        masks = np.stack([observed["action_mask"] for observed in shown]).astype(bool)
        guess = self.learner.policy.guess(tensors, masks)
        chances, values = guess.chances, guess.values
        seats = [world.agent_selection for world in self._worlds]
        past = [at for at, seat in enumerate(seats) if seat not in self._under_way[at]]
        if past:
            chances[past] = self._rival.guess(tensors[past], masks[past]).chances
        numbers = draw(chances, self.dice)
        for at, (world, number) in enumerate(zip(self._worlds, numbers.tolist(), strict=True)):
            steps = self._under_way[at].get(seats[at])
            if steps is not None:
                chance, value = float(chances[at, number]), float(values[at])
                steps.append(Step(tensors[at], masks[at], number, chance, value))
            world.step(number)
            if any(world.terminations.values()) or any(world.truncations.values()):
                for seat, taken in self._under_way[at].items():
                    self._seen.add(taken, world.rewards[seat])
                self.lengths.append(max(map(len, self._under_way[at].values())))
                self._under_way[at] = self._fresh_game(at)
                self.games += 1
                world.reset()
        self.steps += len(self._worlds)


def learn(play: SelfPlay, *, minutes: float, report_s: float = 30.0) -> Iterator[str]:
    """Learn for some minutes; yield now and then, and at the end, how far it is."""
    began_s = told_s = time.monotonic()
    used_s = 0.0
    while used_s < 60 * minutes:
        play.round(used_s / (60 * minutes))
        used_s = time.monotonic() - began_s
        if time.monotonic() - told_s >= report_s or used_s >= 60 * minutes:
            told_s = time.monotonic()
            mean = sum(play.lengths) / len(play.lengths)
            yield (
                f"After {used_s:.0f} s: {play.games} games with {play.steps} steps. In the last"
                f" {len(play.lengths)} games, a seat took {mean:.0f} steps on average."
            )


def write_bot(policy: Policy, game: str, folder: Path) -> Path:
    """Write a new folder with a bot that plays a game by a policy; return the policy's file.

    Raise BadUpload for a name that no bot can have, and OSError.
    """
    name, slug = folder.resolve().name, find(game).slug
    manifest = written(Manifest(name, "python", "bot.py", (slug,), libraries=("numpy",)))
    code = files("botkit.learning").joinpath("learned.py").read_bytes()
    contents = {MANIFEST_NAME: manifest.encode(), "bot.py": code}
    read_manifest(contents)
    folder.mkdir(parents=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    policy.save(folder / POLICY)
    return folder / POLICY


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn a game; the bot is there from the beginning, and plays what has been learned so far."""
    parser = argparse.ArgumentParser(prog="python -m botkit.learning.selfplay", description=__doc__)
    parser.add_argument("game", help=f"one of {', '.join(variants())}")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long it learns (10)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (1)")
    parser.add_argument("--to", type=Path, required=True, help="a new folder for the bot")
    given = parser.parse_args(arguments)
    if not given.minutes > 0:
        parser.error("--minutes must be more than 0, such as 10 or 0.5")
    try:
        play = SelfPlay(given.game, given.seed)
        policy = write_bot(play.learner.policy, given.game, given.to)
    except FileExistsError:
        parser.error(f"{given.to} exists already: name a new folder, so that nothing is lost")
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    try:
        for line in learn(play, minutes=given.minutes):
            play.learner.policy.save(policy)
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write(f"stopped: {given.to} plays what was learned until the last line\n")
        return INTERRUPTED
    words = ("drapeau", "play", str(given.to), OPPONENT, "--variant", find(given.game).slug)
    sys.stdout.write(f"The bot is in {given.to}. Let it play: {shlex.join(words)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
