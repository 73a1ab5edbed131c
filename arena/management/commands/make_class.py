"""Make the accounts of a class, so that nobody has to sign up."""

import csv
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from arena.domain.accounts import accounts
from arena.domain.errors import InvalidInput

MOST = 500
PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # noqa: S105 - none that look like another
PASSWORD_LENGTH = 12


class Command(BaseCommand):
    help = (
        "Make accounts, all or none, and print a list of their names and passwords as CSV. The"
        " passwords are printed only this once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=int, help="how many, named pupil-1, pupil-2, …")
        parser.add_argument("--prefix", default="pupil", help="what their names begin with")
        parser.add_argument("--names", help="a file with one name on each line instead")

    def handle(self, *_args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Make the accounts. Raise CommandError."""
        names = _names(options["count"], options["prefix"], options["names"])
        rows = [(name, _password()) for name in names]
        refused = []
        with transaction.atomic():
            for name, password in rows:
                try:
                    accounts.create_user(username=name, password=password)
                except InvalidInput as refusal:
                    texts = [str(text) for each in refusal.errors.values() for text in each]
                    refused.append(f"{name}: {' '.join(texts)}")
            if refused:
                raise CommandError("\n".join(["No account was made.", *refused]))
        table = csv.writer(self.stdout, lineterminator="\n")
        table.writerows([("name", "password"), *rows])


def _names(count: int | None, prefix: str, file: str | None) -> list[str]:
    if (count is None) == (file is None):
        raise CommandError("Give --count or --names.")
    if count is not None:
        names = [f"{prefix}-{number}" for number in range(1, count + 1)]
    else:
        lines = Path(str(file)).read_text(encoding="utf-8-sig").splitlines()
        names = [line.strip() for line in lines if line.strip()]
    if not 1 <= len(names) <= MOST:
        raise CommandError(f"Make at least 1 account and at most {MOST} at once.")
    return names


def _password() -> str:
    return "".join(secrets.choice(PASSWORD_LETTERS) for _ in range(PASSWORD_LENGTH))
