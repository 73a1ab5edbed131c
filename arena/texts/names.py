"""Names in sentences that are put together outside templates."""

import unicodedata

FROM_RIGHT_TO_LEFT = {"R", "AL"}
ISOLATE, END_OF_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolated(name: str) -> str:
    """Return a name that does not turn the direction of the text around it, as `<bdi>` does."""
    if FROM_RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return f"{ISOLATE}{name}{END_OF_ISOLATE}"
