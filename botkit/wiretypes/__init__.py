"""Types of the lines of one game, in the languages of the starters, made from its schema.

`drapeau init` and the site put the file beside a starter. The schema of the variant is the only
source, so a game that is added has types too.
"""

from collections.abc import Callable

from botkit.wiretypes import cpp, java, typescript
from botkit.wiretypes.shapes import Wire, wire
from engine.registry import find

FILES: dict[str, tuple[str, Callable[[Wire], str]]] = {
    "node": ("protocol.d.ts", typescript.written),
    "cpp": ("protocol.hpp", cpp.written),
    "java": ("Protocol.java", java.written),
}


def files(slug: str, language: str) -> dict[str, bytes]:
    """Return the file with the types of a game for a language by its name, or nothing.

    Raise UnknownVariant.
    """
    if language not in FILES:
        return {}
    name, written = FILES[language]
    return {name: written(wire(find(slug).schema())).encode()}
