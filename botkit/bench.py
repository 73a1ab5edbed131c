"""Measuring bots: pairs of games between them, and what they show so far.

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
from itertools import combinations
from pathlib import Path
from typing import Any, Self

from botkit import sprt, strengths
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
from botkit.strengths import Strengths
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
    """What a bench plays. It stays as it is.

    `words` are the bots as they were given in `folder`, and `digests` those of their files. Two
    bots play at most `pairs` pairs. With `within`, all bots meet that are named at most so many
    places apart. Otherwise the first bot meets each other one. With `margin`, in normalized Elo,
    there are two bots, and the bench ends when the SPRT has a verdict; `nelo0`, `alpha` and `beta`
    are those of its `Design`. Pairs begin with the `openings` in turn, if there are any.
    """

    folder: str
    words: tuple[str, ...]
    digests: tuple[str, ...]
    terms: Terms
    secret: str
    pairs: int
    margin: float | None
    within: int | None = None
    nelo0: float | None = None
    alpha: float = ERROR
    beta: float = ERROR
    openings: tuple[Opening, ...] = ()

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """The places of the bots that meet."""
        places = range(len(self.words))
        if self.within is None:
            return [(0, other) for other in places[1:]]
        return [two for two in combinations(places, 2) if two[1] - two[0] <= self.within]

    @property
    def most_games(self) -> int:
        """How many games there are if no test ends them."""
        return self.pairs * len(self.meetings) * GAMES_IN_A_PAIR

    def games(self) -> list[HomeGame]:
        """Return all games, with one pair of each meeting in turn.

        Raise WrongEntrants, and BadOpenings.
        """
        variant, secret, meetings = self.terms.variant, self.secret, self.meetings
        planned = schedule(variant, bots=2, games=self.most_games, swap=True, secret=secret)
        games = []
        for game in planned:
            turn = (game.number - 1) // GAMES_IN_A_PAIR
            two = meetings[turn % len(meetings)]
            placed = replace(game, seats={seat: two[place] for seat, place in game.seats.items()})
            if self.openings:  # one for a pair of each of the meetings
                opening = self.openings[turn // len(meetings) % len(self.openings)]
                placed = opened(placed, opening, self.terms)
            games.append(placed)
        return games

    def as_json(self) -> dict[str, Any]:
        """Return the content of `bench.json`."""
        return {
            **asdict(self),
            "terms": {**asdict(self.terms), "clock": self.terms.clock.as_json()},
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Self:
        """Return the plan of a `bench.json`. Raise KeyError, TypeError or AttributeError."""
        words = saved["terms"]
        terms = Terms(words["variant"], words["options"], ClockSpec(**words["clock"]))
        lists = {name: tuple(saved[name]) for name in ("words", "digests")}
        openings = tuple(tuple(opening) for opening in saved.get("openings", ()))
        return cls(**{**saved, **lists, "terms": terms, "openings": openings})


@dataclass(slots=True)
class Meeting:
    """A bot's pairs of games against an opponent, and its wins, draws and losses."""

    bot: str
    opponent: str
    counts: list[int] = field(default_factory=lambda: [0] * (HEAD_STEPS + 1))
    wins: int = 0
    draws: int = 0
    losses: int = 0
    late: list[int] = field(default_factory=lambda: [0] * (HEAD_STEPS + 1))  # lost on time

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
        self.names = names
        self.meetings = [Meeting(names[bot], names[opponent]) for bot, opponent in plan.meetings]
        self.forfeits: list[Finished] = []
        self.games = 0
        self._charged_ms = [0] * len(names)
        self._actions = [0] * len(names)
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
            turn = self.games // GAMES_IN_A_PAIR % len(self.meetings)
            bot = self.plan.meetings[turn][0]
            self.meetings[turn].add(
                [_points(played, bot) for played in pair],
                is_late=any(played.record.result.termination in LATE for played in pair),
            )
            for played in pair:
                for action in played.record.actions:
                    place = played.game.seats[action.seat]
                    self._charged_ms[place] += action.charged_ms
                    self._actions[place] += 1
            self.forfeits += [played for played in pair if played.record.result.fault is not None]
            self.games += GAMES_IN_A_PAIR
            self._judge()

    def strengths(self) -> Strengths:
        """Return the strengths of all bots, from all games that count."""
        counts = [meeting.counts for meeting in self.meetings]
        return strengths.fit(len(self.names), dict(zip(self.plan.meetings, counts, strict=True)))

    def points(self, place: int) -> tuple[float, int]:
        """Return the points of a bot, and its games."""
        points, games = 0.0, 0
        for two, meeting in zip(self.plan.meetings, self.meetings, strict=True):
            if place in two:
                own = meeting.wins if place == two[0] else meeting.losses
                points += own + meeting.draws * LEVEL_SCORE
                games += meeting.pairs * GAMES_IN_A_PAIR
        return points, games

    def thought_ms(self, place: int) -> float:
        """Return what an action of a bot has taken on average."""
        return self._charged_ms[place] / max(1, self._actions[place])

    def _next_pair(self) -> range:
        return range(self.games + 1, self.games + 1 + GAMES_IN_A_PAIR)

    @property
    def rests_on_time(self) -> bool:
        """Whether the verdict would change without the pairs in which a game was lost on time."""
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
            try:
                record = Record.from_json(path.read_bytes())
            except (OSError, ValueError) as problem:
                why = getattr(problem, "strerror", None) or problem
                raise NotPlayed(
                    f"{path}: cannot be read: {why}. Remove it to play it again"
                ) from problem
            yield Finished(game, record, path)
    left = [game for game in games if game.number not in recorded]
    if left:
        with closing(
            play_all(left, bots=bots, terms=plan.terms, folder=folder, jobs=jobs)
        ) as played:
            yield from played


def _points(finished: Finished, bot: int) -> float:
    """Return the points of the bot in a place."""
    side_of = find(finished.record.variant).side_of
    (own, *_) = (side_of(seat) for seat, place in finished.game.seats.items() if place == bot)
    return (finished.record.result.points or {}).get(own, 0.0)
