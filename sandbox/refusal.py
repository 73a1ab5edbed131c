"""The refusals of the sandbox before anything has run."""

from sandbox import limits


def quoted(text: str) -> str:
    """Return the text in quotes, cut to a length that fits a line."""
    most = limits.QUOTED_MAX_CHARS
    return repr(text if len(text) <= most else f"{text[:most]}...")


class BadUpload(ValueError):
    """An upload that is not a bot: a stable code for programs and a sentence for its author.

    The sentence is cut if a library put too much of the upload into it.
    """

    def __init__(self, code: str, message: str) -> None:
        most = limits.REFUSAL_MAX_CHARS
        message = message if len(message) <= most else f"{message[:most]}..."
        super().__init__(message)
        self.code = code
        self.message = message


class BuildFailed(BadUpload):
    """Sources that could not be compiled; only their author may read the compiler's messages."""

    def __init__(self, code: str, message: str, log: str) -> None:
        super().__init__(code, message)
        self.log = log


class IsolationRefused(Exception):
    """A program may not run at this level of isolation; the text says why and what to do."""


class IsolationUnavailable(Exception):
    """The requested level of isolation does not work here; the text says why."""
