"""List, rotate, retire or revoke the keys that sign records."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.domain.errors import Refused
from arena.domain.matches import record_keys
from engine.signature import BadKeys


class Command(BaseCommand):
    help = "List, rotate, retire or revoke the keys that sign records. Run it where a runner runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        subcommands = parser.add_subparsers(dest="subcommand", required=True)
        subcommands.add_parser("list", help="list the public keys")
        subcommands.add_parser("rotate", help="make a new key and retire the present one")
        retiring = subcommands.add_parser("retire", help="retire a key; its signatures stay valid")
        retiring.add_argument("key", help="id of the key")
        revoking = subcommands.add_parser("revoke", help="revoke a key that others may know")
        revoking.add_argument("key", help="id of the key")

    def handle(self, *_args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Do it, and print a line for every key."""
        try:
            if options["subcommand"] == "rotate":
                record_keys.rotate()
            elif options["subcommand"] == "retire":
                record_keys.retire(key_id=options["key"])
            elif options["subcommand"] == "revoke":
                record_keys.revoke(key_id=options["key"])
        except (Refused, BadKeys, OSError) as problem:
            raise CommandError(str(problem)) from problem
        for key in record_keys.published():
            line = f"{key.key_id}: valid from {record_keys.instant(key.valid_from)}"
            if key.retired_at is not None:
                line += f", retired at {record_keys.instant(key.retired_at)}"
            if key.revoked_at is not None:
                line += f", revoked at {record_keys.instant(key.revoked_at)}"
            self.stdout.write(line)
