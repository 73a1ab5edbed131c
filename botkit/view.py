"""What a bot sees of any game: the JSON view of the wire, with the names that all games share."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fallen:
    """A piece or card that has left the game; everybody knows its rank."""

    id: str
    seat: str
    rank: str

    @classmethod
    def all_of(cls, shown: Sequence[Mapping[str, str]]) -> "list[Fallen]":
        """Read a list of a view, in the order in which they fell."""
        return [cls(gone["id"], gone["seat"], gone["rank"]) for gone in shown]


class View:
    """The game as your seat may see it. What one game has beyond these names is in `raw`.

    `legal`, `events` and `time_left_ms` belong to the message that the view came with; `run` sets
    them. A view that you make yourself has none of them.
    """

    legal: Sequence[str] = ()  # your legal actions; empty while you set up, or without wants_legal
    events: Sequence[Mapping[str, Any]] = ()  # since your last action, in order
    time_left_ms: float = math.inf  # what this action may cost: `action_ms`, or a smaller bank

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Wrap the `view` of an `act` message."""
        self.raw = data
        self.variant: str = data["variant"]  # with its version, such as `classic@1`
        self.seat: str = data["observer"]
        self.phase: str = data["phase"]  # deploy, turn, or a word of the game
        self.ply: int = data["ply"]
        self.to_act: tuple[str, ...] = tuple(data["to_act"])
        self.limits: Mapping[str, int | None] = data["limits"]  # of the game, such as `max_plies`
