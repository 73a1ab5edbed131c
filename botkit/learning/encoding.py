"""What games of every family have in common when they become numbers: actions and tensors.

An action is written as one token or as several in a row: a set-up is one token for each piece. A
step of an environment is one token, and each token has a number.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from botkit.game_modules import game_module

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

    `tokens` gives every seat the token of a number, empty for a number that stands for nothing, and
    `numbers` the number of a token. There are `actions` numbers.
    `fields` names what the tensor holds, in the order of its first axis, and counts the entries of
    each. `shape` is the tensor's shape.
    """

    shape: tuple[int, ...]
    fields: Mapping[str, int]

    def __init__(self, tokens: Mapping[str, Sequence[str]]) -> None:
        """Create the numbers: `WAIT`, then the tokens of each seat in their order."""
        self.tokens = {seat: (WAIT, *texts) for seat, texts in tokens.items()}
        self.numbers = {
            seat: {text: number for number, text in enumerate(texts) if text or not number}
            for seat, texts in self.tokens.items()
        }
        self.actions = len(next(iter(self.tokens.values())))

    def split(self, action: str) -> Tokens:
        """Return the tokens of an action that `legal` lists."""
        return (action,)

    def join(self, tokens: Tokens) -> str:
        """Return the action that tokens spell."""
        return "".join(tokens)

    @abstractmethod
    def following(self, view: Json, spelled: Tokens) -> Collection[str]:
        """Return the tokens that may follow in a set-up that `legal` does not list.

        There is none once it is whole.
        """

    @abstractmethod
    def tensor(self, view: Json, spelled: Tokens) -> Tensor:
        """Return what a seat knows: its view, and the tokens of the action that it is spelling."""


def encoding_of(view: Json) -> Encoding:
    """Return the encoding of the game that a seat's view shows. Raise ValueError without one."""
    module = game_module(view["variant"], "encoding")
    if module is None:
        raise ValueError(
            f"{view['variant']} has no encoding: its folder needs a module `encoding`, such as that"
            " of another game"
        )
    encoding: Encoding = module.ENCODING(view)
    return encoding


class Spelling:
    """The action that a seat is about to give, token by token.

    `legal` is what the engine lists and the wire sends, None for a set-up that is not listed.
    """

    def __init__(self, encoding: Encoding, view: Json, legal: Sequence[str] | None) -> None:
        self._encoding = encoding
        self._view = view
        self._seat: str = view["observer"]
        self._numbers = encoding.numbers[self._seat]
        self._left = None if legal is None else [encoding.split(action) for action in legal]
        self.tokens: Tokens = ()
        self._next = self._following()

    def copy(self) -> "Spelling":
        """Return a spelling that goes on by itself from here."""
        twin = object.__new__(Spelling)
        twin.__dict__ |= self.__dict__
        return twin

    def mask(self) -> Mask:
        """Return 1 for every number that may come next, else 0."""
        mask: Mask = np.zeros(self._encoding.actions, np.int8)
        numbers = self._numbers
        mask[[numbers[token] for token in self._next]] = 1
        return mask

    def _following(self) -> Collection[str]:
        if self._left is None:
            return self._encoding.following(self._view, self.tokens)
        at = len(self.tokens)
        return [tokens[at] for tokens in self._left]

    def add(self, number: int) -> str | None:
        """Append a token; return the action once it is whole. Raise NotLegal, changing nothing."""
        known, at = 0 <= number < self._encoding.actions, len(self.tokens)
        token = self._encoding.tokens[self._seat][number] if known else WAIT
        if token not in self._next:
            raise NotLegal(f"{number} ({token!r}) is not in the mask of {self._seat}")
        self.tokens = (*self.tokens, token)
        if self._left is not None:
            self._left = [tokens for tokens in self._left if tokens[at] == token]
            if len(self._left[0]) == at + 1:
                return self._encoding.join(self.tokens)
        self._next = self._following()
        return None if self._next else self._encoding.join(self.tokens)


def left_of(stock: Counter[str], spelled: Tokens, length: int) -> Collection[str]:
    """Return the ranks that are left of a stock, or none where so many are spelled."""
    return () if len(spelled) == length else stock - Counter(spelled)


def waiting(encoding: Encoding) -> Mask:
    """Return the mask of a seat that is not asked."""
    mask: Mask = np.zeros(encoding.actions, np.int8)
    mask[WAITING] = 1
    return mask


def share(count: int, limit: int | None) -> float:
    """Return how much of a limit is used up, or 0 where there is none."""
    return min(1.0, count / limit) if limit else 0.0
