"""Two bots head to head: the results of their games, separately for rated games and challenges."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.matches import filters
from arena.domain.matches.filters import MatchFilter
from arena.domain.ratings import elo
from arena.models import Bot, Entrant, Game, Ladder, Match, MatchEntrant, MatchKind, Version, Viewer
from engine import registry
from engine.errors import UnknownVariant

LATEST_MATCHES = 500  # are counted; a pair of busy bots may have very many
FORM_LENGTH = 10
Z95 = 1.959963984540054  # the 97.5 % quantile of the standard normal distribution
DRAW = 0.5


@dataclass(slots=True)
class Tally:
    """Games of one bot against the other, from its view: 1 point for a win, 0.5 for a draw."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points of the bot."""
        return self.wins + DRAW * self.draws

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, low and high."""
        return wilson(self.score, self.games)

    def add(self, points: float) -> None:
        """Count a game with these points."""
        if points == DRAW:
            self.draws += 1
        elif points > DRAW:
            self.wins += 1
        else:
            self.losses += 1


@dataclass(slots=True)
class OnLadder:
    """Their games on one ladder: in all, by side, and by pair of versions.

    `expected` is the score that their present ratings predict, or None if one has no rating there.
    `form` has the latest matches from the view of the first bot, oldest first: W, D or L.
    """

    ladder: Ladder
    tally: Tally = field(default_factory=Tally)
    sides: dict[str, Tally] = field(default_factory=dict)
    versions: dict[tuple[int, int], Tally] = field(default_factory=dict)
    form: list[str] = field(default_factory=list)
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The results of two bots. `is_cut` means that older matches are not counted."""

    bot: Bot
    opponent: Bot
    rated: Sequence[OnLadder]
    challenges: Sequence[OnLadder]
    is_cut: bool


def between(*, bot: Bot, opponent: Bot, viewer: Viewer) -> HeadToHead:
    """Count the finished games of two bots against each other, in their latest matches.

    Only matches that the viewer may see count. Games in which the bots were on one side, annulled
    matches, trials and probes do not count. Raise Refused: `same_bot`.
    """
    check_apart(bot=bot, opponent=opponent)
    entrants = MatchEntrant.objects.select_related("version").only(
        "match", "position", "version__bot", "version__number"
    )
    rows = Match.objects.visible_to(viewer).finished().select_related("ladder")
    rows = rows.prefetch_related(Prefetch("entrants", queryset=entrants), "games")
    rows = filters.apply(rows, MatchFilter(bot=bot, opponent=opponent))
    latest = list(rows[: LATEST_MATCHES + 1])
    counted = latest[:LATEST_MATCHES]
    return HeadToHead(
        bot=bot,
        opponent=opponent,
        rated=_by_ladder(bot, opponent, [match for match in counted if match.is_rated]),
        challenges=_by_ladder(
            bot, opponent, [match for match in counted if match.kind == MatchKind.CHALLENGE]
        ),
        is_cut=len(latest) > len(counted),
    )


def check_apart(*, bot: Bot, opponent: Bot) -> None:
    """Raise Refused if both are the same bot: `same_bot`."""
    if bot == opponent:
        message = _("A bot does not play against itself. Name another bot.")
        raise Refused("same_bot", message, field="opponent")


def matches_between(*, bot: Bot, opponent: Bot, viewer: Viewer) -> QuerySet[Match]:
    """Return the matches of both bots, newest first, without cancelled ones."""
    rows = Match.objects.visible_to(viewer).for_display().not_cancelled()
    return filters.apply(rows, MatchFilter(bot=bot, opponent=opponent))


def wilson(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share of `games` games (E. B. Wilson, JASA 22, 1927).

    With draws, the variance is smaller than the formula assumes, so the interval is too wide.
    """
    square = Z95 * Z95
    middle = share + square / (2 * games)
    half = Z95 * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    scale = 1 + square / games
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def _by_ladder(bot: Bot, opponent: Bot, matches: Sequence[Match]) -> list[OnLadder]:
    by_ladder: dict[int, OnLadder] = {}
    for match in reversed(matches):
        games = list(_games(match, bot, opponent))
        if not games:
            continue
        on = by_ladder.setdefault(match.ladder_id, OnLadder(match.ladder))
        points = 0.0
        for side, versions, got in games:
            on.tally.add(got)
            on.sides.setdefault(side, Tally()).add(got)
            on.versions.setdefault(versions, Tally()).add(got)
            points += got
        share = points / len(games)
        on.form.append("D" if share == DRAW else "W" if share > DRAW else "L")
    for on in by_ladder.values():
        on.form = on.form[-FORM_LENGTH:]
        rows = Entrant.objects.filter(ladder=on.ladder, bot__in=(bot, opponent))
        ratings = dict(rows.values_list("bot", "rating"))
        own, others = ratings.get(bot.pk), ratings.get(opponent.pk)
        if own is not None and others is not None:
            on.expected = elo.expected(own, others)
    return sorted(by_ladder.values(), key=lambda on: on.ladder.slug)


def _games(match: Match, bot: Bot, opponent: Bot) -> Iterator[tuple[str, tuple[int, int], float]]:
    """Yield the first bot's side, both versions and its points, for each game between the two."""
    holders = {entrant.position: entrant.version for entrant in match.entrants.all()}
    sides = sides_of(match.ladder)
    for game in sorted(match.games.all(), key=lambda game: game.number):
        own, other = (side_of(game, sides, holders, player) for player in (bot, opponent))
        if game.outcome is None or own is None or other is None or own[0] == other[0]:
            continue
        yield own[0], (own[1], other[1]), float(game.outcome[own[0]])


def side_of(
    game: Game, sides: Mapping[str, str], holders: Mapping[int, Version], bot: Bot
) -> tuple[str, int] | None:
    """Return the side of a bot in a game and its version, or None if it is on no side."""
    for seat, position in game.seats.items():
        version = holders[position]
        if version.bot_id == bot.pk and seat in sides:
            return sides[seat], version.number
    return None


def sides_of(ladder: Ladder) -> Mapping[str, str]:
    """Return the side of every seat, or nothing if the variant is not installed any more."""
    try:
        sides = registry.find(ladder.variant).sides
    except UnknownVariant:
        return {}
    return {seat: side for side, seats in sides.items() for seat in seats}
