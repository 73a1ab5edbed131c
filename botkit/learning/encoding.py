"""What games of every family have in common when they become numbers: actions and tensors.

An action is written as one token or as several in a row: a set-up is one token for each piece. A
step of an environment is one token, and each token has a number.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Json = Mapping[str, Any]
Tokens = tuple[str, ...]
Tensor = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]

WAIT = ""  # the token of a seat that is not asked
WAITING = 0  # its number


class NotLegal(ValueError):
    """A number that the mask refuses."""


class Encoding(ABC):
    """How the actions and views of one game become numbers, made from any view of that game.

    `fields` names what the tensor holds, in the order of its first axis, and counts the entries of
    each. `shape` is the tensor's shape.
    """

    shape: tuple[int, ...]
    fields: Mapping[str, int]

    def __init__(self, tokens: Mapping[str, Sequence[str]]) -> None:
        """Number the tokens of each seat in their order, after `WAIT`."""
        self._texts = {seat: (WAIT, *texts) for seat, texts in tokens.items()}
        self._numbers = {
            seat: {text: number for number, text in enumerate(texts) if text or not number}
            for seat, texts in self._texts.items()
        }
        self.actions = len(next(iter(self._texts.values())))

    def number(self, seat: str, token: str) -> int:
        """Return the number of a token for a seat. Raise KeyError where there is no such token."""
        return self._numbers[seat][token]

    def token(self, seat: str, number: int) -> str:
        """Return the token of a number for a seat; the empty one waits, or stands for nothing."""
        return self._texts[seat][number]

    def split(self, action: str) -> Tokens:
        """Return the tokens of an action that `legal` lists."""
        return (action,)

    def join(self, tokens: Tokens) -> str:
        """Return the action that tokens spell."""
        return "".join(tokens)

    @abstractmethod
    def stock(self, view: Json) -> tuple[Counter[str], int]:
        """Return the ranks for a set-up that `legal` does not list, and how many it takes."""

    @abstractmethod
    def tensor(self, view: Json, spelled: Tokens) -> Tensor:
        """Return what a seat knows: its view, and the tokens of the action that it is spelling."""


class Spelling:
    """The action that a seat is about to give, token by token.

    `legal` is what the engine lists and the wire sends, None for a set-up that is not listed.
    """

    def __init__(self, encoding: Encoding, view: Json, legal: Sequence[str] | None) -> None:
        self._encoding = encoding
        self._seat: str = view["observer"]
        self._left = [encoding.split(action) for action in legal or ()]
        self._stock, self._due = encoding.stock(view) if legal is None else (None, 0)
        self.tokens: Tokens = ()

    def mask(self) -> Mask:
        """Return 1 for every number that may come next, else 0."""
        mask: Mask = np.zeros(self._encoding.actions, np.int8)
        seat, at = self._seat, len(self.tokens)
        following = [tokens[at] for tokens in self._left] if self._stock is None else +self._stock
        mask[[self._encoding.number(seat, token) for token in following]] = 1
        return mask

    def add(self, number: int) -> str | None:
        """Append a token; return the action once it is whole. Raise NotLegal, changing nothing."""
        token, at = self._encoding.token(self._seat, number), len(self.tokens)
        if self._stock is not None:
            if not self._stock[token]:
                raise NotLegal(f"{number} ({token!r}) is not in the mask of {self._seat}")
            self._stock[token] -= 1
            whole = at + 1 == self._due
        else:
            left = [tokens for tokens in self._left if tokens[at] == token]
            if not left:
                raise NotLegal(f"{number} ({token!r}) is not in the mask of {self._seat}")
            self._left, whole = left, len(left[0]) == at + 1
        self.tokens = (*self.tokens, token)
        return self._encoding.join(self.tokens) if whole else None


def waiting(encoding: Encoding) -> Mask:
    """Return the mask of a seat that is not asked."""
    mask: Mask = np.zeros(encoding.actions, np.int8)
    mask[WAITING] = 1
    return mask


def share(count: int, limit: int | None) -> float:
    """Return how much of a limit is used up, or 0 where there is none."""
    return min(1.0, count / limit) if limit else 0.0
