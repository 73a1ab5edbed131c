"""Refusals of the domain, with messages for the person who made the request."""

from collections.abc import Mapping

from django.db import InterfaceError, OperationalError

# The database is down or overloaded. This is never the fault of the request.
DATABASE_IS_DOWN = (OperationalError, InterfaceError)


class Refused(Exception):
    """A request cannot be carried out. `code` is for programs, and `message` is for people.

    `field` names the wrong input, or is empty.
    """

    def __init__(self, code: str, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


class InvalidInput(Refused):
    """One or more values are not valid. `errors` maps each field to its messages."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        text = " ".join(message for messages in errors.values() for message in messages)
        super().__init__("invalid", text, field=next(iter(errors), ""))
        self.errors = dict(errors)
