"""Play the games of persons on this host."""

from typing import Any

from django.core.management.base import BaseCommand

from arena.runner import person_pool


class Command(BaseCommand):
    help = (
        "Play games of persons against bots until none is wanted for a while. A runner starts it"
        " when somebody waits, and it ends with the runner."
    )
    requires_system_checks = []

    def handle(self, *_args: Any, **_options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Play them."""
        person_pool.serve()
