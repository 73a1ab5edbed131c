"""The opponent of every check: plays any legal action, at random but the same for the same seed."""

import json
from typing import Any

from engine.rng import Rng
from engine.variant import Variant


class ReferenceBot:
    """A scripted player of any variant: the line it is asked goes in, its answer comes out."""

    def __init__(self, variant: Variant[Any], rng_seed: int) -> None:
        self._variant = variant
        self._rng = Rng(rng_seed, "reference bot")

    def __call__(self, line: bytes) -> bytes:
        message = json.loads(line)
        if message["type"] == "start":
            return b'{"type":"ready"}'
        return json.dumps({"action": self._action(message)}).encode()

    def _action(self, message: dict[str, Any]) -> str:
        if "legal" in message:
            legal: list[str] = message["legal"]
            return self._rng.choice(legal)
        return self._variant.draft(message["view"], self._rng)  # too many to list
