"""Many games at once, as arrays: a step takes one number for each game, of the seat that is asked.

As the vector environments of Gymnasium, for games in turn. A game that ends begins anew in the same
step: its rewards and its end are those of the game that was, and what is observed is of the next.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium  # noqa: TC002 - of an annotation that can be asked for
import numpy as np
import numpy.typing as npt

from botkit.learning.encoding import Mask, Tensor
from botkit.learning.game import NumberGame

NOT_BEGUN = "the games have not begun: call reset first"
CLOSED = "the games are closed: make a new environment"


class Observed(NamedTuple):
    """What the seats that are asked see: their tensors and masks, and which seats they are.

    `seat` is the place of a seat in `possible_agents`. The first axis of each array is the game.
    """

    observation: Tensor
    action_mask: Mask
    seat: npt.NDArray[np.int64]


class Stepped(NamedTuple):
    """What a step of all games has brought: rewards have a column for each seat."""

    observed: Observed
    rewards: npt.NDArray[np.float32]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    infos: dict[str, Any]


def seeds_of(seed: int | None, count: int) -> list[int]:
    """Return different seeds that follow from one, or from chance."""
    seeds: list[int] = np.random.SeedSequence(seed).generate_state(count).tolist()
    return seeds


class VectorEnvironment:
    """Games of a variant side by side. Where several seats are asked, they act in their order.

    `infos["termination"]` has the word for each end of a game, and None for games that go on.
    """

    def __init__(
        self, variant: str, options: Mapping[str, Any] | None = None, *, num_envs: int = 8
    ) -> None:
        """Choose the game as `env` does. Raise UnknownVariant, UnknownOption, or ValueError."""
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}, and at least one game is needed")
        self.games = [NumberGame(variant, options) for _ in range(num_envs)]
        self.num_envs = num_envs
        rules, spaces = self.games[0].variant, self.games[0].spaces()
        self.possible_agents = list(rules.seats)
        self.metadata = {"name": f"{rules.slug}_v{rules.version}", "autoreset_mode": "same-step"}
        self.single_observation_space: gymnasium.Space[Any] = spaces[0][rules.seats[0]]
        self.single_action_space: gymnasium.Space[Any] = spaces[1][rules.seats[0]]
        self._places = {seat: place for place, seat in enumerate(rules.seats)}
        self._asked = [rules.seats[0]] * num_envs
        self._barred = NOT_BEGUN  # why no step can be taken, or nothing

    def reset(self, seed: int | None = None) -> tuple[Observed, dict[str, Any]]:
        """Begin all games; from `seed` follow those of each, which differ.

        Raise RuntimeError once they are closed.
        """
        if self._barred == CLOSED:
            raise RuntimeError(CLOSED)
        return self.begin(seeds_of(seed, self.num_envs)), {}

    def begin(self, seeds: Sequence[int]) -> Observed:
        """Begin all games, each with a seed of its own."""
        for game, seed in zip(self.games, seeds, strict=True):
            game.begin(seed)
        self._barred = ""
        return self._observed()

    def step(self, numbers: npt.ArrayLike) -> Stepped:
        """Take a number for each game. A number that its mask refuses loses the game.

        Raise RuntimeError before `reset` and after `close`, ValueError for too few or too many
        numbers, and TypeError for what is no whole number. Nothing changes then.
        """
        chosen = self._checked(numbers).tolist()
        rewards = np.zeros((self.num_envs, len(self._places)), np.float32)
        ended = np.zeros((2, self.num_envs), np.bool_)
        words: list[str | None] = [None] * self.num_envs
        for at, (game, number) in enumerate(zip(self.games, chosen, strict=True)):
            game.step({self._asked[at]: number})
            if game.result is not None:
                rewards[at] = list(game.rewards().values())
                ended[int(game.is_capped()), at] = True
                words[at] = str(game.result.termination)
                game.begin(None)
        return Stepped(self._observed(), rewards, ended[0], ended[1], {"termination": words})

    def close(self) -> None:
        """Take no further step."""
        self._barred = CLOSED

    def _checked(self, numbers: npt.ArrayLike) -> npt.NDArray[np.integer]:
        if self._barred:
            raise RuntimeError(self._barred)
        given, count = np.asarray(numbers), self.num_envs
        if given.shape != (count,):
            needed = "1 number is needed" if count == 1 else f"{count} numbers are needed"
            told = "1 is given" if given.size == 1 else f"{given.size} are given"
            if given.ndim > 1:
                told = f"an array of shape {given.shape} is given"
            raise ValueError(f"{needed}, and {told}")
        if not np.issubdtype(given.dtype, np.integer):
            raise TypeError(f"whole numbers are needed, and {given.tolist()} is given")
        return given

    def _observed(self) -> Observed:
        encoding, count = self.games[0].encoding, self.num_envs
        tensors: Tensor = np.empty((count, *encoding.shape), np.float32)
        masks: Mask = np.empty((count, encoding.actions), np.int8)
        seats = np.empty(count, np.int64)
        for at, game in enumerate(self.games):
            self._asked[at] = seat = game.asked()[0]
            seen = game.observe(seat)
            tensors[at], masks[at] = seen["observation"], seen["action_mask"]
            seats[at] = self._places[seat]
        return Observed(tensors, masks, seats)
