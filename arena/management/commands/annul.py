"""Annul the matches of a bot on a ladder, however many matches its season has."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.domain import addresses
from arena.domain.errors import Refused
from arena.domain.fairplay import corrections
from arena.domain.fairplay.corrections import CorrectionDryRun, NotAsPreviewed
from arena.models import User


class Command(BaseCommand):
    help = (
        "Show what the annulment of a bot's matches in the open season of a ladder would change."
        " With --digest, --until and --reason of what was shown, annul them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladder", help="short name of the ladder")
        parser.add_argument("bot", help="owner/bot")
        parser.add_argument(
            "--since", type=date.fromisoformat, help="only matches since this day (UTC)"
        )
        parser.add_argument("--until", type=int, help="only matches up to this finish number")
        parser.add_argument("--digest", help="annul them, if the effect is that of this dry run")
        parser.add_argument("--reason", default="", help="why; everybody may read it")
        parser.add_argument("--by", help="the user of staff who does it")

    def handle(self, *_args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Print the entrants whose place changes. Raise CommandError."""
        try:
            ladder = addresses.find_ladder(options["ladder"])
            bot = addresses.find_bot(options["bot"])
            chosen = corrections.choose(
                ladder=ladder, bot=bot, since=options["since"], until=options["until"]
            )
            if not options["digest"]:
                self._print(corrections.try_annulment(chosen=chosen))
                return
            user = User.objects.filter(username=options["by"] or "", is_staff=True).first()
            if user is None:
                raise CommandError("Name with --by the user of staff who annuls them.")
            done = corrections.annul(
                chosen=chosen,
                by=user,
                reason=options["reason"],
                seen=options["digest"],
            )
        except NotAsPreviewed as refusal:
            self._print(refusal.fresh)
            raise CommandError(refusal.message) from refusal
        except Refused as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{len(chosen)} matches are annulled: {done}.")

    def _print(self, dry_run: CorrectionDryRun) -> None:
        for row in dry_run.moved:
            places = f"{row.rank_before} -> {row.rank_after}"
            ratings = " -> ".join(
                "none" if rating is None else f"{rating:.1f}" for rating in (row.before, row.after)
            )
            self.stdout.write(f"{row.entrant.bot}: place {places}, Elo {ratings}")
        self.stdout.write(
            f"{len(dry_run.matches)} matches, {len(dry_run.moved)} places of"
            f" {len(dry_run.changes)} change. To annul them:"
            f" --until {dry_run.until} --digest {dry_run.digest} --by USER --reason TEXT"
        )
