"""The scores of a pairing in games: from the rows of its matches to the plain data of formats."""

from collections.abc import Mapping, Sequence

from arena.domain.formats.types import Score
from arena.models import Game, GameStatus, Match, MatchStatus
from engine import registry

LEVEL = 0.5  # points of a side in a drawn game

Sides = Mapping[str, Sequence[str]]  # the seats of each side


def sides_of(*, variant: str) -> Sides:
    """Return the sides of a variant and their seats."""
    return registry.find(variant).sides


def are_played(*, matches: Sequence[Match], wanted: int) -> bool:
    """Return whether at least `wanted` matches are there and all of them are finished."""
    finished = sum(match.status == MatchStatus.FINISHED for match in matches)
    return finished == len(matches) >= wanted


def of_matches(*, matches: Sequence[Match], sides: Sides, entrants: int) -> tuple[Score, ...]:
    """Return the score of each position in the finished games of matches with loaded games.

    All seats of the winning side win a game. Only the entrant at fault forfeits it. Others on the
    same side lose it without a forfeit.
    """
    games = [
        game
        for match in matches
        for game in match.games.all()
        if game.status == GameStatus.FINISHED and game.outcome is not None
    ]
    scores = []
    for position in range(entrants):
        points = [_points(game, sides, position) for game in games]
        scores.append(
            Score(
                wins=sum(point > LEVEL for point in points),
                draws=sum(point == LEVEL for point in points),
                losses=sum(point < LEVEL for point in points),
                forfeits=sum(
                    point < LEVEL and game.seats.get(game.fault) == position
                    for game, point in zip(games, points, strict=True)
                ),
            )
        )
    return tuple(scores)


def _points(game: Game, sides: Sides, position: int) -> float:
    """Return the points of the side that the entrant at a position plays."""
    own = next(
        side for side, seats in sides.items() if any(game.seats[seat] == position for seat in seats)
    )
    return float((game.outcome or {})[own])
