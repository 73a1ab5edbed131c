"""What each entrant got out of the games of a match, beside whom and against whom."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.domain.ratings import elo
from arena.models import GameStatus, Match
from engine import registry


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game as it counts for the number of one entrant: its points, 0 to 1, and who was there.

    `own` and `others` are the bots of its side, itself among them, and of the other side. `number`
    is the game's in its match.
    """

    number: int
    points: float
    own: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def weight(self) -> float:
        """The part of its side that the entrant was."""
        return 1.0 / len(self.own)


@dataclass(frozen=True, slots=True)
class EntrantScore:
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
        """Return what the numbers of the bots foretold of `score`."""
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


@dataclass(frozen=True, slots=True)
class _Played:
    """A game that is over: points and entrants of each side, and the entrant at fault if any."""

    number: int
    outcome: Mapping[str, float]
    sides: Mapping[str, tuple[int, ...]]  # positions, each once
    at_fault: int | None

    def side_of(self, position: int) -> str:
        return next(side for side, positions in self.sides.items() if position in positions)

    def points(self, position: int) -> float:
        return float(self.outcome[self.side_of(position)])

    def counts_for(self, position: int) -> bool:
        """Return whether the game is rated for an entrant.

        It is not where a side that forfeited has more entrants than the one at fault: the others
        could not help it, and who played against them has not beaten them. The game is then rated
        for the entrant at fault alone.
        """
        if self.at_fault in (None, position):
            return True
        forfeited = [side for side, points in self.outcome.items() if not points]
        return all(len(self.sides[side]) == 1 for side in forfeited)

    def rated(self, position: int, bots: Mapping[int, int]) -> RatedGame:
        own = self.side_of(position)
        others = (each for side, each in self.sides.items() if side != own)
        return RatedGame(
            number=self.number,
            points=self.points(position),
            own=tuple(bots[at] for at in self.sides[own]),
            others=tuple(bots[at] for positions in others for at in positions),
        )


def of_match(*, match: Match) -> list[EntrantScore]:
    """Return the shares of all entrants in the finished games of a match, by position."""
    entrants = sorted(match.entrants.all(), key=lambda entrant: entrant.position)
    bots = {entrant.position: entrant.version.bot_id for entrant in entrants}
    played = list(_played(match))
    return [
        EntrantScore(
            position=position,
            version_id=entrant.version_id,
            bot_id=bots[position],
            points=sum(game.points(position) for game in played),
            games=[game.rated(position, bots) for game in played if game.counts_for(position)],
        )
        for position, entrant in zip(bots, entrants, strict=True)
    ]


def rated_for_all(*, match: Match) -> list[RatedGame]:
    """Return the games of a finished match that are rated for all who played, from one side each.

    Games that both sides lost are left out: they say nothing about who is stronger.
    """
    bots = {entrant.position: entrant.version.bot_id for entrant in match.entrants.all()}
    return [
        game.rated(game.sides[next(iter(game.sides))][0], bots)
        for game in _played(match)
        if sum(game.outcome.values()) and all(game.counts_for(position) for position in bots)
    ]


def _played(match: Match) -> Iterator[_Played]:
    seats_of = registry.find(match.ladder.variant).sides
    for game in sorted(match.games.all(), key=lambda game: game.number):
        if game.status == GameStatus.FINISHED and game.outcome is not None:
            yield _Played(
                number=game.number,
                outcome=game.outcome,
                sides={
                    side: tuple(dict.fromkeys(game.seats[seat] for seat in seats))
                    for side, seats in seats_of.items()
                },
                at_fault=game.seats.get(game.fault),
            )
