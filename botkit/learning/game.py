"""A game under way whose seats act by number; both kinds of environment stand on it."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Self, TypedDict

import gymnasium
import numpy as np
from gymnasium.utils import seeding

from botkit.learning.encoding import (
    Encoding,
    Mask,
    NotLegal,
    Spelling,
    Tensor,
    encoding_of,
    waiting,
)
from engine.outcome import Result, Termination
from engine.record import forfeit_points
from engine.registry import find, resolve_options
from engine.scene import Scene
from engine.variant import FULL

RNG_SEEDS = 2**48  # as many as a site draws from


class Observation(TypedDict):
    """What an agent gets: the tensor of its view, and a 1 for each number that it may choose."""

    observation: Tensor
    action_mask: Mask


class NumberGame:
    """One game after the other, as an environment plays them.

    `result` is None while a game goes on. Whoever chooses a number that its mask refuses loses, as
    a bot does that answers with an illegal action.
    """

    def __init__(self, name: str, options: Mapping[str, Any] | None) -> None:
        """Choose a variant and its options. Raise UnknownVariant, UnknownOption, or ValueError."""
        self.variant = find(name)
        self._options = resolve_options(self.variant, options or {})
        self._state = self.variant.begin(self._options, 0)
        first = self.variant.view(self._state, self.variant.seats[0])
        self.encoding: Encoding = encoding_of(first)
        self._waiting = waiting(self.encoding)
        self._dice: np.random.Generator | None = None
        self._rng_seed = 0
        self._played: list[tuple[str, str]] = []
        self._refused: tuple[list[str], str] = [], ""
        self.result: Result | None = None
        self._spellings: dict[str, Spelling] = {}

    def spaces(self) -> tuple[dict[str, gymnasium.Space[Any]], dict[str, gymnasium.Space[Any]]]:
        """Return the spaces of the observations and of the actions, by seat."""
        encoding, box = self.encoding, gymnasium.spaces.Box
        seats = self.variant.seats
        return {
            seat: gymnasium.spaces.Dict(
                {
                    "observation": box(0.0, 1.0, encoding.shape, np.float32),
                    "action_mask": box(0, 1, (encoding.actions,), np.int8),
                }
            )
            for seat in seats
        }, {seat: gymnasium.spaces.Discrete(encoding.actions) for seat in seats}

    def begin(self, seed: int | None) -> None:
        """Begin a game; `seed` is what its chance and that of the next games follows from."""
        if seed is not None or self._dice is None:
            self._dice, _ = seeding.np_random(seed)
        self._rng_seed = int(self._dice.integers(RNG_SEEDS))
        self._state = self.variant.begin(self._options, self._rng_seed)
        self._played, self._refused = [], ([], "")
        self.result, self._spellings = None, {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a game that goes on by itself from here. What never changes is shared."""
        twin = object.__new__(type(self))
        twin.__dict__ |= self.__dict__
        twin._state = self.variant.copy(self._state)
        twin._dice = deepcopy(self._dice, memo)
        twin._played = self._played[:]
        twin._spellings = {seat: spelling.copy() for seat, spelling in self._spellings.items()}
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the same game by playing it again; states cannot be written."""
        spelled = {seat: spelling.tokens for seat, spelling in self._spellings.items()}
        kept = (self._dice, self._rng_seed, self._played, self._refused, spelled)
        return _played_again, (type(self), self.variant.name, dict(self._options), *kept)

    def play_again(
        self,
        dice: np.random.Generator | None,
        rng_seed: int,
        played: Sequence[tuple[str, str]],
        refused: tuple[list[str], str],
        spelled: Mapping[str, Sequence[str]],
    ) -> None:
        """Come to a moment of another game: what it has drawn, and what its seats have done."""
        self._dice, self._rng_seed = dice, rng_seed
        self._state = self.variant.begin(self._options, rng_seed)
        for seat, action in played:
            self._apply(seat, action)
        for seat, tokens in spelled.items():
            for token in tokens:
                self._spelling(seat).add(self.encoding.numbers[seat][token])
        self._refused = refused
        self._judge()

    def asked(self) -> tuple[str, ...]:
        """Return the seats that owe an action."""
        return () if self.result else self.variant.asked(self._state)

    def observe(self, seat: str) -> Observation:
        """Return what a seat sees and may do; a seat that is not asked may only wait."""
        view = self.variant.view(self._state, seat)
        if seat not in self.asked():
            tensor = self.encoding.tensor(view, ())
            return {"observation": tensor, "action_mask": self._waiting.copy()}
        spelling = self._spelling(seat, view)
        tensor = self.encoding.tensor(view, spelling.tokens)
        return {"observation": tensor, "action_mask": spelling.mask()}

    def step(self, chosen: Mapping[str, int]) -> None:
        """Take a number from each of some seats that are asked, all at once."""
        refused: list[str] = []
        detail = ""
        for seat, number in chosen.items():
            try:
                action = self._spelling(seat).add(int(number))
            except NotLegal as problem:
                refused.append(seat)
                detail = str(problem)
                continue
            if action is not None:
                del self._spellings[seat]
                self._apply(seat, action)
        self._refused = refused, detail
        self._judge()

    def _apply(self, seat: str, action: str) -> None:
        self.variant.apply(self._state, seat, action)
        self._played.append((seat, action))

    def _judge(self) -> None:
        self.result = self.variant.result(self._state)
        refused, detail = self._refused
        if refused:
            points = forfeit_points(self.variant, refused)
            self.result = Result(points, Termination.ILLEGAL_ACTION, refused[0], detail)

    def scene(self) -> Scene:
        """Return the picture of the game as it is, with all that its seats hide."""
        return self.variant.scene(self.variant.view(self._state, FULL))

    def _spelling(self, seat: str, view: Mapping[str, Any] | None = None) -> Spelling:
        spelling = self._spellings.get(seat)
        if spelling is None:
            seen = view or self.variant.view(self._state, seat)
            spelling = Spelling(self.encoding, seen, self.variant.legal(self._state, seat))
            self._spellings[seat] = spelling
        return spelling

    def rewards(self) -> dict[str, float]:
        """Return 1 for a win, -1 for a loss and 0 for a draw, by seat; 0 while a game goes on."""
        points = self.result.points if self.result else None
        side_of = self.variant.side_of
        return {
            seat: 2 * points[side_of(seat)] - 1 if points else 0.0 for seat in self.variant.seats
        }

    def is_capped(self) -> bool:
        """Return whether the rules' own limit of plies or turns has ended the game."""
        ending = self.variant.endings.get(self.result.termination) if self.result else None
        return ending is not None and ending.is_limit

    def facts(self) -> dict[str, str]:
        """Return how the game ended; nothing while it goes on."""
        return {"termination": str(self.result.termination)} if self.result else {}


def _played_again(
    kind: type[NumberGame],
    name: str,
    options: Mapping[str, Any],
    *kept: Any,  # noqa: ANN401 - of `play_again`
) -> NumberGame:
    game = kind(name, options)
    game.play_again(*kept)
    return game
