"""Bring the database up to date at the start of the services, with log lines only."""

import logging
import os
from typing import Any, cast

from celery.utils.log import LoggingProxy
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from arena.management.commands.runner_role import PASSWORD

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = (
        "Check the settings, apply the migrations and, on PostgreSQL with a password in"
        f" {PASSWORD}, bring the role of runners up to date. The service `migrate` runs it. All"
        " that it says are log lines."
    )
    requires_system_checks = []

    def handle(self, *_args: Any, **_options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Run the commands one after the other. End with status 1 if one of them refuses."""
        proxies = {
            "stdout": cast("Any", LoggingProxy(logger, logging.INFO)),
            "stderr": cast("Any", LoggingProxy(logger, logging.WARNING)),
        }
        has_role = connection.vendor == "postgresql" and bool(os.environ.get(PASSWORD))
        try:
            call_command("check", databases=["default"], **proxies)
            if has_role:
                call_command("runner_role", before_migrate=True, **proxies)
            call_command("migrate", interactive=False, skip_checks=True, no_color=True, **proxies)
            if has_role:
                call_command("runner_role", **proxies)
        except CommandError as why:
            logger.error("database_not_prepared", extra={"why": str(why)})  # noqa: TRY400 - a sentence
            raise SystemExit(1) from why
