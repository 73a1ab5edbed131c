"""A game under way, and what a seat's shots have told of the other fleet."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from engine.outcome import Result
from engine.rng import Rng
from engine.variant import Options

from .waters import FLEET, SEATS, Fleet, Placement, placements, written


@dataclass(slots=True)
class State:
    """One game. A set-up stays in `answers` until both seats have sent theirs."""

    max_plies: int | None
    hit_again: bool
    answers: list[str | None] = field(default_factory=lambda: [None, None])
    fleets: list[Fleet] = field(default_factory=list)
    shots: list[list[str]] = field(default_factory=lambda: [[], []])  # by who shot
    to_move: int = 0
    ply: int = 0
    result: Result | None = None

    @property
    def deploying(self) -> bool:
        """Whether a set-up is still due."""
        return not self.fleets and self.result is None

    def hits(self, seat: int) -> dict[str, list[str]]:
        """Return for each ship of a seat the squares that were hit, in the order of the shots."""
        ship_at = {
            square: ship for ship, squares in self.fleets[seat].items() for square in squares
        }
        hits: dict[str, list[str]] = {ship: [] for ship in FLEET}
        for square in self.shots[1 - seat]:
            if square in ship_at:
                hits[ship_at[square]].append(square)
        return hits


def begin(options: Options, rng_seed: int) -> State:  # noqa: ARG001 - nothing is left to chance
    """Return a new game."""
    return State(options["max_plies"], options["hit_again"])


def copy(state: State) -> State:
    """Return a game that goes on by itself."""
    return State(
        state.max_plies,
        state.hit_again,
        [*state.answers],
        [*state.fleets],
        [[*shots] for shots in state.shots],
        state.to_move,
        state.ply,
        state.result,
    )


def asked(state: State) -> tuple[str, ...]:
    """Return the seats that owe an action."""
    if state.result is not None:
        return ()
    if state.deploying:
        return tuple(SEATS[seat] for seat in (0, 1) if state.answers[seat] is None)
    return (SEATS[state.to_move],)


def random_fleet(rng: Rng) -> Fleet:
    """Draw a set-up; every one has the same chance."""
    return fitting_fleet(rng, dict.fromkeys(FLEET, ()), ())


def fitting_fleet(rng: Rng, hits: Mapping[str, Collection[str]], missed: Collection[str]) -> Fleet:
    """Draw a set-up that fits hits (squares by ship) and misses; all that fit have the same chance.

    Ships are drawn one by one, and all again if two overlap: so no set-up is preferred.
    """
    struck = {square for squares in hits.values() for square in squares}
    may = {
        ship: [
            squares
            for squares in placements(length)
            if not {*missed} & {*squares} and struck & {*squares} == {*hits[ship]}
        ]
        for ship, length in FLEET.items()
    }
    while True:
        fleet: dict[str, Placement] = {ship: rng.choice(ways) for ship, ways in may.items()}
        if len({square for squares in fleet.values() for square in squares}) == sum(FLEET.values()):
            return fleet


def redeal(state: State, observer: str, rng: Rng) -> State:
    """Place again the fleets that an observer does not see, as far as it cannot tell."""
    twin = copy(state)
    others = [seat for seat in (0, 1) if SEATS[seat] != observer]
    if state.deploying:
        for seat in others:
            twin.answers[seat] = None
        for seat in others:
            if twin.answers[1 - seat] is None and rng.below(2):
                twin.answers[seat] = written(random_fleet(rng))
    elif state.fleets:
        for seat in others:
            hits = state.hits(seat)
            struck = {square for squares in hits.values() for square in squares}
            missed = {*state.shots[1 - seat]} - struck
            twin.fleets[seat] = fitting_fleet(rng, hits, missed)
    return twin
