"""Many games at once in several processes, each with a `VectorEnvironment`, and shared arrays."""

import json
import mmap
import multiprocessing
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

from botkit.learning.vectors import (
    CLOSED,
    NOT_BEGUN,
    Observed,
    Stepped,
    VectorEnvironment,
    seeds_of,
)

Words = list[str | None]

STEP = b""  # an order; seeds are another. The answer is empty too, where no game ended


class _Shared:
    """The arrays of all games, in memory that a fork shares."""

    def __init__(self, like: Stepped) -> None:
        seen = like.observed
        self.tensors, self.masks = _shared(seen.observation), _shared(seen.action_mask)
        self.seats = _shared(seen.seat)
        self.rewards = _shared(like.rewards)
        self.terminations, self.truncations = map(_shared, (like.terminations, like.truncations))
        self.numbers = _shared(seen.seat)

    def put(self, part: slice, step: Stepped) -> None:
        """Store what a step of some games has brought."""
        self.put_observed(part, step.observed)
        self.rewards[part] = step.rewards
        self.terminations[part], self.truncations[part] = step.terminations, step.truncations

    def put_observed(self, part: slice, observed: Observed) -> None:
        """Store what is seen in some games."""
        self.tensors[part], self.masks[part], self.seats[part] = observed

    def seen(self) -> Observed:
        """Return copies of what is seen in all games."""
        return Observed(self.tensors.copy(), self.masks.copy(), self.seats.copy())


class WorkerEnvironment(VectorEnvironment):
    """A `VectorEnvironment` whose games are shared out among processes. `close` ends these.

    This process plays a part itself, so with as many workers as cores none waits for another. It
    can neither be copied nor pickled. The other processes are forks, so there are none on Windows.
    """

    def __init__(
        self,
        variant: str,
        options: Mapping[str, Any] | None = None,
        *,
        num_envs: int = 8,
        workers: int = 2,
    ) -> None:
        """Choose the game as `env` does. Raise UnknownVariant, UnknownOption, or ValueError."""
        super().__init__(variant, options, num_envs=num_envs)
        if not 1 <= workers <= num_envs:
            raise ValueError(f"workers is {workers}, and it can be 1 to {num_envs}, as the games")
        super().begin([0] * num_envs)
        self._shared = _Shared(super().step([0] * num_envs))
        self._barred = NOT_BEGUN
        bounds = [num_envs * at // workers for at in range(workers + 1)]
        self._here, *self._parts = (slice(*bound) for bound in pairwise(bounds))
        self._own = VectorEnvironment(variant, options, num_envs=self._here.stop)
        fork = multiprocessing.get_context("fork")
        self._pipes: list[Connection] = []
        self._processes = []
        for part in self._parts:
            ours, theirs = fork.Pipe()
            own = VectorEnvironment(variant, options, num_envs=part.stop - part.start)
            words = (own, theirs, part, self._shared, [ours, *self._pipes])
            process = fork.Process(target=_work, args=words, daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def reset(self, seed: int | None = None) -> tuple[Observed, dict[str, Any]]:
        """Begin all games as a `VectorEnvironment` does."""
        if self._barred == CLOSED:
            raise RuntimeError(CLOSED)
        seeds = seeds_of(seed, self.num_envs)
        self._order([json.dumps(seeds[part]).encode() for part in self._parts])
        self._shared.put_observed(self._here, self._own.begin(seeds[self._here]))
        self._answers()
        self._barred = ""
        return self._shared.seen(), {}

    def step(self, numbers: npt.ArrayLike) -> Stepped:
        """Take a number for each game as a `VectorEnvironment` does."""
        shared = self._shared
        shared.numbers[:] = self._checked(numbers)
        self._order([STEP] * len(self._parts))
        step = self._own.step(shared.numbers[self._here])
        shared.put(self._here, step)
        words = step.infos["termination"] + self._answers()
        ended = shared.terminations.copy(), shared.truncations.copy()
        return Stepped(shared.seen(), shared.rewards.copy(), *ended, {"termination": words})

    def close(self) -> None:
        """End the processes, and take no further step."""
        super().close()
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join()

    def __reduce__(self) -> tuple[Any, ...]:
        """Raise TypeError: the games are in other processes."""
        raise TypeError("games in other processes cannot be copied: play without workers for that")

    def _order(self, orders: Sequence[bytes]) -> None:
        for pipe, order in zip(self._pipes, orders, strict=True):
            pipe.send_bytes(order)

    def _answers(self) -> Words:
        words: Words = []
        for pipe, part in zip(self._pipes, self._parts, strict=True):
            line = pipe.recv_bytes()
            words += json.loads(line) if line else [None] * (part.stop - part.start)
        return words


def _shared(like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.frombuffer(mmap.mmap(-1, like.nbytes), like.dtype).reshape(like.shape)


def _work(
    own: VectorEnvironment,
    orders: Connection,
    part: slice,
    shared: _Shared,
    inherited: Sequence[Connection],
) -> None:
    """Play the games of a part: begin with the seeds that come, and step where none come."""
    for pipe in inherited:
        pipe.close()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            order, answer = orders.recv_bytes(), b""
            if order:
                shared.put_observed(part, own.begin(json.loads(order)))
            else:
                step = own.step(shared.numbers[part])
                shared.put(part, step)
                if any(words := step.infos["termination"]):
                    answer = json.dumps(words).encode()
            orders.send_bytes(answer)
