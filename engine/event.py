"""What happened in a game, in the words that each observer may hear."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

FULL: Final = "full"
NOTHING: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({})


class Event:
    """Something that happened.

    `public` is what everybody sees. `private` adds to it for one seat; the observer `full` sees
    all. Nobody changes an event once it is made: a plain class and no frozen one, as every ply
    makes one and freezing trebles the price.
    """

    __slots__ = ("kind", "private", "public")

    def __init__(
        self,
        kind: str,
        public: Mapping[str, Any],
        private: Mapping[str, Mapping[str, Any]] = NOTHING,
    ) -> None:
        self.kind = kind
        self.public = public
        self.private = private

    def seen_by(self, observer: str) -> dict[str, Any]:
        """Return the event as JSON-ready words for a seat, `public` or `full`."""
        seen: dict[str, Any] = {"type": self.kind, **self.public}
        for seat, extra in self.private.items():
            if observer in (seat, FULL):
                seen.update(extra)
        return seen
