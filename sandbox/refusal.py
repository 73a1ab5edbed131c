"""The refusals of the sandbox before anything has run."""

from botkit.manifest import BadUpload


class BuildFailed(BadUpload):
    """Sources that could not be compiled; only their author may read the compiler's messages."""

    def __init__(self, code: str, message: str, log: str) -> None:
        super().__init__(code, message)
        self.log = log


class IsolationRefused(Exception):
    """A program may not run at this level of isolation; the text says why and what to do."""


class IsolationUnavailable(Exception):
    """The requested level of isolation does not work here; the text says why."""
