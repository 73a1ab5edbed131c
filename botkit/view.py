"""What a bot sees of any game: the JSON view of the wire, with the names that all games share."""

from collections.abc import Mapping
from typing import Any


class View:
    """The game as your seat may see it. What one game has beyond these names is in `raw`."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Wrap the `view` of an `act` message."""
        self.raw = data
        self.variant: str = data["variant"]  # with its version, such as `classic@1`
        self.seat: str = data["observer"]
        self.phase: str = data["phase"]  # deploy, turn, or a word of the game
        self.ply: int = data["ply"]
