"""What was done in the matches of a pairing, in games: from rows to the plain data of formats."""

from collections.abc import Mapping, Sequence

from arena.domain.formats.types import Score
from arena.models import Game, GameStatus, Match, MatchStatus
from engine import registry

LEVEL = 0.5  # points of a side in a drawn game

Sides = Mapping[str, Sequence[str]]  # the seats of each


def sides_of(*, variant: str) -> Sides:
    """Return the sides of a variant and their seats."""
    return registry.find(variant).sides


def are_played(*, matches: Sequence[Match], wanted: int) -> bool:
    """Return whether so many matches as are wanted are finished, and none is open."""
    finished = sum(match.status == MatchStatus.FINISHED for match in matches)
    return finished == len(matches) >= wanted


def of_matches(*, matches: Sequence[Match], sides: Sides, entrants: int) -> tuple[Score, ...]:
    """Return what each position did in the finished games of matches that have their games loaded.

    A game is won by all who hold a seat of the side that won. It is forfeited by the one at fault
    alone: whoever shared the side has lost it by play.
    """
    games = [
        game
        for match in matches
        for game in match.games.all()
        if game.status == GameStatus.FINISHED and game.outcome is not None
    ]
    return tuple(_score(games, sides, position) for position in range(entrants))


def _score(games: Sequence[Game], sides: Sides, position: int) -> Score:
    points = [_points(game, sides, position) for game in games]
    faults = [game for game in games if game.seats.get(game.fault) == position]
    return Score(
        wins=sum(each > LEVEL for each in points),
        draws=sum(each == LEVEL for each in points),
        losses=sum(each < LEVEL for each in points),
        forfeits=sum(_points(game, sides, position) < LEVEL for game in faults),
    )


def _points(game: Game, sides: Sides, position: int) -> float:
    """Return the points of the side on which a position sits."""
    own = next(
        side for side, seats in sides.items() if any(game.seats[seat] == position for seat in seats)
    )
    return float((game.outcome or {})[own])
