"""List the seasons of the ladders, or end the open one of a ladder."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from arena.domain.ratings import seasons
from arena.management import ladders
from arena.models import Season


class Command(BaseCommand):
    help = "List the seasons that are over, or end the open season of a ladder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        subcommands = parser.add_subparsers(dest="subcommand", required=True)
        listing = subcommands.add_parser("list", help="list the seasons that are over")
        listing.add_argument("ladder", nargs="?", help="short name of a ladder; all without it")
        ending = subcommands.add_parser(
            "end", help="archive the leaderboard and begin a new season"
        )
        ending.add_argument("ladder", help="short name of the ladder")

    def handle(self, *_args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Print a line for every season."""
        chosen = ladders.chosen(options["ladder"])
        if options["subcommand"] == "end":
            season = seasons.end(ladder=chosen[0])
            seasons.archive(season=season)
            self._print(season)
        else:
            for season in Season.objects.filter(ladder__in=chosen).select_related("ladder"):
                self._print(season)

    def _print(self, season: Season) -> None:
        first = season.standings.select_related("bot__owner").first()
        ended = season.ended_at.date().isoformat()
        best = str(first.bot) if first else "nobody played"
        if first and first.rating is not None:
            best += f" {first.rating:.1f}"
        bots = season.standings.count()
        self.stdout.write(
            f"{season.ladder.slug}: season {season.number}, ended {ended}, {bots} bots, {best}"
        )
