"""Who meets next: the product's own match-making, and three others to hold it against."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from arena.domain.queue import opponent_choice
from arena.domain.queue.opponent_choice import Candidate, LadderActivity
from benchmarks.simulation.books import Book
from benchmarks.simulation.worlds import BOTS

WAITING = 4  # matches that a ladder keeps waiting for a runner, as the site does
OPEN_PER_BOT = 2
GAMES = 2  # in a match
HALF_WIDTHS = 1.959963984540054
LATELY = 3  # opponents that a bot does not meet again at once
ROUNDS_APART = 8  # of a Swiss system, between two meetings

Pair = tuple[int, int]
Maker = Callable[[Book, Random], Iterator[Pair]]


def ours(book: Book, dice: Random) -> Iterator[Pair]:
    """Ask the site's `opponent_choice`, with as many matches queued ahead as on the site."""
    waits_since = [0] * BOTS
    waiting: list[Pair] = []
    made: list[frozenset[int]] = []
    while True:
        while len(waiting) < WAITING:
            busy = Counter(bot for pair in waiting for bot in pair)
            met = Counter(made[-2 * BOTS :])
            field = LadderActivity(met=met, max_busy=OPEN_PER_BOT, number=len(made) + 1)
            crowd = [_candidate(book, bot, busy[bot], waits_since[bot]) for bot in range(BOTS)]
            chosen = opponent_choice.choose(crowd, field=field, random=dice)
            if chosen is None:
                break
            made.append(frozenset(chosen))
            for bot in chosen:
                waits_since[bot] = len(made)
            waiting.append((chosen[0], chosen[1]))
        yield waiting.pop(0)


def _candidate(book: Book, bot: int, busy: int, waits_since: int) -> Candidate:
    estimate = book.estimate(bot)
    return Candidate(
        key=bot,
        owner=bot,
        rating=book.ratings[bot],
        games=book.games[bot] + GAMES * busy,
        waiting_s=float(-waits_since),
        busy=busy,
        sd=(estimate.high - estimate.low) / 2 / HALF_WIDTHS if estimate else None,
    )


def at_random(_book: Book, dice: Random) -> Iterator[Pair]:
    """Let any two meet."""
    while True:
        one, other = dice.sample(range(BOTS), 2)
        yield one, other


def nearest(book: Book, dice: Random) -> Iterator[Pair]:
    """Let anybody meet the nearest by number that it has not met in its last few matches."""
    while True:
        one = dice.randrange(BOTS)
        lately = book.played[-LATELY * BOTS * 2 :]  # in which anybody has so many
        mine = [set(pair) - {one} for pair in lately if one in pair][-LATELY:]
        met = {one}.union(*mine)
        others = [bot for bot in range(BOTS) if bot not in met]
        dice.shuffle(others)
        yield one, min(others, key=lambda bot: abs(book.ratings[bot] - book.ratings[one]))


def swiss(book: Book, dice: Random) -> Iterator[Pair]:
    """Go round by round: neighbours by number meet, unless they met in one of the last rounds."""
    while True:
        recent = {frozenset(pair) for pair in book.played[-ROUNDS_APART * BOTS // 2 :]}
        order = sorted(range(BOTS), key=lambda bot: (-book.ratings[bot], dice.random()))
        while order:
            one = order.pop(0)
            fresh = (bot for bot in order if frozenset((one, bot)) not in recent)
            other = next(fresh, order[0])
            order.remove(other)
            yield one, other


MAKERS: dict[str, Maker] = {
    "ours": ours,
    "random": at_random,
    "nearest": nearest,
    "Swiss": swiss,
}
