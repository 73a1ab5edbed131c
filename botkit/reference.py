"""The opponent of check games, in the arena and at home."""

import json
from typing import Any

from botkit import endings
from engine.outcome import Termination
from engine.record import Record
from engine.rng import Rng
from engine.variant import Variant


class ReferenceBot:
    """The opponent in every check game: a scripted player that chooses legal actions at random.

    The same seed gives the same choices. A call takes a request line and returns the response line.
    """

    def __init__(self, variant: Variant[Any], rng_seed: int) -> None:
        self._variant = variant
        self._rng = Rng(rng_seed, "reference bot")

    def __call__(self, line: bytes) -> bytes:
        message = json.loads(line)
        if message["type"] == "start":
            return b'{"type":"ready"}'
        if "legal" in message:
            action: str = self._rng.choice(message["legal"])
        else:  # too many to list
            action = self._variant.draft(message["view"], self._rng)
        return json.dumps({"action": action}).encode()


def failure_of(record: Record, seat: str) -> str:
    """Return why a check game rejects the bot of a seat, in a sentence, or nothing.

    It decides at home and on the site. The reference bot never resigns.
    """
    result, name = record.result, record.players[seat].name
    if result.fault == seat:
        return endings.told(result.termination, fault=seat, loser=name, detail=result.detail)
    if result.termination == Termination.RESIGNED:
        return f"{name} resigned. In a check game a bot plays to the end."
    return ""
