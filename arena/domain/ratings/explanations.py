"""Why a match was worth what it was to a number: every number that went in, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.domain.ratings import elo, rating_events, scores
from arena.domain.ratings.scores import RatedGame
from arena.models import Bot, Match, RatingEvent

Numbered = tuple[Bot, float]


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game as it counted for the entrant: who was on its side and against it, before the match.

    `weight` is what the game weighs in the means, one over the entrants of the own side.
    """

    number: int
    own: list[Numbered]
    others: list[Numbered]
    own_number: float
    others_number: float
    expected: float
    points: float
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """change = k * (score - expected), where the last two are the weighed means over `games`."""

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
    """Return all that went into an event. The numbers of the other bots are those of their events.

    Takes a fixed number of queries. A bot that has no event of the match is looked up where its
    number stood then.
    """
    match = (
        Match.objects.select_related("ladder")
        .prefetch_related("entrants__version__bot__owner", "games", "rating_events")
        .get(pk=event.match_id)
    )
    bots = {entrant.version.bot_id: entrant.version.bot for entrant in match.entrants.all()}
    numbers = _numbers_before(match, event.finish_number)
    parts = scores.of_match(match=match)
    share = next(share for share in parts if share.version_id == event.version_id)
    return Explanation(
        before=event.before,
        after=event.after,
        change=event.change,
        k=event.k,
        k_reason=k_reason(games_before=event.games_before),
        score=event.score,
        expected=event.expected,
        games=[_line(game, bots, numbers) for game in share.games],
        annulled=match.annulment_id is not None,
    )


def k_reason(*, games_before: int) -> str:
    """Say in words why a version with so many rated games in the season has its K."""
    words = {"games": games_before, "k": int(elo.k_factor(games_before))}
    if games_before < elo.PROVISIONAL_GAMES:
        words["until"] = elo.PROVISIONAL_GAMES
        return (
            _(
                "K is %(k)d: the version had %(games)d rated games in this season, and its "
                "rating is provisional until it has %(until)d."
            )
            % words
        )
    if games_before < elo.SETTLED_GAMES:
        words["until"] = elo.SETTLED_GAMES
        return (
            _(
                "K is %(k)d until a version has %(until)d rated games in a season; this one had"
                " %(games)d."
            )
            % words
        )
    return (
        _(
            "K is %(k)d: the version had %(games)d rated games in this season, and its rating "
            "has settled."
        )
        % words
    )


def _numbers_before(match: Match, place: int) -> dict[int, float]:
    """Return the number of each bot of the match as it was before it."""
    events = {event.version_id: event for event in match.rating_events.all()}
    return {
        entrant.version.bot_id: (
            events[entrant.version_id].before
            if entrant.version_id in events
            else rating_events.number_before(
                ladder=match.ladder, bot=entrant.version.bot, place=place
            )
        )
        for entrant in match.entrants.all()
    }


def _line(game: RatedGame, bots: Mapping[int, Bot], numbers: Mapping[int, float]) -> GameLine:
    own, others = (_numbered(side, bots, numbers) for side in (game.own, game.others))
    own_number, others_number = (
        elo.of_side([number for _bot, number in side]) for side in (own, others)
    )
    return GameLine(
        number=game.number,
        own=own,
        others=others,
        own_number=own_number,
        others_number=others_number,
        expected=elo.expected(own_number, others_number),
        points=game.points,
        weight=game.weight,
    )


def _numbered(
    side: Iterable[int], bots: Mapping[int, Bot], numbers: Mapping[int, float]
) -> list[Numbered]:
    return [(bots[bot], numbers[bot]) for bot in side]
