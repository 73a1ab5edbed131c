"""The points of each entrant in the games of a match, with the bots on both sides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.domain.ratings import elo
from arena.models import Game, GameStatus, Match
from engine import registry
from engine.outcome import Termination, who_resigned


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game as it counts for the rating of one entrant: its points, 0 to 1, and both sides.

    `own` are the bots of its side, including its own bot, and `others` those of the other side.
    `number` is the number of the game in its match.
    """

    number: int
    points: float
    own: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def weight(self) -> float:
        """The weight of the game: 1 / (number of entrants on the entrant's side)."""
        return 1.0 / len(self.own)


@dataclass(frozen=True, slots=True)
class EntrantScore:
    """The score of one entrant in a match: its points in all games, and its rated games."""

    position: int
    version_id: int
    bot_id: int
    points: float
    games: Sequence[RatedGame]

    @property
    def score(self) -> float:
        """The weighted mean of its points in its rated games, 0 to 1."""
        return self._mean(game.points for game in self.games)

    def expected(self, ratings: Mapping[int, float]) -> float:
        """Return the `score` that the ratings of the bots predict."""
        return self._mean(
            elo.expected(
                elo.of_side([ratings[bot] for bot in game.own]),
                elo.of_side([ratings[bot] for bot in game.others]),
            )
            for game in self.games
        )

    def _mean(self, values: Iterable[float]) -> float:
        weights = [game.weight for game in self.games]
        weighted = (weight * value for weight, value in zip(weights, values, strict=True))
        return sum(weighted) / sum(weights)


@dataclass(frozen=True, slots=True)
class _Played:
    """A finished game: points and entrants of each side, and who alone forfeited or resigned."""

    number: int
    outcome: Mapping[str, float]
    sides: Mapping[str, tuple[int, ...]]  # positions, each once
    gave_away: int | None

    def side_of(self, position: int) -> str:
        return next(side for side, positions in self.sides.items() if position in positions)

    def points(self, position: int) -> float:
        return float(self.outcome[self.side_of(position)])

    def counts_for(self, position: int) -> bool:
        """Return whether the game is rated for an entrant.

        If the side that forfeited or resigned has several entrants, the game is rated only for the
        one who did it: the others could not prevent it, and their opponents did not beat them.
        """
        if self.gave_away in (None, position):
            return True
        lost = [side for side, points in self.outcome.items() if not points]
        return all(len(self.sides[side]) == 1 for side in lost)

    def rated(self, position: int, bots: Mapping[int, int]) -> RatedGame:
        own = self.side_of(position)
        others = (positions for side, positions in self.sides.items() if side != own)
        return RatedGame(
            number=self.number,
            points=self.points(position),
            own=tuple(bots[at] for at in self.sides[own]),
            others=tuple(bots[at] for positions in others for at in positions),
        )


def of_match(*, match: Match) -> list[EntrantScore]:
    """Return the scores of all entrants in the finished games of a match, by position."""
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
    """Return the games of a finished match that are rated for all entrants, seen from one side.

    Games that both sides lost are left out: they do not show who is stronger.
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
                gave_away=game.seats.get(_gave_away(game)),
            )


def _gave_away(game: Game) -> str:
    """Return the seat that alone forfeited or resigned; nothing if there is none."""
    resigned = who_resigned(game.detail) if game.termination == Termination.RESIGNED else []
    return resigned[0] if len(resigned) == 1 else game.fault
