"""Search by name. It reads a few rows of each kind, however many the site has.

Bots and users are found by how their names begin, which an index can answer. Of tournaments, the
newest ones are searched, for words anywhere in the name, and of ladders, games and the manual all,
for the beginnings of words.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

from arena.domain.bots import manual
from arena.domain.bots.manual import ManualEntry
from arena.domain.tournaments import listings
from arena.domain.tournaments.listings import Wanted
from arena.models import Bot, Ladder, Match, Tournament, User, Viewer
from arena.models.name_key import beginning_with
from engine import registry
from engine.variant import Variant

LONGEST = 80  # characters of a name
SHOWN = 10  # of each kind
SEARCHED_TOURNAMENTS = 1_000  # the newest ones

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hits(Generic[T]):
    """What was found of one kind, and whether there is more."""

    rows: Sequence[T] = ()
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What was found, by kind."""

    matches: Sequence[Match] = ()
    bots: Hits[Bot] = Hits()
    users: Hits[User] = Hits()
    tournaments: Hits[Tournament] = Hits()
    ladders: Hits[Ladder] = Hits()
    variants: Hits[Variant[Any]] = Hits()
    manual: Hits[ManualEntry] = Hits()


def find(*, text: str, viewer: Viewer) -> SearchResult:
    """Return what the viewer may see of this name; nothing for a text that can be no name.

    `@ada` finds users only, and `ada/gre` the bots of ada whose short names begin with "gre".
    """
    wanted = text.strip()
    if not wanted or len(wanted) > LONGEST or not wanted.isprintable():
        return SearchResult()
    if wanted.startswith("@"):
        return SearchResult(users=_users(wanted.removeprefix("@")))
    owner, slash, slug = wanted.partition("/")
    if slash:
        return SearchResult(bots=_hits(_bots("slug", slug).filter(owner__username=owner)))
    words = wanted.lower().split()
    newest = Tournament.objects.order_by("-created_at", "-pk").values("pk")
    tournaments = listings.tournaments(viewer=viewer, wanted=Wanted())
    tournaments = tournaments.filter(pk__in=newest[:SEARCHED_TOURNAMENTS])
    for word in words:
        tournaments = tournaments.filter(Q(name__icontains=word) | Q(slug__icontains=word))
    return SearchResult(
        matches=list(Match.objects.visible_to(viewer).for_display().filter(public_id=wanted)),
        bots=_hits(  # each once
            {row: None for column in ("name", "slug") for row in _bots(column, wanted)[: SHOWN + 1]}
        ),
        users=_users(wanted),
        tournaments=_hits(tournaments),
        ladders=_hits(row for row in Ladder.objects.all() if _has(words, f"{row.name} {row.slug}")),
        variants=_hits(
            variant
            for variant in registry.variants().values()
            if _has(words, f"{variant.title} rules")
        ),
        manual=_hits(
            entry
            for section in manual.sections()
            for entry in section.entries
            if _has(words, f"{entry.name} {entry.about}")
        ),
    )


def _bots(column: str, text: str) -> QuerySet[Bot]:
    return beginning_with(Bot.objects.listed(), column, text)


def _users(text: str) -> Hits[User]:
    return _hits(beginning_with(User.objects.filter(is_active=True), "username", text))


def _has(words: Iterable[str], text: str) -> bool:
    """Return whether each word is the beginning of one in the text."""
    return all(re.search(rf"\b{re.escape(word)}", text.lower()) for word in words)


def _hits(matches: Iterable[T]) -> Hits[T]:
    """Return the first of what was found. Of a query, no more rows are read."""
    first = matches[: SHOWN + 1] if isinstance(matches, QuerySet) else islice(matches, SHOWN + 1)
    rows = list(first)
    return Hits(rows[:SHOWN], has_more=len(rows) > SHOWN)
