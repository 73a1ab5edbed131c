"""Measuring a bot: pairs of games against others, and what they show so far.

A bench is a folder with the plan, `bench.json`, and a record of each finished game. Nothing else is
remembered, so a bench that was killed goes on from its records, and no game counts twice. Pairs
count in the order of their numbers. So the result depends neither on how many games are played at
a time nor on which ends first.
"""

import fcntl
import json
import operator
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from botkit import sprt
from botkit.games import (
    Finished,
    HomeGame,
    NotPlayed,
    Terms,
    play_all,
    record_path,
    schedule,
    write_text,
)
from botkit.home import HomeBot
from botkit.openings import Opening, opened
from botkit.sprt import (
    ERROR,
    GAMES_IN_A_PAIR,
    HEAD_STEPS,
    LEVEL_SCORE,
    Design,
    PairCounts,
    SprtResult,
)
from engine.clock import ClockSpec
from engine.outcome import Termination
from engine.record import Record
from engine.registry import find

PLAN_NAME = "bench.json"
LATE = (Termination.TIMEOUT, Termination.STARTUP_TIMEOUT)


class NoBench(Exception):
    """A folder holds no bench that can go on; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bench plays: the first bot against each other one. It stays as it is.

    `words` are the bots as they were given in `folder`, and `digests` those of their files.
    `pairs` is the most against one opponent. With `margin`, in normalized Elo, the bench ends when
    the SPRT has a verdict; there is one opponent then. `nelo0`, `alpha` and `beta` are those of its
    `Design`. Pairs begin with the `openings` in turn, if there are any.
    """

    folder: str
    words: tuple[str, ...]
    digests: tuple[str, ...]
    terms: Terms
    secret: str
    pairs: int
    margin: float | None
    nelo0: float | None = None
    alpha: float = ERROR
    beta: float = ERROR
    openings: tuple[Opening, ...] = ()

    @property
    def opponents(self) -> int:
        """How many opponents the first bot has."""
        return len(self.words) - 1

    @property
    def most_games(self) -> int:
        """How many games there are if no test ends them."""
        return self.pairs * self.opponents * GAMES_IN_A_PAIR

    def games(self) -> list[HomeGame]:
        """Return all games, with one pair against each opponent in turn.

        Raise WrongEntrants, and BadOpenings.
        """
        variant, secret = self.terms.variant, self.secret
        planned = schedule(variant, bots=2, games=self.most_games, swap=True, secret=secret)
        return [self._opened(_against(game, self.opponents)) for game in planned]

    def _opened(self, game: HomeGame) -> HomeGame:
        """Return the game with its opening: one for a pair against each of the opponents."""
        if not self.openings:
            return game
        turn = (game.number - 1) // (GAMES_IN_A_PAIR * self.opponents)
        return opened(game, self.openings[turn % len(self.openings)], self.terms)

    def as_json(self) -> dict[str, Any]:
        """Return the content of `bench.json`."""
        return {
            **asdict(self),
            "terms": {**asdict(self.terms), "clock": self.terms.clock.as_json()},
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """Return the plan of a `bench.json`. Raise KeyError, TypeError or AttributeError."""
        words = told["terms"]
        terms = Terms(words["variant"], words["options"], ClockSpec(**words["clock"]))
        lists = {name: tuple(told[name]) for name in ("words", "digests")}
        openings = tuple(tuple(each) for each in told.get("openings", ()))
        return cls(**{**told, **lists, "terms": terms, "openings": openings})


@dataclass(slots=True)
class Meeting:
    """The first bot's pairs of games against one opponent, and its wins, draws and losses."""

    opponent: str
    counts: list[int] = field(default_factory=lambda: [0] * (HEAD_STEPS + 1))
    wins: int = 0
    draws: int = 0
    losses: int = 0
    late: list[int] = field(default_factory=lambda: [0] * (HEAD_STEPS + 1))  # of `counts`

    @property
    def pairs(self) -> int:
        """How many pairs of games count."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The share of the points; that of equal bots without games."""
        points = sum(index * count for index, count in enumerate(self.counts)) / HEAD_STEPS
        return points / self.pairs if self.pairs else LEVEL_SCORE

    def elo(self) -> tuple[float, float, float]:
        """Return the difference in Elo, and its 95 % interval; the last two may be infinite."""
        low, high = sprt.mean_interval(self.counts)
        return sprt.elo(self.score), sprt.elo(low), sprt.elo(high)

    def add(self, points: Sequence[float], *, is_late: bool) -> None:
        """Count a pair by the points of its games, and whether one of them was lost on time."""
        result = round(sum(points) / GAMES_IN_A_PAIR * HEAD_STEPS)
        self.counts[result] += 1
        self.late[result] += is_late
        self.wins += points.count(1.0)
        self.draws += points.count(LEVEL_SCORE)
        self.losses += points.count(0.0)


class Bench:
    """The count of a plan's games.

    `forfeits` are those of the games that count. `test` is the SPRT, if the plan has a margin.
    """

    def __init__(self, plan: Plan, names: Sequence[str]) -> None:
        self.plan = plan
        self.name = names[0]
        self.meetings = [Meeting(name) for name in names[1:]]
        self.forfeits: list[Finished] = []
        self.games = 0
        self.test: SprtResult | None = None
        self._waiting: dict[int, Finished] = {}
        self._judge()

    @property
    def is_over(self) -> bool:
        """Whether all pairs count, or the test has a verdict."""
        return self.games == self.plan.most_games or bool(self.test and self.test.verdict)

    def add(self, finished: Finished) -> None:
        """Take a finished game, and count the pairs that follow those that count already."""
        self._waiting[finished.game.number] = finished
        while not self.is_over and self._waiting.keys() >= set(self._next_pair()):
            pair = [self._waiting.pop(number) for number in self._next_pair()]
            opponent = max(pair[0].game.seats.values())
            self.meetings[opponent - 1].add(
                [_points(each) for each in pair],
                is_late=any(each.record.result.termination in LATE for each in pair),
            )
            self.forfeits += [each for each in pair if each.record.result.fault is not None]
            self.games += GAMES_IN_A_PAIR
            self._judge()

    def _next_pair(self) -> range:
        return range(self.games + 1, self.games + 1 + GAMES_IN_A_PAIR)

    @property
    def rests_on_time(self) -> bool:
        """Whether the test had another verdict, or none, without pairs with a loss on time."""
        if self.test is None or self.test.verdict is None:
            return False
        in_time = [*map(operator.sub, self.meetings[0].counts, self.meetings[0].late)]
        others = sprt.evaluate(counts=PairCounts(in_time), design=self.test.design)
        return others.verdict is not self.test.verdict

    def _judge(self) -> None:
        plan = self.plan
        if plan.margin is not None:
            counts = PairCounts(list(self.meetings[0].counts))
            design = Design(plan.margin, plan.alpha, plan.beta, plan.nelo0)
            self.test = sprt.evaluate(counts=counts, design=design)


def write_plan(plan: Plan, folder: Path) -> None:
    """Write the plan of a new bench. Raise NotPlayed."""
    write_text(json.dumps(plan.as_json(), indent=1) + "\n", folder / PLAN_NAME)


def read_plan(folder: Path) -> Plan:
    """Return the plan of the bench in a folder. Raise NoBench."""
    path = folder / PLAN_NAME
    try:
        return Plan.from_json(json.loads(path.read_bytes()))
    except OSError as problem:
        raise NoBench(f"{path}: {problem.strerror}: there is no bench to go on with") from problem
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise NoBench(f"{path}: this is not the plan of a bench") from problem


@contextmanager
def held(folder: Path, *, tell: Callable[[], None]) -> Iterator[None]:
    """Hold the folder of a bench. While processes of an earlier run hold it, tell, and wait."""
    with (folder / PLAN_NAME).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def results(plan: Plan, *, bots: Sequence[HomeBot], folder: Path, jobs: int) -> Generator[Finished]:
    """Yield the games that have a record, then play the others and yield them. See `play_all`."""
    games = plan.games()
    recorded = {game.number: path for game in games if (path := record_path(folder, game)).exists()}
    for game in games:
        if game.number in recorded:
            path = recorded[game.number]
            yield Finished(game, _read(path), path)
    left = [game for game in games if game.number not in recorded]
    if left:
        with closing(
            play_all(left, bots=bots, terms=plan.terms, folder=folder, jobs=jobs)
        ) as played:
            yield from played


def _against(game: HomeGame, opponents: int) -> HomeGame:
    """Return the game with its second bot replaced by the opponent whose turn it is."""
    turn = (game.number - 1) // GAMES_IN_A_PAIR % opponents
    return replace(game, seats={seat: place and 1 + turn for seat, place in game.seats.items()})


def _points(finished: Finished) -> float:
    """Return the points of the first bot."""
    side_of = find(finished.record.variant).side_of
    (own, *_) = (side_of(seat) for seat, place in finished.game.seats.items() if place == 0)
    return (finished.record.result.points or {}).get(own, 0.0)


def _read(path: Path) -> Record:
    try:
        return Record.from_json(path.read_bytes())
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise NotPlayed(f"{path}: cannot be read: {why}. Remove it to play it again") from problem
