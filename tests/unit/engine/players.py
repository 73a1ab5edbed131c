"""Test players, and a table in memory that seats them."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from botkit import Bot, Conversation, View
from engine.protocol import Answer, Ask, Failure, encode
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


class RandomBot(Bot[Any]):
    """A bot of the kit that plays any legal action, and keeps what it sees and hears."""

    def begin(self) -> None:
        self.seen: list[Mapping[str, Any]] = []
        self.heard: list[Mapping[str, Any]] = []

    def deploy(self, view: View) -> str:
        self.seen.append(view.raw)
        return find(view.variant).draft(dict(view.raw), Rng(self.rng.randrange(2**32)))

    def act(self, view: View, legal: Sequence[str]) -> str:
        self.seen.append(view.raw)
        return self.rng.choice(legal)

    def hear(self, event: Mapping[str, Any]) -> None:
        self.heard.append(event)


class KitTable(MemoryTable):
    """A table of bots of the kit, each of a kind; it passes every line through `wire`."""

    def __init__(self, seats: Sequence[str], kind: Any = RandomBot) -> None:
        self.bots = {seat: kind() for seat in seats}
        self._games = {seat: Conversation(partial(self.bots.__getitem__, seat)) for seat in seats}
        super().__init__({seat: partial(self._say, seat) for seat in seats})

    def wire(self, message: dict[str, Any]) -> bytes:
        return encode(message)

    def tell(self, seat: str, line: bytes) -> None:
        super().tell(seat, line)
        self._games[seat].receive(self.wire(json.loads(line)))

    def _say(self, seat: str, message: dict[str, Any]) -> bytes:
        line = self._games[seat].receive(self.wire(message)) or b""
        return self.wire(json.loads(line)).rstrip(b"\n")


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
