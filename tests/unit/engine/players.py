"""Test players, and a table in memory that seats them."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from engine.protocol import Answer, Ask, Failure
from engine.registry import find
from engine.rng import Rng

Reply = bytes | Answer | Failure
Player = Callable[[dict[str, Any]], Reply]
READY = b'{"type":"ready"}'


class MemoryTable:
    """A table whose players are functions from a message to a line; it keeps every line sent."""

    clock_basis = "wall"

    def __init__(self, players: Mapping[str, Player], *, cost_ms: float = 1.0) -> None:
        self.players = players
        self.cost_ms = cost_ms
        self.sent: dict[str, list[bytes]] = {seat: [] for seat in players}
        self.asked_together: list[tuple[str, ...]] = []
        self.notes: dict[str, list[str]] = {seat: [] for seat in players}

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        self.asked_together.append(tuple(asks))
        return {seat: self._answer(seat, ask) for seat, ask in asks.items()}

    def limits(self, seat: str) -> Mapping[str, int]:
        return {"line_bytes": 4096}

    def note(self, seat: str, text: str) -> None:
        self.notes[seat].append(text)

    def tell(self, seat: str, line: bytes) -> None:
        self.sent[seat].append(line)

    def close(self) -> None:
        self.players = {}

    def messages(self, seat: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.sent[seat]]

    def _answer(self, seat: str, ask: Ask) -> Answer | Failure:
        self.sent[seat].append(ask.line)
        reply = self.players[seat](json.loads(ask.line))
        return Answer(reply, self.cost_ms) if isinstance(reply, bytes) else reply


def random_player(rng_seed: int, *, ready: bytes = READY) -> Player:
    """Play any legal action of any variant."""
    rng = Rng(rng_seed, "random player")

    def answer(message: dict[str, Any]) -> Reply:
        if message["type"] == "start":
            return ready
        if "legal" in message:
            return say(rng.choice(message["legal"]))
        return say(find(message["view"]["variant"]).draft(message["view"], rng))

    return answer


def scripted(*lines: Reply) -> Player:
    """Say these lines one after the other, whatever is asked."""
    rest = list(lines)

    def answer(message: dict[str, Any]) -> Reply:
        return rest.pop(0)

    return answer


def say(action: str) -> bytes:
    """Return the line that takes an action."""
    return json.dumps({"action": action}).encode()
