"""States that fit all that your bot has seen, to look ahead in: `from botkit.worlds import …`.

This module loads the rules of the games. `import botkit` does without them, so a bot that does not
search starts as fast as before.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

from botkit.view import View
from engine.errors import quoted
from engine.knowledge import OUT_OF_SIGHT, Watcher
from engine.outcome import Result
from engine.registry import find, resolve_options
from engine.rng import Rng
from engine.variant import FULL, PUBLIC, Variant


class World:
    """One full game, played by the rules of the arena. What `apply` does, `undo` takes back."""

    def __init__(self, variant: Variant[Any], state: object, dice: random.Random) -> None:
        """Wrap a state of a variant, which is changed in place; `legal` may use the dice."""
        self._variant = variant
        self._state = state
        self._dice = _Dice(dice)
        self._past: list[tuple[object, Callable[[], None] | None]] = []

    @property
    def seat(self) -> str:
        """The seat that is to act, or an empty text when the game is over."""
        return next(iter(self._variant.asked(self._state)), "")

    @property
    def ply(self) -> int:
        """How many actions were played since the opening set-up."""
        return self._variant.ply(self._state)

    @property
    def result(self) -> Result | None:
        """How the game ended: `result.points` by side, `result.termination`; None while it goes on.

        A side has the name of its seat, but in `siege`: there white and black are `besiegers`.
        """
        return self._variant.result(self._state)

    def legal(self) -> list[str]:
        """List the legal actions of the seat that is to act.

        Of a set-up it is one action, drawn anew in every call by the dice of `sample_world`.
        """
        state, seat = self._state, self.seat
        if not seat:
            return []
        legal = self._variant.legal(state, seat)
        return [self._variant.sample(state, seat, self._dice)] if legal is None else legal

    def apply(self, action: str) -> None:
        """Play an action of the seat that is to act.

        Raise IllegalAction or MalformedAction, which are ValueErrors, and then change nothing.
        """
        variant, state = self._variant, self._state
        seats = variant.asked(state)
        back = variant.mark(state, action)
        kept = variant.copy(state) if back is None else state
        variant.apply(state, seats[0] if seats else variant.seats[0], action)
        self._past.append((kept, back))

    def undo(self) -> None:
        """Take back the last action. Raise IndexError where none is left that was applied here."""
        if not self._past:
            raise IndexError("nothing to undo: no action is left that was applied to this world")
        self._state, back = self._past.pop()
        if back is not None:
            back()

    def view(self, seat: str) -> dict[str, Any]:
        """Return what a seat may see, as the arena would send it; `full` shows everything.

        Raise ValueError for another name.
        """
        observers = (*self._variant.seats, PUBLIC, FULL)
        if seat not in observers:
            named = f"{quoted(seat)} is no seat of {self._variant.slug}"
            raise ValueError(f"{named}; name one of {', '.join(observers)}")
        return self._variant.view(self._state, seat)


class Knowledge:
    """What your seat has seen, and what follows of it; in the words of `botkit.Belief`.

    Create it in `deploy` from the first view, and give every later event to `hear`. In `siege`,
    where nothing is hidden, the view of any turn will do.
    """

    def __init__(self, view: View, options: Mapping[str, Any]) -> None:
        """Begin with the first view of a game and its options.

        Raise ValueError for a later view, as what happened before is not in it; in `siege` only for
        that of a game that is over.
        """
        self._variant = find(view.variant)
        whole = resolve_options(self._variant, options)
        self._watcher: Watcher[Any] = self._variant.watch(whole, dict(view.raw))

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event; call it from `hear` of your bot."""
        self._watcher.hear(event)

    def marginals(self) -> dict[str, dict[str, float]]:
        """Return for each hidden piece the probability of each rank that it can have.

        All ways to deal the unseen ranks that fit what was seen count the same. The probabilities
        are exact; they are rounded once, to a float. The pieces are those that a belief can be
        about: in `cards` the cards of the enemy's line, not of its hand and pile.
        """
        return {
            piece: dict(chances)
            for piece, chances in self._watcher.deal().marginals.items()
            if not piece.startswith(OUT_OF_SIGHT)
        }

    def possible(self) -> dict[str, frozenset[str]]:
        """Return for each hidden piece the ranks that it can have."""
        return {piece: frozenset(ranks) for piece, ranks in self.marginals().items()}

    def sample_world(self, rng: random.Random) -> World:
        """Draw a full game that fits all that was seen; every such deal has the same chance.

        Raise ValueError before both seats have set up, where set-ups are hidden.
        """
        return World(self._variant, self._watcher.world(_Dice(rng)), rng)


class _Dice(Rng):
    """The chance of a bot in the shape that the engine takes."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng
