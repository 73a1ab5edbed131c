"""The ways in which the sandbox says no before anything has run."""


class BadUpload(ValueError):
    """An upload that is not a bot: a stable code for programs and a sentence for its author."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class BuildFailed(BadUpload):
    """Sources that did not become a program; what the compiler said is for their author alone."""

    def __init__(self, code: str, message: str, log: str) -> None:
        super().__init__(code, message)
        self.log = log


class Refused(Exception):
    """A program that may not run at this level of isolation; says why and what to do."""


class IsolationUnavailable(Exception):
    """The level of isolation that was asked for by name does not work here; the text says why."""
