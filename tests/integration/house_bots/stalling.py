"""Measure how the games of each variant end, and what stalling pays.

`python -m tests.integration.house_bots.stalling --games 1000 --seed 1`

Half of the games of a variant are between house bots, half are between them and stallers. The
status is 1 where a staller takes half of the points or more from the strongest house bot, and that
by more than chance.
"""

import argparse
import itertools
import math
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.registry import find
from tests.integration.house_bots.house import LADDERS, Player, called, play_game
from tests.integration.house_bots.stallers import stallers_of
from tests.unit.engine.games import games_of_drapeau

OF_ANY_DUEL = ("raider", "sleuth")  # they play variants too that no house bot is made for
PAYS = 0.5  # a share of the points that is as good as playing
ERRORS = 2  # standard errors that chance may explain


@dataclass
class Score:
    """What a player has taken in some games."""

    games: int = 0
    points: float = 0.0
    draws: int = 0

    @property
    def squares(self) -> float:
        """The sum of the squares of the points: a quarter for each draw."""
        return self.points - self.draws / 4

    def add(self, points: float) -> None:
        """Count a game."""
        self.games += 1
        self.points += points
        self.draws += points not in (0.0, 1.0)

    @property
    def share(self) -> float:
        """The share of the points."""
        return self.points / self.games

    @property
    def error(self) -> float:
        """The standard error of the share; none where every game ended alike."""
        squares = self.games * self.share**2 - 2 * self.share * self.points + self.squares
        return math.sqrt(max(0.0, squares)) / self.games

    def __add__(self, other: "Score") -> "Score":
        games, draws = self.games + other.games, self.draws + other.draws
        return Score(games, self.points + other.points, draws)

    def __str__(self) -> str:
        share, error, drawn = self.share, self.error, self.draws / self.games
        return f"{share:4.0%} ± {ERRORS * error:3.0%} of {self.games} games, {drawn:4.0%} drawn"


Meeting = tuple[str, str, str]  # a staller, its side, a house bot


def opponents(slug: str) -> Sequence[Player]:
    """Return the bots of a variant that play to win, the strongest last."""
    return LADDERS[slug][1:] if slug in LADDERS else OF_ANY_DUEL


def points(slug: str, seated: Mapping[str, Player], rng_seed: int, **options: Any) -> float:
    """Play a game and return the points of the side that is named first."""
    one, other = (seated[side] for side in find(slug).sides)
    outcome = play_game(slug, one, other, rng_seed, options=options)[0].result.points
    assert outcome is not None
    return outcome[next(iter(seated))]


def between_house_bots(slug: str, games: int, seed: int, **options: Any) -> Score:
    """Play house bots of all strengths against each other; the score is that of the first side."""
    score, (first, second) = Score(), find(slug).sides
    pairs = itertools.cycle(itertools.product(opponents(slug), repeat=2))
    for rng_seed, (one, other) in zip(range(seed, seed + games), pairs, strict=False):
        score.add(points(slug, {first: one, second: other}, rng_seed, **options))
    return score


def against_stallers(slug: str, games: int, seed: int, **options: Any) -> dict[Meeting, Score]:
    """Play every staller of a variant against house bots; the scores are those of the stallers."""
    scores: dict[Meeting, Score] = {}
    meetings = itertools.cycle(
        (staller, side, bot)
        for side, stallers in stallers_of(slug).items()
        for staller in stallers
        for bot in opponents(slug)
    )
    for rng_seed, (staller, side, bot) in zip(range(seed, seed + games), meetings, strict=False):
        (other,) = set(find(slug).sides) - {side}
        score = scores.setdefault((called(staller), side, called(bot)), Score())
        score.add(points(slug, {side: staller, other: bot}, rng_seed, **options))
    return scores


def paying(slug: str, scores: Mapping[Meeting, Score]) -> list[str]:
    """Return the stallers that take too much from the strongest house bot, from either side."""
    best, together = called(opponents(slug)[-1]), dict[str, Score]()
    for (staller, _, bot), score in scores.items():
        if bot == best:
            together[staller] = together.get(staller, Score()) + score
    return [name for name, score in together.items() if score.share - ERRORS * score.error >= PAYS]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each variant")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument(
        "--variants", nargs="+", choices=games_of_drapeau(), default=games_of_drapeau()
    )
    parser.add_argument("--siege-draws", action="store_true", help="without progress, as once")
    given = parser.parse_args()
    found, half = [], given.games // 2
    for slug in given.variants:
        siege_draws = given.siege_draws and slug == "siege"
        options = {"caps": "draw", "rule10": "draw"} if siege_draws else {}
        first = next(iter(find(slug).sides))
        score = between_house_bots(slug, half, given.seed, **options)
        say(f"{slug}: {first} takes {score}")
        scores = against_stallers(slug, given.games - half, given.seed, **options)
        for (staller, side, bot), each in scores.items():
            say(f"  {staller:10} as {side:10} against {bot:11} {each}")
        found += [f"{slug} {name}" for name in paying(slug, scores)]
    say(f"Figures: {given.games} games of each variant, stalling pays for: {found or 'nobody'}")
    return int(bool(found))


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
