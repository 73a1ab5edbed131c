"""Refusals of the domain, in words for the person who asked."""

from collections.abc import Mapping

from django.db import InterfaceError, OperationalError

# The database is away or has no time: never the fault of what was asked.
DATABASE_IS_DOWN = (OperationalError, InterfaceError)


class Refused(Exception):
    """Something asked for cannot be done; `code` is for programs, `message` for people.

    `field` names the input at fault, or is empty.
    """

    def __init__(self, code: str, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


class InvalidInput(Refused):
    """Several values are not acceptable; `errors` maps each field to what is wrong with it."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        text = " ".join(message for messages in errors.values() for message in messages)
        super().__init__("invalid", text, field=next(iter(errors), ""))
        self.errors = dict(errors)
