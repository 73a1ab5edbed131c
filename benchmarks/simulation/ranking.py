"""How many games a ladder needs until its ranking is right, and stays so."""

from collections.abc import Callable, Sequence
from itertools import combinations, islice
from random import Random

from benchmarks.simulation.books import Book
from benchmarks.simulation.makers import GAMES, Maker
from benchmarks.simulation.worlds import World

RIGHT = 0.9  # Kendall's tau
LOOK = 8  # matches between two looks
HOLDS = 10  # looks in a row at which the ranking has to be right

Rank = Callable[[Book], Sequence[float]]


def games_until_right(world: World, book: Book, maker: Maker, rank: Rank, seed: int) -> int:
    """Play until the ranking has been right at so many looks; give the games until the first.

    Where bots improve or newcomers arrive, looks and games count from the last change. A ranking
    that is not right within the most matches counts as if it were right then.
    """
    truth, settled = world.worths(), world.settled()
    began = held = 0
    pairs = maker(book, Random(seed))  # noqa: S311 - games, not secrets
    for match, (one, other) in enumerate(islice(pairs, world.most_matches), start=1):
        book.enter(one, other, world.play(one, other))
        renewed, newcomers = world.renew(match), world.welcome(match)
        for bot in renewed:
            book.renew(bot)
        for bot in newcomers:
            book.replace(bot)
        if renewed or newcomers:
            truth = world.worths()
        if match % LOOK or match < settled:
            continue
        is_right = kendall_tau(rank(book), truth) >= RIGHT
        began = match if is_right and not held else began
        held = held + 1 if is_right else 0
        if held == HOLDS:
            return GAMES * (began - settled)
    return most_games(world)


def most_games(world: World) -> int:
    """Return the count for a ranking that is not right within the most matches."""
    return GAMES * (world.most_matches - world.settled())


def kendall_tau(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Kendall's tau of two rankings of the same bots (tau a: ties count for neither)."""
    pairs = list(combinations(range(len(one)), 2))
    agreed = sum(_sign(one[a] - one[b]) * _sign(other[a] - other[b]) for a, b in pairs)
    return agreed / len(pairs)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
