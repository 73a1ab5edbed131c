"""What each entrant got out of the games of a match, beside whom and against whom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.domain import elo
from arena.models import Game, GameStatus, Match
from engine import registry

Sides = Mapping[str, tuple[int, ...]]  # the positions of the entrants of each side, once each


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game as it counts for the number of one entrant: its points, 0 to 1, and who was there.

    `own` and `others` are the bots of its side, itself among them, and of the other side.
    """

    points: float
    own: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def weight(self) -> float:
        """The part of its side that the entrant was."""
        return 1.0 / len(self.own)


@dataclass(frozen=True, slots=True)
class Share:
    """One entrant's part in a match: the points of all its games, and those that are rated."""

    position: int
    version_id: int
    bot_id: int
    points: float
    games: Sequence[RatedGame]

    @property
    def score(self) -> float:
        """The part of the points that it got in its rated games, 0 to 1."""
        return self._mean(game.points for game in self.games)

    def expected(self, numbers: Mapping[int, float]) -> float:
        """Give what the numbers of the bots foretold of `score`."""
        return self._mean(
            elo.expected(
                elo.of_side([numbers[bot] for bot in game.own]),
                elo.of_side([numbers[bot] for bot in game.others]),
            )
            for game in self.games
        )

    def _mean(self, values: Iterable[float]) -> float:
        weights = [game.weight for game in self.games]
        weighed = (weight * value for weight, value in zip(weights, values, strict=True))
        return sum(weighed) / sum(weights)


def of_match(*, match: Match) -> list[Share]:
    """Give the shares of all entrants in the finished games of a match, by position."""
    variant = registry.find(match.ladder.variant)
    entrants = sorted(match.entrants.all(), key=lambda entrant: entrant.position)
    bots = {entrant.position: entrant.version.bot_id for entrant in entrants}
    played = [
        (game, _sides(game, variant.sides))
        for game in sorted(match.games.all(), key=lambda game: game.number)
        if game.status == GameStatus.FINISHED and game.outcome is not None
    ]
    return [
        Share(
            position=position,
            version_id=entrant.version_id,
            bot_id=bots[position],
            points=sum(_points(game, sides, position) for game, sides in played),
            games=tuple(
                _rated(game, sides, position, bots)
                for game, sides in played
                if _counts(game, sides, position)
            ),
        )
        for entrant in entrants
        for position in (entrant.position,)
    ]


def _sides(game: Game, seats_of: Mapping[str, Sequence[str]]) -> Sides:
    return {
        side: tuple(dict.fromkeys(game.seats[seat] for seat in seats))
        for side, seats in seats_of.items()
    }


def _side(sides: Sides, position: int) -> str:
    return next(side for side, positions in sides.items() if position in positions)


def _points(game: Game, sides: Sides, position: int) -> float:
    return float(game.outcome[_side(sides, position)])


def _counts(game: Game, sides: Sides, position: int) -> bool:
    """Say whether a game is rated for an entrant.

    It is not where a side that forfeited has more entrants than the one at fault: the others could
    not help it, and who played against them has not beaten them. The game is then rated for the
    entrant at fault alone.
    """
    if not game.fault or game.seats[game.fault] == position:
        return True
    return all(len(sides[side]) == 1 for side, points in game.outcome.items() if not points)


def _rated(game: Game, sides: Sides, position: int, bots: Mapping[int, int]) -> RatedGame:
    own = _side(sides, position)
    others = (at for side, positions in sides.items() if side != own for at in positions)
    return RatedGame(
        points=_points(game, sides, position),
        own=tuple(bots[at] for at in sides[own]),
        others=tuple(bots[at] for at in others),
    )
