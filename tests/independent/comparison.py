"""Random games under random options, played by the engine and by a naive game side by side."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.errors import IllegalAction, MalformedAction
from engine.registry import resolve_options
from engine.rng import Rng
from engine.variant import FULL, Variant
from tests.independent.naive import Naive

SHORT_PERCENT = 90  # of the games; the others may last as long as the rules let them
STRANGE_PERCENT = 3  # of the games begin with a set-up that is one of a few out of the ordinary
PLANLESS = 40  # a plan is dropped for one random action in so many


class Disagreement(AssertionError):
    """The engine and the naive game say different things, with the game that leads there."""


@dataclass
class Match:
    """One game, twice."""

    variant: Variant[Any]
    naive: Naive
    rng_seed: int
    actions: list[tuple[str, str]] = field(default_factory=list)

    def play(self) -> str:
        """Play to the end and name the termination. Raise Disagreement."""
        self.rng = Rng(self.rng_seed, f"independent {self.variant.slug}")
        self.options = random_options(self.variant, self.naive, self.rng)
        self.plan = self.rng.choice((None, *self.naive.plans))
        self.strange = self.naive.drafts and self.rng.below(100) < STRANGE_PERCENT
        self.state = self.variant.begin(self.options, self.rng_seed)
        self.game = self.naive.begin(self.options, self.variant.view(self.state, FULL))
        while self.agree("asked", set(self.variant.asked(self.state)), self.game.asked()):
            for seat in self.variant.asked(self.state):
                self.step(seat)
        result = self.variant.result(self.state)
        return str(result.termination) if result else "nobody is asked and nothing has ended"

    def step(self, seat: str) -> None:
        action = self.choose(seat)
        self.actions.append((seat, action))
        self.variant.apply(self.state, seat, action)
        view = self.variant.view(self.state, FULL)
        self.game.play(seat, action, view)
        self.agree("board", self.naive.seen(view), self.game.board())
        result = self.variant.result(self.state)
        ended = (str(result.termination), dict(result.points or {})) if result else None
        self.agree("ending", ended, self.game.ending())

    def choose(self, seat: str) -> str:
        legal, naive = self.variant.legal(self.state, seat), self.game.legal(seat)
        self.agree("legal", legal if legal is None else sorted(legal), naive and sorted(naive))
        if legal is None:
            return self.draft(seat)
        if self.plan and self.rng.below(PLANLESS):
            return self.plan(self.game, legal, self.rng)
        return self.rng.choice(legal)

    def draft(self, seat: str) -> str:
        """Return a drafted action, after checking that both refuse the same distortions of it."""
        if self.strange:
            return self.rng.choice(self.naive.drafts)(self.rng)
        action = self.variant.draft(self.variant.view(self.state, seat), self.rng)
        for text in (action, *distortions(action, self.rng)):
            twin = self.variant.copy(self.state)
            try:
                self.variant.apply(twin, seat, text)
            except (IllegalAction, MalformedAction):
                accepted = False
            else:
                accepted = True
            self.agree(f"accepts {text}", accepted, self.game.allows(seat, text))
        return action

    def agree(self, what: str, engine: Any, naive: Any) -> Any:
        if engine != naive:
            raise Disagreement(
                f"{self.variant.name}, rng_seed {self.rng_seed}, options {self.options}, after "
                f"{' '.join(f'{seat}:{action}' for seat, action in self.actions)}: {what} differs\n"
                f"engine {difference(engine, naive)}\nnaive  {difference(naive, engine)}"
            )
        return engine


def random_options(variant: Variant[Any], naive: Naive, rng: Rng) -> dict[str, Any]:
    """Choose each option's default or any value; cap most games so that many can be played."""
    given = {
        key: rng.choice(option.allowed)
        if option.least is None
        else rng.choice((*option.allowed, option.least + rng.below(100)))
        for key, option in variant.options.items()
        if rng.below(2) and key != naive.cap
    }
    if rng.below(100) < SHORT_PERCENT:
        least, most = naive.short
        given[naive.cap] = least + rng.below(most - least)
    return resolve_options(variant, given)


def distortions(action: str, rng: Rng) -> list[str]:
    """Return texts that are like an action: two swapped, one doubled, one lost, one replaced."""
    here, there = rng.below(len(action)), rng.below(len(action))
    letters = list(action)
    letters[here], letters[there] = letters[there], letters[here]
    return [
        "".join(letters),
        action + action[here],
        action[:here] + action[here + 1 :],
        action[:here] + action[there] + action[here + 1 :],
    ]


def difference(one: Any, other: Any) -> Any:
    """Show what the one has and the other has not, where both are of a kind."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {
            key: difference(value, other.get(key))
            for key, value in one.items()
            if key not in other or value != other[key]
        }
    if isinstance(one, list) and isinstance(other, list):
        return [item for item in one if item not in other]
    return one


def compare(variant: Variant[Any], naive: Naive, rng_seeds: Iterable[int]) -> Counter[str]:
    """Play a game for each seed; count the terminations. Raise Disagreement."""
    return Counter(Match(variant, naive, rng_seed).play() for rng_seed in rng_seeds)
