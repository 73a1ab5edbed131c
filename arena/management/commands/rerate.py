"""Compute ladders again from their matches and compare with what is stored."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.domain.ratings import recomputation
from arena.management import ladders
from arena.models import RatingEvent


class Command(BaseCommand):
    help = "Recompute the ratings of one ladder, or of all, from the matches; nothing is changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladder", nargs="?", help="short name of a ladder; all without it")
        parser.add_argument("--check", action="store_true", help="exit with 1 on any difference")

    def handle(self, *_args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Print every difference, and the count of events compared."""
        total = 0
        for ladder in ladders.chosen(options["ladder"]):
            differences = recomputation.rerate(ladder=ladder)
            for difference in differences:
                self.stdout.write(f"{ladder.slug}: {difference}")
            events = RatingEvent.objects.filter(ladder=ladder).count()
            self.stdout.write(f"{ladder.slug}: {events} events, {len(differences)} differences")
            total += len(differences)
        if total and options["check"]:
            raise CommandError("The stored ratings are not what the matches give.", returncode=1)
