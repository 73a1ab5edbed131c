"""Explanations of a rating change: every value that entered the formula."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from arena.domain.ratings import elo, rating_events, scores
from arena.domain.ratings.scores import RatedGame
from arena.models import Bot, Match, RatingEvent


class RatedBot(NamedTuple):
    """A bot and its Elo number before the match."""

    bot: Bot
    rating: float


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game as it counted for the entrant: the bots on both sides with their ratings before it.

    `weight` is the weight of the game in the means: 1 / (number of entrants on the own side).
    """

    number: int
    own: list[RatedBot]
    others: list[RatedBot]
    own_rating: float
    others_rating: float
    expected: float
    points: float
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """change = k * (score - expected); `score` and `expected` are weighted means over `games`."""

    before: float
    after: float
    change: float
    k: float
    k_reason: str
    score: float
    expected: float
    games: list[GameLine]
    annulled: bool


def explain(*, event: RatingEvent) -> Explanation:
    """Return all values that entered a rating event.

    The ratings of the other bots come from their events of the match, or, for a bot without one,
    from its latest event before. The number of queries is fixed.
    """
    match = (
        Match.objects.select_related("ladder")
        .prefetch_related("entrants__version__bot__owner", "games", "rating_events")
        .get(pk=event.match_id)
    )
    bots = {entrant.version.bot_id: entrant.version.bot for entrant in match.entrants.all()}
    ratings = _ratings_before(match, event.finish_number)
    parts = scores.of_match(match=match)
    part = next(part for part in parts if part.version_id == event.version_id)
    return Explanation(
        before=event.before,
        after=event.after,
        change=event.change,
        k=event.k,
        k_reason=k_reason(games_before=event.games_before),
        score=event.score,
        expected=event.expected,
        games=[_line(game, bots, ratings) for game in part.games],
        annulled=match.annulment_id is not None,
    )


def k_reason(*, games_before: int) -> str:
    """Return a text that explains K for a version with so many rated games in the season."""
    words = {"games": games_before, "k": int(elo.k_factor(games_before))}
    if games_before < elo.SETTLED_GAMES:
        is_new = games_before < elo.NEW_GAMES
        words["until"] = elo.NEW_GAMES if is_new else elo.SETTLED_GAMES
        return (
            _(
                "K is %(k)d until a version has %(until)d rated games in a season; this one had"
                " %(games)d."
            )
            % words
        )
    return (
        _(
            "K is %(k)d: the version had %(games)d rated games in this season, and its rating has"
            " settled."
        )
        % words
    )


def _ratings_before(match: Match, place: int) -> dict[int, float]:
    """Return the rating of each bot of the match before the match."""
    events = {event.version_id: event for event in match.rating_events.all()}
    return {
        entrant.version.bot_id: (
            events[entrant.version_id].before
            if entrant.version_id in events
            else rating_events.rating_before(
                ladder=match.ladder, bot=entrant.version.bot, place=place
            )
        )
        for entrant in match.entrants.all()
    }


def _line(game: RatedGame, bots: Mapping[int, Bot], ratings: Mapping[int, float]) -> GameLine:
    own, others = (
        [RatedBot(bots[bot], ratings[bot]) for bot in side] for side in (game.own, game.others)
    )
    own_rating, others_rating = (
        elo.of_side([bot.rating for bot in side]) for side in (own, others)
    )
    return GameLine(
        number=game.number,
        own=own,
        others=others,
        own_rating=own_rating,
        others_rating=others_rating,
        expected=elo.expected(own_rating, others_rating),
        points=game.points,
        weight=game.weight,
    )
