"""Make the standard ladders where they are missing, as `migrate` does by itself."""

from typing import Any

from django.core.management.base import BaseCommand

from arena.domain.ladders import ladders


class Command(BaseCommand):
    help = "Create the ladders that a variant lacks; safe to run again."

    def handle(self, *_args: Any, **_options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Print what was made."""
        new = ladders.seed()
        self.stdout.write(", ".join(ladder.slug for ladder in new) or "Nothing to do.")
