"""What a naive game offers to the comparison, and where those of all variants are found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module, util
from typing import Any, Protocol

from engine.rng import Rng


class Game(Protocol):
    """A second implementation of one game under way."""

    def asked(self) -> set[str]:
        """Name the seats that owe an action."""

    def legal(self, seat: str) -> set[str] | None:
        """Return every legal action, or None where they are too many to list."""

    def allows(self, seat: str, action: str) -> bool:
        """Return whether an action is legal that is too one of many to list."""

    def play(self, seat: str, action: str, dealt: Mapping[str, Any]) -> None:
        """Do a legal action; the engine's full view after it tells what chance has dealt."""

    def board(self) -> Any:
        """Return the whole state, to be compared with what `seen` makes of the full view."""

    def ending(self) -> tuple[str, Mapping[str, float]] | None:
        """Return the termination and the points, once it is over."""


@dataclass(frozen=True)
class Naive:
    """A naive game, and how to draw random games from it that reach every ending.

    `begin` takes the options and the engine's full view of the start, which tells what chance has
    dealt. `plans` pick a legal action as somebody with an aim would, so that rare things come up,
    and `drafts` give set-ups that are out of the ordinary. `cap` is the option that limits a game's
    length, `short` from where to where it does so in most games; `endings` are all terminations
    that the rules have.
    """

    begin: Callable[[Mapping[str, Any], Mapping[str, Any]], Game]
    seen: Callable[[Mapping[str, Any]], Any]
    plans: tuple[Callable[[Any, list[str], Rng], str], ...]
    cap: str
    endings: frozenset[str]
    short: tuple[int, int] = (40, 120)
    drafts: tuple[Callable[[Rng], str], ...] = ()


def naive(slug: str) -> Naive:
    """Find a variant's naive game: here, or in a `test_independent.py` in the variant's folder."""
    for module in (f"tests.independent.{slug}", f"engine.variants.{slug}.test_independent"):
        if util.find_spec(module) is not None:
            found: Naive = import_module(module).NAIVE
            return found
    raise LookupError(f"{slug} has no naive implementation to be compared with")
