"""Filters of matches, parsed from text and applied to a query.

Every filter can use an index: the entrants of a bot's versions, the games with a termination, the
newest matches of a ladder, of a kind, or with a status.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, time
from typing import Any

from django.db.models import OuterRef, Q, Subquery
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain import addresses
from arena.domain.errors import InvalidInput, Refused
from arena.models import Bot, Game, Ladder, MatchEntrant, MatchKind, MatchQuerySet, MatchStatus
from engine import registry

NEWEST = ("-created_at", "-pk")
YES, NO = ("yes", "true", "1"), ("no", "false", "0")
_UNRATED = ~Q(kind=MatchKind.LADDER) | Q(annulment__isnull=False)  # the condition of the index


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The conditions for a match. None means no condition.

    `opponent` is a second bot in the match, `termination` that of one of its games, `rated` whether
    it counts for its ladder, and `since` the earliest creation time.
    """

    bot: Bot | None = None
    opponent: Bot | None = None
    ladder: Ladder | None = None
    termination: str | None = None
    rated: bool | None = None
    since: datetime | None = None
    kind: MatchKind | None = None
    status: MatchStatus | None = None

    @property
    def order(self) -> tuple[str, ...]:
        """The order of the matches, newest first: for a termination that of the index of games."""
        return NEWEST if self.termination is None else ("-pk",)


def apply(rows: MatchQuerySet, wanted: MatchFilter) -> MatchQuerySet:
    """Return the matches that fulfil the conditions, each once, in the order of the filter."""
    for bot in filter(None, (wanted.bot, wanted.opponent)):
        # The database has statistics of the ids of versions. So it knows whether a bot has no match
        # or a million, and finds the newest ones fast in both cases.
        versions = list(bot.versions.order_by().values_list("pk", flat=True))
        played = MatchEntrant.objects.filter(version__in=versions)
        rows = rows.filter(pk__in=played.order_by().values_list("match", flat=True))
    if wanted.ladder is not None:
        rows = rows.filter(ladder=wanted.ladder)
    if wanted.termination is not None:
        # A match is joined to its first game with the termination. The database then reads these
        # games, newest first, until it has enough matches. With `EXISTS`, it would go through the
        # matches, and a rare termination is in few of them; with an equal number it would join all
        # of both.
        ended = Game.objects.filter(match=OuterRef("pk"), termination=wanted.termination)
        first = ended.order_by("number").values("number")[:1]
        rows = rows.filter(
            games__termination=wanted.termination, games__number__lte=Subquery(first)
        )
    if wanted.rated is not None:
        rows = rows.rated() if wanted.rated else rows.filter(_UNRATED)
    if wanted.since is not None:
        rows = rows.filter(created_at__gte=wanted.since)
    if wanted.kind is not None:
        rows = rows.filter(kind=wanted.kind)
    if wanted.status is not None:
        rows = rows.filter(status=wanted.status)
    return rows.order_by(*wanted.order)


def read(asked: Mapping[str, str]) -> MatchFilter:
    """Parse a filter from texts by the field names of `MatchFilter`. An empty text is no condition.

    A bot is `owner/bot`, a ladder its slug, `rated` yes or no, and `since` a date or a time in
    ISO 8601, in UTC unless it has an offset. Other names are ignored. Raise InvalidInput with the
    errors of each field.
    """
    values: dict[str, Any] = {}
    errors: dict[str, list[str]] = {}
    for name in NAMES:
        word = asked.get(name, "").strip()
        try:
            values[name] = _READERS[name](word) if word else None
        except Refused as refused:
            errors[name] = [refused.message]
    if not errors:
        wanted = MatchFilter(**values)
        if wanted.opponent is not None and wanted.bot is None:
            errors = {"opponent": [_("Name a bot too. This is its opponent.")]}
        elif wanted.opponent is not None and wanted.bot == wanted.opponent:
            errors = {"opponent": [_("A bot does not play against itself. Name another bot.")]}
    if errors:
        raise InvalidInput(errors)
    return MatchFilter(**values)


def _rated(word: str) -> bool:
    if word not in (*YES, *NO):
        raise Refused("unknown_word", _("Write yes or no."))
    return word in YES


def _since(word: str) -> datetime:
    try:
        day = parse_date(word)
        moment = datetime.combine(day, time.min) if day else parse_datetime(word)
        if moment is not None:
            return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # such as the 30th of February, or before the year 1 in UTC
        pass
    raise Refused("unknown_time", _("Write a date, such as 2026-11-21."))


def _known_termination(word: str) -> str:
    if word not in registry.terminations():
        raise ValueError(word)
    return word


def _one_of(words: Callable[[str], Any], message: str) -> Callable[[str], Any]:
    def read_word(word: str) -> Any:  # noqa: ANN401 - what `words` makes of it
        try:
            return words(word)
        except ValueError:
            raise Refused("unknown_word", _(message) % {"word": word}) from None

    return read_word


NAMES = tuple(field.name for field in fields(MatchFilter))
_READERS: Mapping[str, Callable[[str], Any]] = {
    "bot": addresses.find_bot,
    "opponent": addresses.find_bot,
    "ladder": addresses.find_ladder,
    "termination": _one_of(_known_termination, gettext_noop("There is no termination “%(word)s”.")),
    "rated": _rated,
    "since": _since,
    "kind": _one_of(MatchKind, gettext_noop("There is no kind “%(word)s”.")),
    "status": _one_of(MatchStatus, gettext_noop("There is no status “%(word)s”.")),
}
