"""What the engine says when something asked of it cannot be."""

SHOWN = 40  # how much of a strange text a refusal repeats, in characters


def quoted(text: str) -> str:
    """Quote what was sent, cut to what fits a line."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")


class EngineError(ValueError):
    """Base of every refusal of the engine; its text is fit to be shown to a bot's author."""


class UnknownVariant(EngineError):
    """No variant of that name; the text lists the known ones."""


class UnknownOption(EngineError):
    """An option or a value that the variant does not have; the text lists those it has."""


class WrongEntrants(EngineError):
    """A number of entrants that cannot share the seats of a game; the text lists those that can."""


class MalformedAction(EngineError):
    """The text is not notation of this variant at all."""


class IllegalAction(EngineError):
    """Good notation, but the rules do not allow it now.

    `rule` names the sentence of the rules that forbids it, such as `B14`, or is empty where none
    does.
    """

    def __init__(self, message: str, *, rule: str = "") -> None:
        super().__init__(message)
        self.rule = rule


class IllegalDeployment(IllegalAction):
    """A set-up that the rules do not allow."""


class BadRecord(EngineError):
    """A record that cannot be read, or that does not re-simulate to what it claims."""


class NewerRecord(BadRecord):
    """A record of a newer engine or format, of which this engine can say nothing."""
