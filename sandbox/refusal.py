"""The ways in which the sandbox says no before anything has run."""

from sandbox import limits


def quoted(text: str) -> str:
    """Quote what was sent, cut to what fits a line."""
    most = limits.QUOTED_MAX_CHARS
    return repr(text if len(text) <= most else f"{text[:most]}...")


class BadUpload(ValueError):
    """An upload that is not a bot: a stable code for programs and a sentence for its author.

    The sentence is cut where a library put more of the upload into it than anybody would read.
    """

    def __init__(self, code: str, message: str) -> None:
        most = limits.REFUSAL_MAX_CHARS
        message = message if len(message) <= most else f"{message[:most]}..."
        super().__init__(message)
        self.code = code
        self.message = message


class BuildFailed(BadUpload):
    """Sources that did not become a program; what the compiler said is for their author alone."""

    def __init__(self, code: str, message: str, log: str) -> None:
        super().__init__(code, message)
        self.log = log


class IsolationRefused(Exception):
    """A program that may not run at this level of isolation; says why and what to do."""


class IsolationUnavailable(Exception):
    """The level of isolation that was asked for by name does not work here; the text says why."""
