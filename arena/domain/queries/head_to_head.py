"""Two bots head to head: what their games against each other came to, rated and asked for apart."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.matches import filters
from arena.domain.matches.filters import MatchFilter
from arena.domain.ratings import elo
from arena.models import (
    Bot,
    Entrant,
    Game,
    Ladder,
    Match,
    MatchEntrant,
    MatchKind,
    Version,
    Viewer,
)
from engine import registry
from engine.errors import UnknownVariant

LATEST_MATCHES = 500  # that are counted: a pair of busy bots has more than anybody can read
FORM_LENGTH = 10
Z95 = 1.959963984540054  # the 97.5 % quantile of the standard normal distribution
DRAW = 0.5


@dataclass(slots=True)
class Tally:
    """Games of one bot against the other, from its side: 1 a game won, a half one drawn."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """What it got of them."""
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
        """Count one more game."""
        if points == DRAW:
            self.draws += 1
        elif points > DRAW:
            self.wins += 1
        else:
            self.losses += 1


@dataclass(slots=True)
class OnLadder:
    """Their games by the rules of one ladder, and by side and by pair of versions.

    `expected` is the score that their numbers foretell now, None where one of them has none there;
    `form` the latest matches from the first bot's side, oldest first: W, D or L.
    """

    ladder: Ladder
    tally: Tally = field(default_factory=Tally)
    sides: dict[str, Tally] = field(default_factory=dict)
    versions: dict[tuple[int, int], Tally] = field(default_factory=dict)
    form: list[str] = field(default_factory=list)
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What there is between two bots; `is_cut` where older matches are not counted."""

    bot: Bot
    opponent: Bot
    rated: Sequence[OnLadder]
    challenges: Sequence[OnLadder]
    is_cut: bool


def between(*, bot: Bot, opponent: Bot, viewer: Viewer) -> HeadToHead:
    """Count the finished games of two bots against each other, the latest matches of them.

    Only what the viewer may see is counted. Games in which they were on one side are not against
    each other. Annulled matches, and those that were played to try a version, count nowhere. Raises
    Refused: `same_bot`.
    """
    if bot == opponent:
        raise Refused(
            "same_bot", _("A bot does not play against itself: name another one."), field="opponent"
        )
    latest = list(_finished(bot, opponent, viewer)[: LATEST_MATCHES + 1])
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


def matches_between(*, bot: Bot, opponent: Bot, viewer: Viewer) -> QuerySet[Match]:
    """Return the matches in which both were, newest first; cancelled ones stay out."""
    rows = Match.objects.visible_to(viewer).for_display().not_cancelled()
    return filters.apply(rows, MatchFilter(bot=bot, opponent=opponent))


def wilson(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share of so many games (E. B. Wilson, JASA 22, 1927).

    With draws the points spread less than the formula assumes, so it is rather too wide.
    """
    square = Z95 * Z95
    middle = share + square / (2 * games)
    half = Z95 * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    scale = 1 + square / games
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def _finished(bot: Bot, opponent: Bot, viewer: Viewer) -> QuerySet[Match]:
    """Return what is counted, newest first, with no more than counting needs."""
    entrants = MatchEntrant.objects.select_related("version").only(
        "match", "position", "version__bot", "version__number"
    )
    rows = Match.objects.visible_to(viewer).finished().select_related("ladder")
    rows = rows.prefetch_related(Prefetch("entrants", queryset=entrants), "games")
    return filters.apply(rows, MatchFilter(bot=bot, opponent=opponent))


def _by_ladder(bot: Bot, opponent: Bot, matches: Sequence[Match]) -> list[OnLadder]:
    found: dict[int, OnLadder] = {}
    for match in reversed(matches):
        rows = list(_games(match, bot, opponent))
        if not rows:
            continue
        on = found.setdefault(match.ladder_id, OnLadder(match.ladder))
        points = 0.0
        for side, versions, got in rows:
            on.tally.add(got)
            on.sides.setdefault(side, Tally()).add(got)
            on.versions.setdefault(versions, Tally()).add(got)
            points += got
        on.form.append(_letter(points / len(rows)))
    for on in found.values():
        on.form = on.form[-FORM_LENGTH:]
        on.expected = _expected(bot, opponent, on.ladder)
    return sorted(found.values(), key=lambda on: on.ladder.slug)


def _games(match: Match, bot: Bot, opponent: Bot) -> Iterator[tuple[str, tuple[int, int], float]]:
    """Yield the first bot's side, both versions and its points of each game against the other."""
    holders = {each.position: each.version for each in match.entrants.all()}
    sides = _sides(match.ladder)
    for game in sorted(match.games.all(), key=lambda game: game.number):
        own, other = (_side_of(game, sides, holders, each) for each in (bot, opponent))
        if game.outcome is None or own is None or other is None or own[0] == other[0]:
            continue
        yield own[0], (own[1], other[1]), float(game.outcome[own[0]])


def _side_of(
    game: Game, sides: Mapping[str, str], holders: Mapping[int, Version], bot: Bot
) -> tuple[str, int] | None:
    """Return the side on which a bot is in a game, and with which version; None where on none."""
    for seat, position in game.seats.items():
        version = holders[position]
        if version.bot_id == bot.pk and seat in sides:
            return sides[seat], version.number
    return None


def _expected(bot: Bot, opponent: Bot, ladder: Ladder) -> float | None:
    numbers = dict(
        Entrant.objects.filter(ladder=ladder, bot__in=(bot, opponent)).values_list("bot", "rating")
    )
    if len(numbers) < 2:  # noqa: PLR2004 - both of them
        return None
    return elo.expected(numbers[bot.pk], numbers[opponent.pk])


def _sides(ladder: Ladder) -> Mapping[str, str]:
    """Return the side of every seat; nothing where the variant is gone."""
    try:
        sides = registry.find(ladder.variant).sides
    except UnknownVariant:
        return {}
    return {seat: side for side, seats in sides.items() for seat in seats}


def _letter(share: float) -> str:
    if share == DRAW:
        return "D"
    return "W" if share > DRAW else "L"
