"""What search engines are told of: the pages that everybody may see, except those of matches.

A page of a long sitemap has the rows with ids in a range, so the database goes there by an index.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import cached_property

from arena.domain.bots import manual
from arena.domain.tournaments import listings
from arena.domain.tournaments.listings import Wanted
from arena.models import ANYBODY, Bot, Ladder, Tournament
from arena.web.bots import manual_pages
from engine import registry

IDS_PER_PAGE = 1_000
OVERVIEWS = (
    *("home", "ladder-list", "tournament-list", "bot-list", "match-list", "variant-list"),
    *("docs", "sdk", "starters"),
)


class IdRanges(Paginator):  # type: ignore[type-arg] # no generic when it runs
    """The rows of a query by ranges of their ids. Where rows are missing, pages have fewer."""

    object_list: QuerySet[Any]

    @cached_property
    def count(self) -> int:
        """Return the highest id, which decides how many pages there are."""
        return self.object_list.order_by("-pk").values_list("pk", flat=True).first() or 0

    def page(self, number: int | str) -> "Page[Any]":
        """Return a page. Raise InvalidPage."""
        checked = self.validate_number(number)
        last = checked * self.per_page
        rows = self.object_list.filter(pk__gt=last - self.per_page, pk__lte=last)
        return Page(rows, checked, self)


class RowsSitemap(Sitemap):  # type: ignore[type-arg] # as above
    """The pages of rows."""

    limit = IDS_PER_PAGE

    @property
    def paginator(self) -> IdRanges:
        """The pages of the sitemap."""
        return IdRanges(self.rows(), self.limit)

    def rows(self) -> QuerySet[Any]:
        """Return the rows in the order of their ids."""
        raise NotImplementedError


class BotSitemap(RowsSitemap):
    """The pages of the bots."""

    def rows(self) -> QuerySet[Bot]:
        """Return all bots but those of rehearsals."""
        return Bot.objects.listed().order_by("pk")


class TournamentSitemap(RowsSitemap):
    """The pages of the tournaments."""

    def rows(self) -> QuerySet[Tournament]:
        """Return the tournaments that everybody may see."""
        return listings.tournaments(viewer=ANYBODY, wanted=Wanted()).order_by("pk")


class LadderSitemap(RowsSitemap):
    """The leaderboards."""

    def rows(self) -> QuerySet[Ladder]:
        """Return all ladders."""
        return Ladder.objects.order_by("pk")


class PageSitemap(Sitemap):  # type: ignore[type-arg] # as above
    """The lists, the rules of the games, and the manual."""

    def items(self) -> Sequence[str]:
        """Return the addresses of the pages."""
        return [
            *map(reverse, OVERVIEWS),
            *(reverse("variant", args=[slug]) for slug in registry.variants()),
            *(
                manual_pages.address_of(entry.path)
                for section in manual.sections()
                for entry in section.entries
            ),
        ]

    def location(self, item: str) -> str:
        """Return the address itself."""
        return item


SITEMAPS: "dict[str, type[Sitemap[Any]] | Sitemap[Any]]" = {
    "pages": PageSitemap,
    "ladders": LadderSitemap,
    "tournaments": TournamentSitemap,
    "bots": BotSitemap,
}
