"""Feeds of results, for programs that read news. They show what everybody may see."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.http import http_date
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.matches import listings
from arena.domain.tournaments import log
from arena.models import ANYBODY, Bot, Ladder, Match, Tournament, TournamentLogEntry
from arena.texts.names import isolated
from arena.web import lookups
from arena.web.tournaments import figures, page_visibility
from arena.web.visitor_pages import kept_for_visitors

SHOWN = 30


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry of a feed: a title, a sentence more, and the path of its page."""

    at: datetime
    path: str
    title: str
    summary: str
    mark: str = ""  # what tells entries with the same page apart


class ResultFeed(Atom1Feed):
    """A feed whose time depends on its entries and not on the clock, so that it can be kept."""

    began_at: datetime

    def latest_post_date(self) -> datetime:
        """Return when the newest entry was made, or when the first one could have been."""
        return super().latest_post_date() if self.items else self.began_at


@require_safe
@kept_for_visitors
def bot_feed(request: HttpRequest, owner: str, bot: str) -> HttpResponse:
    """Send the latest finished matches of a bot."""
    row = lookups.find_bot(owner, bot)
    versions = list(row.versions.values_list("pk", flat=True))
    finished = Match.objects.visible_to(ANYBODY).for_display().finished()
    matches = finished.latest_of(versions=versions, limit=SHOWN)
    return _feed(request, row, map(_of_match, matches))


@require_safe
@kept_for_visitors
def ladder_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the latest finished matches of a ladder."""
    row = get_object_or_404(Ladder, slug=slug)
    matches = listings.finished_matches(limit=SHOWN, viewer=ANYBODY, ladder=row)
    return _feed(request, row, map(_of_match, matches))


@require_safe
@kept_for_visitors
def tournament_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the latest results and log entries of a tournament, of rounds that are public."""
    row = page_visibility.find(slug=slug, viewer=ANYBODY)
    finished = Match.objects.visible_to(ANYBODY).for_display().of_tournament(row).finished()
    # No index has this order, so the few matches of the tournament are sorted, and no others read.
    latest = Coalesce("finished_at", "created_at").desc()
    matches = finished.order_by(latest)[:SHOWN]
    entries = log.of(tournament=row, viewer=ANYBODY)[-SHOWN:]
    return _feed(request, row, [*map(_of_match, matches), *map(_of_log, entries)])


def _of_match(row: Match) -> FeedEntry:
    scores = (
        f"{isolated(entrant.version.bot.name)} {figures.halves(entrant.points or 0)}"
        for entrant in row.entrants.all()
    )
    about = _("%(ladder)s, %(kind)s") % {
        "ladder": row.ladder.name,
        "kind": row.get_kind_display(),
    }
    at = row.finished_at or row.created_at
    return FeedEntry(at, row.get_absolute_url(), " \N{EN DASH} ".join(scores), about)


def _of_log(row: TournamentLogEntry) -> FeedEntry:
    page = reverse("tournament-log", args=[row.tournament.slug])
    return FeedEntry(row.at, page, log.say(row), row.tournament.name, mark=f"#{row.pk}")


def _feed(
    request: HttpRequest, of: Bot | Ladder | Tournament, entries: Iterable[FeedEntry]
) -> HttpResponse:
    site = request.build_absolute_uri("/").rstrip("/")
    feed = ResultFeed(
        title=_("Results of %(name)s") % {"name": of.name},
        link=site + of.get_absolute_url(),
        description="",
        language=get_language(),
        feed_url=site + request.path,
    )
    feed.began_at = of.created_at
    for entry in sorted(entries, key=attrgetter("at"), reverse=True)[:SHOWN]:
        feed.add_item(
            title=entry.title,
            link=site + entry.path,
            description=escape(entry.summary),
            unique_id=site + entry.path + entry.mark,
            pubdate=entry.at,
            updateddate=entry.at,
        )
    response = HttpResponse(content_type=feed.content_type)
    response["Last-Modified"] = http_date(feed.latest_post_date().timestamp())
    feed.write(response, "utf-8")
    return response
